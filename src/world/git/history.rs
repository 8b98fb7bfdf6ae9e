//! A commit → every blob that a lockfile's path ever held on the way to it.
//!
//! Obeys design §5 (`rollback`): the first-parent history, from one process.

use std::collections::{BTreeMap, BTreeSet};

use super::{GitError, ObjectId, Repository};

impl Repository {
    /// The blobs that stood at paths ending in `.json`, in any letter case, anywhere in the
    /// first-parent history of `commit`, itself included. Each once.
    ///
    /// # Errors
    /// [`GitError`] if git does not list them.
    pub fn json_blobs_of_history(&self, commit: &ObjectId) -> Result<Vec<ObjectId>, GitError> {
        let listed = self.ask(&[
            "log",
            "--first-parent",
            "-m",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-renames",
            "--format=",
            "--diff-filter=AMT",
            "--root",
            "--end-of-options",
            commit.as_str(),
            "--",
            ":(top,icase)*.json",
        ])?;
        let blobs: BTreeSet<ObjectId> = listed.split(|b| *b == 0).filter_map(new_blob).collect();
        Ok(blobs.into_iter().collect())
    }

    /// Does the history that is at hand end before it began?
    pub fn is_shallow(&self) -> bool {
        let asked = self.ask(&["rev-parse", "--is-shallow-repository"]);
        asked.is_ok_and(|told| told.starts_with(b"true"))
    }

    /// All remote-tracking refs by full name, with the commits they stand on.
    pub fn remote_refs(&self) -> BTreeMap<String, ObjectId> {
        let format = "--format=%(objectname) %(refname)";
        let asked = self.ask(&["for-each-ref", format, "refs/remotes/"]);
        let text = String::from_utf8(asked.unwrap_or_default()).unwrap_or_default();
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        pairs
            .filter_map(|(id, name)| Some((name.to_owned(), ObjectId::parse(id)?)))
            .collect()
    }
}

/// `:<old mode> <new mode> <old id> <new id> <status>`; paths stand in parts of their own.
fn new_blob(part: &[u8]) -> Option<ObjectId> {
    let text = std::str::from_utf8(part).ok()?;
    let mut words = text.trim_start_matches('\n').strip_prefix(':')?.split(' ');
    let is_file = words.nth(1)?.starts_with("100");
    let id = ObjectId::parse(words.nth(1)?)?;
    is_file.then_some(id)
}
