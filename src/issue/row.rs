//! One server in the memory: what it was last, since when, and how often in a row.

use jiff::{SignedDuration, Timestamp};

use super::place::{Place, Scope};
use super::server::{Condition, Server};
use crate::check::{Cause, Reason};
use crate::lock::Digest;
use crate::untrusted::Untrusted;

/// What is remembered of one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it was when it was asked last.
    pub last: Last,
    /// Since when it has been that.
    pub since: Timestamp,
    /// How many runs in a row got no listing.
    pub failures: u32,
    /// When it last offered what was approved.
    pub good: Option<Timestamp>,
    /// How many lockfiles pin it.
    pub lockfiles: u32,
    /// Its URL and its first lockfile; forgotten first where room is short.
    pub names: Option<Names>,
}

/// What a server was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Last {
    /// What was approved.
    Same,
    /// Something else; the start of the drift's digest.
    Drifted([u8; 8]),
    /// Silent.
    Silent,
    /// Silent, and that was accepted.
    Accepted,
}

/// By which people know a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// Its URL.
    pub url: Untrusted,
    /// Its first lockfile.
    pub path: Untrusted,
}

impl Row {
    /// What is remembered after a run; `None` if nothing is known of it.
    pub(super) fn after(
        before: Option<&Row>,
        server: &Server<'_>,
        place: &Place<'_>,
    ) -> Option<Row> {
        let names = Some(Names {
            url: server.url.untrusted(),
            path: server.path.clone(),
        });
        let Some(last) = Last::of(server) else {
            // Nothing was learned: what was known stays.
            let known = before.cloned();
            return known.map(|row| Row { names, ..row });
        };
        let same = before.filter(|row| row.last == last);
        let before_failures = same.map_or(0, |row| row.failures);
        let (failures, good) = match last {
            Last::Same => (0, Some(place.now)),
            Last::Silent => (
                before_failures.saturating_add(1),
                before.and_then(|row| row.good),
            ),
            Last::Drifted(_) | Last::Accepted => (0, before.and_then(|row| row.good)),
        };
        Some(Row {
            last,
            since: same.map_or(place.now, |row| row.since),
            failures,
            good,
            lockfiles: lockfiles(before, server, place),
            names,
        })
    }
}

impl Last {
    /// `None` if nothing was learned.
    fn of(server: &Server<'_>) -> Option<Self> {
        match &server.condition {
            Condition::Same => Some(Last::Same),
            Condition::Drifted(evidence) => Some(Last::Drifted(start(evidence.digest))),
            Condition::Silent(_) => Some(Last::Silent),
            Condition::Accepted(_) => Some(Last::Accepted),
            Condition::NotAsked(_) => None,
        }
    }
}

/// Those that were not looked for are still there.
fn lockfiles(before: Option<&Row>, server: &Server<'_>, place: &Place<'_>) -> u32 {
    let seen = u32::try_from(server.checked.len()).unwrap_or(u32::MAX);
    match &place.scope {
        Scope::Whole => seen,
        Scope::Paths(_) => seen.max(before.map_or(0, |row| row.lockfiles)),
    }
}

/// The first bytes of a digest.
pub(super) fn start<const LENGTH: usize>(digest: Digest) -> [u8; LENGTH] {
    let mut start = [0; LENGTH];
    for (to, from) in start.iter_mut().zip(digest.as_bytes()) {
        *to = *from;
    }
    start
}

impl Row {
    /// How long it has been what it is, up to the run that remembers it.
    pub(super) fn lasts(&self, now: Timestamp) -> SignedDuration {
        now.duration_since(self.since)
    }

    /// A digest of this stretch of silence: another one, or one of another kind, is news.
    pub(super) fn silence(&self, reason: Reason) -> Digest {
        let kind = match reason.cause() {
            Cause::Credentials => "credentials",
            Cause::Silence | Cause::NotAsked | Cause::Lockfile | Cause::Ours | Cause::Drift => {
                "no listing"
            }
        };
        Digest::of(format!("{kind} since {}", self.since.as_second()))
    }
}
