//! Messages that nobody waits for in sequence: farewells, and refusals to servers.
//!
//! Obeys design §6. Each errand ends by itself after [`LONGEST`].

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;

/// Longest that an errand takes, and that they are waited for at the end.
const LONGEST: Duration = Duration::from_secs(2);

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

    /// Waits for those under way; what is not done by then is given up.
    pub(super) async fn wait(&self) {
        let mut errands = {
            let mut errands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *errands)
        };
        let all = async { while errands.join_next().await.is_some() {} };
        let _some_may_be_given_up = timeout(LONGEST, all).await;
    }
}
