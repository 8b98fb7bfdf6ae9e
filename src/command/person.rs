//! The person at the terminal: what they are shown, asked, and said.
//!
//! Obeys design §4 and §7: without a real terminal nothing is asked and nothing signed;
//! anything but yes is no; a signal ends the run, also in the middle of a question.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use lockgate::tell;
use lockgate::world::prompt::Prompt;
use lockgate::world::signals::interruption;
use lockgate::world::terminal;
use zeroize::Zeroizing;

/// The run ends here with that exit code, and everything is told already.
#[derive(Debug, thiserror::Error)]
#[error("the run ended")]
pub(crate) struct Ended(pub(crate) ExitCode);

/// Tells why nothing was done; the run ends with exit code 1.
pub(super) fn refuse(message: &str) -> anyhow::Error {
    terminal::tell(&format!("error: {message}\n"));
    Ended(ExitCode::FAILURE).into()
}

/// A person at a terminal.
pub(super) struct Person(Prompt);

impl Person {
    /// The person who started us.
    pub(super) fn at_the_terminal() -> Result<Self> {
        match Prompt::open() {
            Some(prompt) => Ok(Person(prompt)),
            None => bail!(
                "there is no terminal to show the list on, so nothing is signed\nhint: approving is a person's act: run this in a terminal, without redirecting standard input"
            ),
        }
    }

    /// Shows a text; long lines hang under their own indent.
    pub(super) fn show(&self, text: &str) -> Result<()> {
        let hung = self.0.width().map(|width| tell::hang(text, width));
        let shown = self.0.show(hung.as_deref().unwrap_or(text));
        shown.context("the terminal cannot be written, so nothing is signed")
    }

    /// Asks; only `y` or `yes` is a yes.
    pub(super) async fn says_yes(&self, question: &str) -> Result<bool> {
        let prompt = self.0.again()?;
        let question = format!("{question} [y/N] ");
        let answer = self.answered(move || prompt.ask(&question)).await?;
        Ok(matches!(answer.to_ascii_lowercase().as_str(), "y" | "yes"))
    }

    /// Asks the last question; anything but yes ends the run.
    pub(super) async fn confirms(&self, question: &str) -> Result<()> {
        match self.says_yes(question).await? {
            true => Ok(()),
            false => Err(self.declined()?),
        }
    }

    /// Says that nothing was done; the run ends.
    pub(super) fn declined(&self) -> Result<anyhow::Error> {
        self.show("declined: nothing was signed, and no file was changed\n")?;
        Ok(Ended(ExitCode::FAILURE).into())
    }

    /// Asks for a secret.
    pub(super) async fn secret(&self, question: &str) -> Result<Zeroizing<String>> {
        let prompt = self.0.again()?;
        let question = question.to_owned();
        self.answered(move || prompt.ask_secret(&question)).await
    }

    async fn answered<T, F>(&self, ask: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce() -> std::io::Result<T> + Send + 'static,
    {
        let answered = blocking(ask).await;
        if answered.as_ref().is_err() {
            self.0.reveal();
        }
        answered?.map_err(|_| refuse("the terminal is gone: nothing was signed"))
    }
}

/// Does what may wait for a person elsewhere; a signal ends the run.
pub(super) async fn blocking<T, F>(work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    let work = tokio::task::spawn_blocking(work);
    until_told_to_stop(work).await?.context("a question failed")
}

/// Waits; a signal ends the run.
pub(super) async fn until_told_to_stop<T>(work: impl Future<Output = T>) -> Result<T> {
    tokio::select! {
        done = work => Ok(done),
        signal = interruption() => {
            terminal::tell("\nstopped: nothing was signed\n");
            Err(Ended(ExitCode::from(signal.exit_code())).into())
        }
    }
}
