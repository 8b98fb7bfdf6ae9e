//! How long one server may take, and what is being waited for.
//!
//! Obeys design §6: 30 s a server. Measured with the monotonic clock.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::failure;
use crate::check::Unlisted;

/// The time left for one server.
#[derive(Debug)]
pub(super) struct Patience {
    whole: Duration,
    end: Instant,
}

impl Patience {
    pub(super) fn new(whole: Duration) -> Self {
        Patience {
            whole,
            end: Instant::now() + whole,
        }
    }

    /// Waits for what the server owes us; `what` names it in the message.
    pub(super) async fn wait<T>(
        &self,
        what: &str,
        work: impl Future<Output = T>,
    ) -> Result<T, Unlisted> {
        timeout_at(self.end, work)
            .await
            .map_err(|_| failure::timeout(what, self.whole))
    }

    /// Waits for what the server has no part in: it does not count.
    pub(super) async fn wait_for_us<T>(&mut self, work: impl Future<Output = T>) -> T {
        let start = Instant::now();
        let done = work.await;
        self.end += start.elapsed();
        done
    }

    /// Sleeps if that leaves time to ask again, and says whether it did.
    pub(super) async fn sleep(&self, pause: Duration) -> bool {
        let fits = pause < self.end.saturating_duration_since(Instant::now());
        if fits {
            tokio::time::sleep(pause).await;
        }
        fits
    }
}
