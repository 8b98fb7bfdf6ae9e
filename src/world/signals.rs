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

/// Listens from its beginning on: a signal that comes while nobody waits is not lost.
pub struct Signals(system::Listener);

impl Signals {
    /// Begins to listen; from here on a signal does not end the process by itself.
    pub fn listen() -> Self {
        Signals(system::Listener::begin())
    }

    /// Resolves when the process is told to stop, or was since the last time.
    pub async fn next(&mut self) -> Interruption {
        self.0.next().await
    }
}

/// Resolves when the process is told to stop, from now on.
pub async fn interruption() -> Interruption {
    Signals::listen().next().await
}

#[cfg(unix)]
mod system {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    use super::Interruption;

    pub(super) struct Listener {
        interrupt: Option<Signal>,
        terminate: Option<Signal>,
    }

    impl Listener {
        pub(super) fn begin() -> Self {
            Listener {
                interrupt: signal(SignalKind::interrupt()).ok(),
                terminate: signal(SignalKind::terminate()).ok(),
            }
        }

        pub(super) async fn next(&mut self) -> Interruption {
            tokio::select! {
                () = came(self.terminate.as_mut()) => Interruption::Terminate,
                () = came(self.interrupt.as_mut()) => Interruption::Interrupt,
            }
        }
    }

    /// One that cannot be listened to ends the process by itself.
    async fn came(signal: Option<&mut Signal>) {
        let come = match signal {
            Some(signal) => signal.recv().await,
            None => None,
        };
        if come.is_none() {
            std::future::pending().await
        }
    }
}

#[cfg(not(unix))]
mod system {
    use super::Interruption;

    pub(super) struct Listener;

    impl Listener {
        pub(super) fn begin() -> Self {
            Listener
        }

        pub(super) async fn next(&mut self) -> Interruption {
            match tokio::signal::ctrl_c().await {
                Ok(()) => Interruption::Interrupt,
                Err(_) => std::future::pending().await,
            }
        }
    }
}
