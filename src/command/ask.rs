//! Verified lockfiles → what each server offers now, compared.
//!
//! One handshake for lockfiles that share an identity, a bounded number at once, and no
//! failure of one server that another would notice (style habit 2).

use std::collections::HashMap;
use std::sync::Arc;

use lockgate::check::{Part, Reason, Unlisted};
use lockgate::lock::{Identity, Listing};
use lockgate::world::mcp::{Endpoint, Mcp, Settings};
use lockgate::world::signals::Signals;
use lockgate::world::terminal::Progress;
use tokio::sync::Semaphore;
use tokio::task::{Id, JoinError, JoinSet};

use super::asked::{Asked, by_server, not_checked};
use super::endpoint;
use super::endpoint::Credentials;
use super::survey::Surveyed;

/// How servers are asked.
pub(crate) struct Asking<'a> {
    pub(crate) settings: Settings,
    pub(crate) concurrency: usize,
    pub(crate) credentials: Credentials<'a>,
}

type Answered = Result<(Id, Result<Listing, Unlisted>), JoinError>;

/// Asks every server once, and compares for every lockfile of it.
pub(crate) async fn ask(
    lockfiles: Vec<Surveyed>,
    asking: Asking<'_>,
    part: Option<Part>,
    signals: &mut Signals,
) -> Asked {
    let groups = by_server(lockfiles);
    let progress = Progress::of_servers(groups.len());
    let mcp = Arc::new(Mcp::new(asking.settings));
    let slots = Arc::new(Semaphore::new(asking.concurrency));
    let mut asked = Asked::of(part);
    let mut open = Open::default();
    for (server, group) in groups {
        match first_endpoint(&group, &asking.credentials) {
            Ok(endpoint) => {
                let listing = list(mcp.clone(), slots.clone(), endpoint);
                open.begin((server, group), listing);
            }
            Err(unlisted) => asked.take(&server, group, &Err(unlisted)),
        }
    }
    open.settle_all(&mut asked, &progress, signals).await;
    progress.finish();
    if asked.interrupted.is_none() {
        mcp.farewells().await;
    }
    asked
}

/// The servers that have not answered yet, and the lockfiles that wait for them.
#[derive(Default)]
struct Open {
    tasks: JoinSet<Result<Listing, Unlisted>>,
    waiting: HashMap<Id, (Identity, Vec<Surveyed>)>,
}

impl Open {
    fn begin<F>(&mut self, group: (Identity, Vec<Surveyed>), listing: F)
    where
        F: Future<Output = Result<Listing, Unlisted>> + Send + 'static,
    {
        let handle = self.tasks.spawn(listing);
        self.waiting.insert(handle.id(), group);
    }

    /// Takes each answer as it comes; a signal ends the wait, and the rest is not checked.
    async fn settle_all(mut self, asked: &mut Asked, progress: &Progress, signals: &mut Signals) {
        while !self.tasks.is_empty() {
            tokio::select! {
                Some(answered) = self.tasks.join_next_with_id() => {
                    let (id, listed) = listed(answered);
                    if let Some((server, group)) = self.waiting.remove(&id) {
                        asked.take(&server, group, &listed);
                    }
                    progress.step();
                }
                signal = signals.next() => {
                    asked.interrupted = Some(signal);
                    self.tasks.abort_all();
                    break;
                }
            }
        }
        for (server, group) in self.waiting.into_values() {
            asked.take(&server, group, &Err(not_checked()));
        }
    }
}

/// A task that failed is a fault of ours, and that one server's verdict.
fn listed(answered: Answered) -> (Id, Result<Listing, Unlisted>) {
    answered.unwrap_or_else(|error| (error.id(), Err(our_fault())))
}

/// All lockfiles of a group name one server; the newest protocol version is tried first.
fn first_endpoint(group: &[Surveyed], credentials: &Credentials<'_>) -> Result<Endpoint, Unlisted> {
    let version = |one: &&Surveyed| one.lockfile.server().protocol_version.clone();
    let Some(newest) = group.iter().max_by_key(version) else {
        return Err(not_checked());
    };
    // One URL and one approved list: what one of them may be sent, its server may be sent.
    let contact = group.iter().map(|one| one.contact).max();
    endpoint::of(
        &newest.lockfile,
        credentials,
        contact.unwrap_or(newest.contact),
    )
}

async fn list(
    mcp: Arc<Mcp>,
    slots: Arc<Semaphore>,
    endpoint: Endpoint,
) -> Result<Listing, Unlisted> {
    // The semaphore is never closed.
    let _slot = slots.acquire().await;
    mcp.list_tools(&endpoint).await
}

fn our_fault() -> Unlisted {
    let detail = "lockgate failed while it asked this server".to_owned();
    let hint = Some("please report it, with the text above".to_owned());
    Unlisted {
        reason: Reason::InternalError,
        detail,
        said: None,
        hint,
    }
}
