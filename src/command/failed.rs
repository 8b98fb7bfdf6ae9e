//! Why we could not work → standard error, and in a workflow its page: said once.

use std::process::ExitCode;

use lockgate::tell;
use lockgate::world::terminal;

use crate::runner::runner;

/// Could not work: usage, configuration, workspace (design §7).
const COULD_NOT_WORK: u8 = 2;

/// Says why; the text is spelled for a terminal already.
pub(crate) fn could_not_work(shown: &str) -> ExitCode {
    match runner() {
        Some(_) => terminal::tell(&tell::could_not_work(shown)),
        None => terminal::tell(&format!("error: {shown}\n")),
    }
    ExitCode::from(COULD_NOT_WORK)
}

/// What was typed is no command of ours, or asks for help.
pub(crate) fn not_typed(error: &clap::Error) -> ExitCode {
    if error.use_stderr() && runner().is_some() {
        let shown = error.to_string();
        return could_not_work(shown.trim_start_matches("error: ").trim_end());
    }
    // Nowhere is left to say that the terminal cannot be written.
    let _unheard = error.print();
    match error.use_stderr() {
        true => ExitCode::from(COULD_NOT_WORK),
        false => ExitCode::SUCCESS,
    }
}

/// Several things that we could not do, as one error; `Ok` if there is none.
pub(super) fn all(troubles: Vec<anyhow::Error>) -> anyhow::Result<()> {
    let told: Vec<String> = troubles.iter().map(|error| format!("{error:#}")).collect();
    match told.is_empty() {
        true => Ok(()),
        false => Err(anyhow::anyhow!(told.join("\nerror: "))),
    }
}
