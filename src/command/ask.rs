//! Verified lockfiles → what each server offers now, compared.
//!
//! One handshake for lockfiles that share an identity, a bounded number at once, and no
//! failure of one server that another would notice (style habit 2).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use lockgate::Verdict;
use lockgate::check::{Checked, Comparison, Finding, Outcome, Reason, Unlisted, compare, notes};
use lockgate::lock::{Identity, Listing, Lockfile};
use lockgate::world::mcp::{Endpoint, Mcp, Settings};
use lockgate::world::signals::{Interruption, interruption};
use lockgate::world::terminal::Progress;
use tokio::sync::Semaphore;
use tokio::task::{Id, JoinError, JoinSet};

use super::companion::Companion;
use super::endpoint;
use super::endpoint::Credentials;
use super::survey::Surveyed;

/// What came of asking.
#[derive(Default)]
pub(crate) struct Asked {
    /// One check for each lockfile.
    pub(crate) checked: Vec<Checked>,
    /// Notes on them.
    pub(crate) findings: Vec<Finding>,
    /// The signal that ended the run early.
    pub(crate) interrupted: Option<Interruption>,
}

/// How servers are asked.
pub(crate) struct Asking<'a> {
    pub(crate) settings: Settings,
    pub(crate) concurrency: usize,
    pub(crate) credentials: Credentials<'a>,
}

type Answered = Result<(Id, Result<Listing, Unlisted>), JoinError>;

/// Asks every server once, and compares for every lockfile of it.
pub(crate) async fn ask(lockfiles: Vec<Surveyed>, asking: Asking<'_>) -> Asked {
    let mut groups: BTreeMap<Identity, Vec<Surveyed>> = BTreeMap::new();
    for one in lockfiles {
        groups.entry(one.lockfile.identity()).or_default().push(one);
    }
    let progress = Progress::of_servers(groups.len());
    let mcp = Arc::new(Mcp::new(asking.settings));
    let slots = Arc::new(Semaphore::new(asking.concurrency));
    let mut asked = Asked::default();
    let mut open = Open::default();
    for group in groups.into_values() {
        match first_endpoint(&group, &asking.credentials) {
            Ok(endpoint) => open.begin(group, list(mcp.clone(), slots.clone(), endpoint)),
            Err(unlisted) => asked.take(group, &Err(unlisted)),
        }
    }
    open.settle_all(&mut asked, &progress).await;
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
    waiting: HashMap<Id, Vec<Surveyed>>,
}

impl Open {
    fn begin<F>(&mut self, group: Vec<Surveyed>, listing: F)
    where
        F: Future<Output = Result<Listing, Unlisted>> + Send + 'static,
    {
        let handle = self.tasks.spawn(listing);
        self.waiting.insert(handle.id(), group);
    }

    /// Takes each answer as it comes; a signal ends the wait, and the rest is not checked.
    async fn settle_all(mut self, asked: &mut Asked, progress: &Progress) {
        let mut stop = std::pin::pin!(interruption());
        while !self.tasks.is_empty() {
            tokio::select! {
                Some(answered) = self.tasks.join_next_with_id() => {
                    let (id, listed) = listed(answered);
                    asked.take(self.waiting.remove(&id).unwrap_or_default(), &listed);
                    progress.step();
                }
                signal = &mut stop => {
                    asked.interrupted = Some(signal);
                    self.tasks.abort_all();
                    break;
                }
            }
        }
        for group in self.waiting.into_values() {
            asked.take(group, &Err(not_checked()));
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

impl Asked {
    fn take(&mut self, group: Vec<Surveyed>, listed: &Result<Listing, Unlisted>) {
        for Surveyed {
            shown,
            companion,
            lockfile,
            bearing,
            ..
        } in group
        {
            let (lockfile, outcome) = match listed {
                Ok(listing) => {
                    self.findings.extend(notes(&shown, &lockfile, listing));
                    let (lockfile, comparison) = compared(lockfile, &companion, listing);
                    (lockfile, Outcome::Compared(comparison))
                }
                Err(unlisted) => (lockfile, Outcome::Unlisted(unlisted.clone())),
            };
            self.checked.push(Checked {
                path: shown,
                lockfile: Some(lockfile),
                outcome,
                bearing,
            });
        }
    }
}

/// Compares by digest first; the approved texts are only read where something moved.
fn compared(
    lockfile: Lockfile,
    companion: &Companion,
    listing: &Listing,
) -> (Lockfile, Comparison) {
    let comparison = compare(&lockfile, listing);
    if comparison.verdict() == Verdict::Unchanged {
        return (lockfile, comparison);
    }
    match companion.beside(lockfile.clone()) {
        Ok(lockfile) => {
            let comparison = compare(&lockfile, listing);
            (lockfile, comparison)
        }
        // Told by the survey already.
        Err(_) => (lockfile, comparison),
    }
}

/// The verdict of a server that was not asked.
pub(crate) fn not_checked() -> Unlisted {
    let detail = "the run ended before this server was asked".to_owned();
    Unlisted {
        reason: Reason::NotChecked,
        detail,
        said: None,
        hint: None,
    }
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

/// The checks of a run that asks no server.
pub(crate) fn offline(lockfiles: Vec<Surveyed>) -> Asked {
    let unasked = || Unlisted {
        detail: "offline: no server was asked".to_owned(),
        ..not_checked()
    };
    let checked = |one: Surveyed| Checked {
        path: one.shown,
        lockfile: Some(one.lockfile),
        outcome: Outcome::Unlisted(unasked()),
        bearing: one.bearing,
    };
    Asked {
        checked: lockfiles.into_iter().map(checked).collect(),
        ..Asked::default()
    }
}
