//! Two revisions → the commits of a change: the tip of base, where head left it, and head.
//!
//! Obeys design §5: missing history is an error, never "no changes".

use lockgate::world::git::{ObjectId, Repository};

/// The commits of a change.
pub(super) struct Commits {
    pub(super) base: ObjectId,
    pub(super) fork: ObjectId,
    pub(super) tip: ObjectId,
}

/// Why they cannot be compared.
pub(super) enum Apart {
    /// A revision names no commit that is at hand.
    Missing(String),
    /// They have no common ancestor that is at hand.
    Unrelated,
}

impl Commits {
    /// Finds them.
    pub(super) fn find(repository: &Repository, base: &str, head: &str) -> Result<Self, Apart> {
        let commit = |revision: &str| {
            let found = repository.commit(revision);
            found.ok_or_else(|| Apart::Missing(revision.to_owned()))
        };
        let (base, tip) = (commit(base)?, commit(head)?);
        let fork = match repository.merge_bases(&base, &tip).as_slice() {
            [] => return Err(Apart::Unrelated),
            [fork] => fork.clone(),
            // Several: only the tip is beyond doubt.
            _ => base.clone(),
        };
        Ok(Commits { base, fork, tip })
    }

    /// A head that came right out of base, or is base itself.
    pub(super) fn onto(base: &ObjectId, head: &ObjectId) -> Self {
        Commits {
            base: base.clone(),
            fork: base.clone(),
            tip: head.clone(),
        }
    }
}
