//! How often, how long and how patiently GitHub is asked.
//!
//! Obeys the notes on limits: about 80 writes a minute are too many, so they are one second
//! apart and one after the other; what is waited for all retries of a run has an end.

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

/// How GitHub is asked.
#[derive(Debug, Clone)]
pub struct Pace {
    /// Between two writes.
    pub between_writes: Duration,
    /// For one request, its answer included.
    pub request: Duration,
    /// Before the first retry; twice as long before each further one.
    pub backoff: Duration,
    /// For the waits of all retries together.
    pub patience: Duration,
    /// How often one request is sent at most.
    pub attempts: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            between_writes: Duration::from_secs(1),
            request: Duration::from_secs(30),
            backoff: Duration::from_secs(2),
            patience: Duration::from_secs(120),
            attempts: 4,
        }
    }
}

/// The pace, and what is left of the patience.
#[derive(Debug)]
pub(super) struct Rhythm {
    pace: Pace,
    left: Duration,
    last_write: Option<Instant>,
}

impl Rhythm {
    pub(super) fn new(pace: Pace) -> Self {
        Rhythm {
            left: pace.patience,
            pace,
            last_write: None,
        }
    }

    pub(super) fn request(&self) -> Duration {
        self.pace.request
    }

    /// Waits until a write is due.
    pub(super) async fn write(&mut self) {
        if let Some(last) = self.last_write {
            sleep_until(last + self.pace.between_writes).await;
        }
        self.last_write = Some(Instant::now());
    }

    /// Waits before another attempt, if there is one and time for it; says whether it did.
    pub(super) async fn again(&mut self, attempt: u32, asked_for: Option<Duration>) -> bool {
        if attempt >= self.pace.attempts {
            return false;
        }
        let doubled = self.pace.backoff.saturating_mul(1 << (attempt - 1).min(16));
        self.wait(asked_for.unwrap_or(doubled)).await
    }

    /// Waits, if that is within what is left of the patience; says whether it did.
    async fn wait(&mut self, pause: Duration) -> bool {
        let Some(left) = self.left.checked_sub(pause) else {
            return false;
        };
        self.left = left;
        sleep(pause).await;
        true
    }
}
