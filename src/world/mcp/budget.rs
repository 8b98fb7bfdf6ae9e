//! How many bytes the servers may send, one by one and together, and whose turn it is.
//!
//! Obeys design §6: 16 MiB a server, 256 MiB in flight, 2 at a host. A server's first
//! [`FREE`] bytes are free; one that sends more takes a permit for all it may ever send, so
//! that nobody waits for a second permit while holding one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::patience::Patience;
use super::{Settings, failure};
use crate::check::Unlisted;

/// What a server may send without a permit.
const FREE: usize = 1 << 20;

/// The byte budget of all servers, and the turns at each host.
#[derive(Debug)]
pub(super) struct Budget {
    max_bytes: usize,
    per_host: usize,
    large: Arc<Semaphore>,
    hosts: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl Budget {
    pub(super) fn new(settings: &Settings) -> Self {
        let large = settings.max_bytes_in_flight / settings.max_bytes.max(1);
        Budget {
            max_bytes: settings.max_bytes,
            per_host: settings.per_host.max(1),
            large: Arc::new(Semaphore::new(large.clamp(1, Semaphore::MAX_PERMITS))),
            hosts: Mutex::default(),
        }
    }

    /// Waits until this host and port may be asked; the turn ends when it is dropped.
    pub(super) async fn turn(&self, url: &url::Url) -> Option<OwnedSemaphorePermit> {
        let host = url.host_str().unwrap_or_default();
        let key = format!("{host}:{}", url.port_or_known_default().unwrap_or_default());
        let turns = {
            let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
            let turns = hosts
                .entry(key)
                .or_insert_with(|| Arc::new(Semaphore::new(self.per_host)));
            Arc::clone(turns)
        };
        turns.acquire_owned().await.ok()
    }

    /// What one server may send.
    pub(super) fn allowance(&self) -> Allowance {
        Allowance {
            left: self.max_bytes,
            max: self.max_bytes,
            large: Arc::clone(&self.large),
            permit: None,
        }
    }
}

/// What one server may still send.
#[derive(Debug)]
pub(super) struct Allowance {
    left: usize,
    max: usize,
    large: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Allowance {
    /// Counts bytes that arrived, and waits for a permit if they are many.
    ///
    /// # Errors
    /// `too-large`, naming the cap.
    pub(super) async fn spend(
        &mut self,
        bytes: usize,
        patience: &mut Patience,
    ) -> Result<(), Unlisted> {
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or_else(|| failure::too_many_bytes(self.max))?;
        if self.permit.is_none() && self.max - self.left > FREE {
            let large = Arc::clone(&self.large);
            self.permit = patience.wait_for_us(large.acquire_owned()).await.ok();
        }
        Ok(())
    }

    /// The cap for one event of a stream.
    pub(super) fn max(&self) -> usize {
        self.max
    }
}
