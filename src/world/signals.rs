//! SIGINT and SIGTERM: a run that is told to stop tells what it has.

/// Which signal ended the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// SIGINT: a person's Ctrl-C.
    Interrupt,
    /// SIGTERM: the system's or the runner's.
    Terminate,
}

impl Interruption {
    /// The exit code that shells expect: 128 + the signal's number.
    pub fn exit_code(self) -> u8 {
        match self {
            Interruption::Interrupt => 130,
            Interruption::Terminate => 143,
        }
    }
}

/// Resolves when the process is told to stop.
pub async fn interruption() -> Interruption {
    tokio::select! {
        () = terminated() => Interruption::Terminate,
        outcome = tokio::signal::ctrl_c() => match outcome {
            Ok(()) => Interruption::Interrupt,
            Err(_) => std::future::pending().await,
        },
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}
