//! [`Snapshot`] → [`Side`]: the lockfiles that stand in it, each read once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::globs::Globs;
use super::snapshot::{Content, RepoPath, Snapshot};
use crate::cores;
use crate::lock::{Candidate, Identity, Lockfile, claim, read_candidate};
use crate::trust::{TRUST_FILE, TRUST_SIGNATURE_FILE};

/// One side of a change.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// What stands where.
    pub snapshot: Snapshot,
    /// What is a lockfile, or should be one.
    pub lockfiles: BTreeMap<RepoPath, Arc<Candidate>>,
}

impl Side {
    /// Reads the lockfiles of a snapshot, those below `exclude` left out. What another
    /// side holds at the same path, byte for byte, is not read again.
    pub fn read(snapshot: Snapshot, exclude: &Globs, others: &[&Side]) -> Self {
        let due = |(path, content)| {
            let (path, content): (&RepoPath, &Content) = (path, content);
            let name = path.text();
            let due = (claim(&name)?, content.bytes()?);
            (!exclude.matches(&name)).then_some((path, content, due))
        };
        let files: Vec<_> = snapshot.files.iter().filter_map(due).collect();
        let read = cores::each(&files, |(path, content, (claim, bytes))| {
            others
                .iter()
                .find_map(|other| other.same(path, content))
                .unwrap_or_else(|| Arc::new(read_candidate(*claim, bytes)))
        });
        let paths = files.iter().map(|(path, ..)| (*path).clone());
        let lockfiles = paths
            .zip(read)
            .filter(|(_, candidate)| **candidate != Candidate::Other)
            .collect();
        Side {
            snapshot,
            lockfiles,
        }
    }

    fn same(&self, path: &RepoPath, content: &Content) -> Option<Arc<Candidate>> {
        let (mine, theirs) = (self.content(path)?.bytes()?, content.bytes()?);
        let candidate = self.lockfiles.get(path)?;
        Arc::ptr_eq(mine, theirs).then(|| Arc::clone(candidate))
    }

    /// The lockfiles that can be used.
    pub fn usable(&self) -> impl Iterator<Item = (&RepoPath, &Lockfile)> {
        self.lockfiles
            .iter()
            .filter_map(|(path, candidate)| match &**candidate {
                Candidate::Lockfile(lockfile) => Some((path, &**lockfile)),
                Candidate::Refused(_) | Candidate::Other => None,
            })
    }

    /// The lockfile at a path, if it can be used.
    pub fn lockfile(&self, path: &RepoPath) -> Option<&Lockfile> {
        match &**self.lockfiles.get(path)? {
            Candidate::Lockfile(lockfile) => Some(lockfile),
            Candidate::Refused(_) | Candidate::Other => None,
        }
    }

    /// The lockfile that `path` is compared with: among those of one server the one at
    /// that path, or else any for which `holds`.
    pub(super) fn counterpart(
        &self,
        path: &RepoPath,
        identity: &Identity,
        holds: impl Fn(&Lockfile) -> bool,
    ) -> Option<&Lockfile> {
        let here = self
            .lockfile(path)
            .filter(|lockfile| lockfile.identity() == *identity);
        let mut any = self.usable().map(|(_, lockfile)| lockfile);
        here.or_else(|| any.find(|lockfile| lockfile.identity() == *identity && holds(lockfile)))
    }

    /// What stands at a path.
    pub(super) fn content(&self, path: &RepoPath) -> Option<&Content> {
        self.snapshot.files.get(path)
    }

    /// What stands where the trust file is due.
    pub(super) fn trust(&self) -> Option<&Content> {
        self.content(&RepoPath::new(TRUST_FILE))
    }

    /// What signs a change of the trust file.
    pub(super) fn trust_signature(&self) -> Option<&Arc<[u8]>> {
        self.content(&RepoPath::new(TRUST_SIGNATURE_FILE))?.bytes()
    }
}
