//! The person at the terminal: shown texts, asked questions, one line each.
//!
//! Obeys design §4 (nothing is signed that was not shown): standard input *and* the
//! controlling terminal must be real, and all is written to and read from the terminal
//! itself, so that no redirection stands between the text and the person. An answer that
//! was typed before its question is thrown away.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};

use zeroize::Zeroizing;

/// Longest line that is taken for an answer.
const LONGEST: usize = 1024;

/// A person's terminal.
#[derive(Debug)]
pub struct Prompt(File);

impl Prompt {
    /// The terminal of the person who started us; `None` if there is none.
    pub fn open() -> Option<Self> {
        if !io::stdin().is_terminal() {
            return None;
        }
        let terminal = File::options()
            .read(true)
            .write(true)
            .open("/dev/tty")
            .ok()?;
        terminal.is_terminal().then_some(Prompt(terminal))
    }

    /// Another handle to the same terminal.
    ///
    /// # Errors
    /// What the system says.
    pub fn again(&self) -> io::Result<Self> {
        self.0.try_clone().map(Prompt)
    }

    /// Its columns.
    pub fn width(&self) -> Option<usize> {
        terminal_size::terminal_size_of(&self.0).map(|(width, _)| width.0.into())
    }

    /// Shows a text (`NO_COLOR` is respected).
    ///
    /// # Errors
    /// What the system says: then nobody has read it.
    pub fn show(&self, text: &str) -> io::Result<()> {
        let mut to = anstream::AutoStream::auto(self.0.try_clone()?);
        to.write_all(text.as_bytes())?;
        to.flush()
    }

    /// Asks, and waits for one line.
    ///
    /// # Errors
    /// What the system says; [`io::ErrorKind::UnexpectedEof`] if the person hung up.
    pub fn ask(&self, question: &str) -> io::Result<String> {
        self.forget_what_was_typed();
        self.show(question)?;
        self.line().map(|line| line.trim().to_owned())
    }

    /// Asks for a secret, which is not echoed.
    ///
    /// # Errors
    /// As [`Prompt::ask`].
    pub fn ask_secret(&self, question: &str) -> io::Result<Zeroizing<String>> {
        self.forget_what_was_typed();
        self.show(question)?;
        self.hide()?;
        let line = self.line();
        self.reveal();
        self.show("\n")?;
        line.map(|line| Zeroizing::new(line.trim_end_matches(['\r', '\n']).to_owned()))
    }

    /// One line: a terminal hands them out one at a time.
    fn line(&self) -> io::Result<Zeroizing<String>> {
        let mut line = Zeroizing::new([0; LONGEST]);
        let mut length = 0;
        while let Some(room) = line.get_mut(length..).filter(|room| !room.is_empty()) {
            match (&self.0).read(room)? {
                0 => break,
                more => length += more,
            }
            let typed = line.get(..length).unwrap_or_default();
            if let Some(typed) = typed.strip_suffix(b"\n") {
                return Ok(Zeroizing::new(String::from_utf8_lossy(typed).into_owned()));
            }
        }
        Err(io::ErrorKind::UnexpectedEof.into())
    }

    #[cfg(unix)]
    fn forget_what_was_typed(&self) {
        use rustix::termios::{QueueSelector, tcflush};
        // A terminal that cannot forget still waits for the answer.
        let _unforgotten = tcflush(&self.0, QueueSelector::IFlush);
    }

    #[cfg(unix)]
    fn hide(&self) -> io::Result<()> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let mut modes = tcgetattr(&self.0)?;
        modes.local_modes.remove(LocalModes::ECHO);
        Ok(tcsetattr(&self.0, OptionalActions::Flush, &modes)?)
    }

    /// Echoes again what is typed: also after a question that was interrupted.
    #[cfg(unix)]
    pub fn reveal(&self) {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        if let Ok(mut modes) = tcgetattr(&self.0) {
            modes.local_modes.insert(LocalModes::ECHO);
            // Nothing is left to do where the terminal is gone.
            let _gone = tcsetattr(&self.0, OptionalActions::Now, &modes);
        }
    }

    #[cfg(not(unix))]
    fn forget_what_was_typed(&self) {}

    #[cfg(not(unix))]
    fn hide(&self) -> io::Result<()> {
        Err(io::Error::other("this terminal cannot hide what is typed"))
    }

    /// Echoes again what is typed.
    #[cfg(not(unix))]
    pub fn reveal(&self) {}
}
