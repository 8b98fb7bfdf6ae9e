//! Lockfiles that ever stood on base → the newest approval that each server had.
//!
//! Obeys design §5 (`rollback`, `equivocation`).

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::lock::{Candidate, Claim, Digest, Identity, Lockfile, may_hold_kind, read_candidate};

/// What each server's newest approval was.
#[derive(Debug, Clone, Default)]
pub struct History(BTreeMap<Identity, Newest>);

/// The newest approval of a server: when, and the seals that bear that time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Newest {
    /// When.
    pub approved_at: Timestamp,
    /// The seals of all lockfiles of that time.
    pub seals: BTreeSet<Digest>,
}

impl History {
    /// Takes the bytes of a file that stood at a path where a lockfile can be.
    pub fn take(&mut self, bytes: &[u8]) {
        if !may_hold_kind(bytes) {
            return;
        }
        if let Candidate::Lockfile(lockfile) = read_candidate(Claim::AnyJson, bytes) {
            self.add(&lockfile);
        }
    }

    /// Takes a lockfile.
    pub fn add(&mut self, lockfile: &Lockfile) {
        let approved_at = lockfile.approved_at();
        let newest = self.0.entry(lockfile.identity()).or_insert_with(|| Newest {
            approved_at,
            seals: BTreeSet::new(),
        });
        if newest.approved_at < approved_at {
            *newest = Newest {
                approved_at,
                seals: BTreeSet::new(),
            };
        }
        if newest.approved_at == approved_at {
            newest.seals.insert(lockfile.seal());
        }
    }

    /// The newest approval of a server.
    pub fn newest(&self, identity: &Identity) -> Option<&Newest> {
        self.0.get(identity)
    }
}
