//! A lockfile that base has moved on from → what is said of the one that head still has.
//!
//! Obeys design §5: the change does not touch it, so what is merged is base's.

use super::side::Side;
use super::snapshot::RepoPath;
use crate::check::{Finding, Level};
use crate::lock::Lockfile;

/// Does head only lag behind what base has at the same path?
pub(super) fn is_behind(path: &RepoPath, head: &Side, before: [&Side; 2]) -> bool {
    let [base, fork] = before;
    let seal = |side: &Side| side.lockfile(path).map(Lockfile::seal);
    let is_untouched = seal(head).is_some() && seal(head) == seal(fork);
    is_untouched && seal(base).is_some_and(|seal_of_base| Some(seal_of_base) != seal(fork))
}

/// A finding about it fails nothing, and has another way out.
pub(super) fn of_one_behind(finding: Finding) -> Finding {
    let level = finding.level.min(Level::Warning);
    finding.level(level).hint(
        "base has another lockfile here, which is what will be merged: merge base into this branch",
    )
}
