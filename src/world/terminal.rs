//! The terminal: results to standard output, everything else to standard error.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Prints a result, coloured only where colour belongs (`NO_COLOR` is respected).
///
/// # Errors
/// What the system says, a closed pipe left out: whoever closed it has read enough.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    tolerate_closed_pipe(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The columns of the terminal that results go to; `None` if it is no terminal.
pub fn width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(width.0.into())
}

/// Tells a person something that is no result.
pub fn tell(text: &str) {
    let mut err = anstream::stderr().lock();
    // Nowhere is left to say that standard error cannot be written.
    let _unheard = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

fn tolerate_closed_pipe(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A progress bar on standard error, if that is a terminal.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// Begins to count to `total` servers.
    pub fn of_servers(total: usize) -> Self {
        if !io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {pos}/{len} servers asked  {elapsed}")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Progress(bar)
    }

    /// One more is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
