//! The corridor: one file a command, each calling the rooms in order.

mod announce;
mod approve;
mod approves;
mod ask;
mod asked;
mod base;
mod candidate;
mod changed;
mod check;
mod commits;
mod companion;
mod conclude;
mod counted;
mod demo;
mod diff;
mod diff_side;
mod endpoint;
mod event;
mod find;
mod ground;
mod group;
mod hash;
mod input;
mod issue_once;
mod issue_writer;
mod issues;
mod keygen;
mod known;
mod live;
mod lock;
mod merge;
mod output;
mod papers;
mod pen;
mod person;
mod place;
mod reading;
mod renew;
mod scan;
mod scanned;
mod scope;
mod secrets;
mod sides;
mod sign;
mod sign_trust;
mod survey;
mod tip;
mod workflow;

use std::process::ExitCode;

use self::person::Ended;
use crate::cli::Command;

/// Runs a command. An error is that we could not work; a block is an exit code.
pub(crate) async fn run(command: Command) -> anyhow::Result<ExitCode> {
    let outcome = match command {
        Command::Check(typed) => check::run(typed).await,
        Command::Merge(typed) => merge::run(&typed).await,
        Command::Lock(typed) => lock::run(typed).await,
        Command::Hash(typed) => hash::run(&typed),
        Command::Diff(typed) => diff::run(&typed).await,
        Command::Scan(typed) => scan::run(&typed).await,
        Command::Demo(_) => demo::run().await,
        Command::Approve(typed) => approve::run(typed).await,
        Command::Sign(typed) => sign::run(typed).await,
        Command::Keygen(typed) => keygen::run(&typed),
    };
    outcome.or_else(|error| match error.downcast_ref::<Ended>() {
        Some(Ended(code)) => Ok(*code),
        None => Err(error),
    })
}
