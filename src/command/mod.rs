//! The corridor: one file a command, each calling the rooms in order.

mod ask;
mod changed;
mod check;
mod companion;
mod demo;
mod diff;
mod endpoint;
mod ground;
mod hash;
mod input;
mod lock;
mod output;
mod place;
mod sides;
mod survey;

use std::process::ExitCode;

use crate::cli::Command;

/// Runs a command. An error is that we could not work; a block is an exit code.
pub(crate) async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Check(typed) => check::run(typed).await,
        Command::Lock(typed) => lock::run(typed).await,
        Command::Hash(typed) => hash::run(&typed),
        Command::Diff(typed) => diff::run(&typed),
        Command::Demo(_) => demo::run().await,
    }
}
