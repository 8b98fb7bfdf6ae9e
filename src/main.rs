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

/// A fault of ours.
const OUR_FAULT: u8 = 3;

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return command::not_typed(&error),
    };
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
    outcome.unwrap_or_else(|error| command::could_not_work(&format!("{error:#}")))
}
