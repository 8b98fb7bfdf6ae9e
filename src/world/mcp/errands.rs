//! Messages that nobody waits for in sequence: farewells, and refusals to servers.
//!
//! Obeys design §6 and §10. Each errand ends by itself after [`LONGEST`]; the end of a run
//! leaves them [`GRACE`], in which they are sent. No answer to them is waited for.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;

/// Longest that an errand takes.
const LONGEST: Duration = Duration::from_secs(2);
/// Longest that those under way are waited for at the end: on a connection that was kept,
/// an errand is sent at once, and what is sent arrives.
const GRACE: Duration = Duration::from_millis(50);

/// The errands under way.
#[derive(Debug, Default)]
pub(super) struct Errands(Mutex<JoinSet<()>>);

impl Errands {
    /// Sends a request and forgets the answer.
    pub(super) fn send(&self, request: reqwest::RequestBuilder) {
        let mut errands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while errands.try_join_next().is_some() {}
        errands.spawn(async move {
            let _nobody_asks = timeout(LONGEST, request.send()).await;
        });
    }

    /// Waits for those under way, for [`GRACE`] at most.
    pub(super) async fn wait(&self) {
        let mut errands = {
            let mut errands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *errands)
        };
        let all = async { while errands.join_next().await.is_some() {} };
        let _some_may_be_given_up = timeout(GRACE, all).await;
    }
}
