//! The door: arguments in, exit code out.

mod cli;
mod command;
mod header;
mod runner;
mod settings;

use std::process::ExitCode;

use clap::Parser;
use lockgate::world::terminal;

/// A static binary's own allocator would be several times slower.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Could not work: usage, configuration, workspace (design §7).
const COULD_NOT_WORK: u8 = 2;
/// A fault of ours.
const OUR_FAULT: u8 = 3;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            terminal::tell(&format!("error: the system gives no I/O: {error}\n"));
            return ExitCode::from(OUR_FAULT);
        }
    };
    let outcome = runtime.block_on(command::run(cli.command));
    // A look-up that the system does not answer must not hold the process.
    runtime.shutdown_background();
    outcome.unwrap_or_else(|error| {
        terminal::tell(&format!("error: {error:#}\n"));
        ExitCode::from(COULD_NOT_WORK)
    })
}
