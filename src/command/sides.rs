//! [`Commits`] → both sides of a change, read as objects; head may be the work tree.
//!
//! Obeys design §5: changed is what differs from the merge base and from the tip of base.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow};
use lockgate::change::{History, RepoPath, Root, Side, Snapshot, rewritten};
use lockgate::check::{Finding, Rule};
use lockgate::lock::Digest;
use lockgate::trust::{TRUST_FILE, TrustFile};
use lockgate::world::git::{Blob, Repository};
use lockgate::world::snapshot;

use super::commits::Commits;
use super::ground::{DEEPEN, own_of};

/// What stands for head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// The objects of its commit.
    Objects,
    /// The files of the work tree.
    WorkTree,
}

/// Both sides, and where head left base.
pub(super) struct Sides {
    pub(super) base: Side,
    pub(super) fork: Side,
    pub(super) head: Side,
    pub(super) root: Root,
    commits: Commits,
    work_tree: Option<Snapshot>,
}

impl Sides {
    /// Reads them; `root` makes the root of base's own trust file.
    pub(super) fn read(
        repository: &Repository,
        (commits, head): (Commits, Head),
        root: impl FnOnce(Option<TrustFile>) -> Root,
    ) -> Result<Self> {
        let ids = [&commits.base, &commits.fork, &commits.tip].map(Clone::clone);
        let read = snapshot::of_commits(repository, &ids)
            .with_context(|| format!("a commit cannot be read\nhint: {DEEPEN}"))?;
        let [base, fork, tip] = <[Snapshot; 3]>::try_from(read)
            .map_err(|_| anyhow!("git gave other commits than it was asked for"))?;
        let own = own_of(base.files.get(&RepoPath::new(TRUST_FILE)), &commits.base)?;
        let root = root(own);
        let is_checked_out = repository.commit("HEAD").as_ref() == Some(&commits.tip);
        let work_tree = match is_checked_out {
            true => Some(snapshot::of_work_tree(repository, &tip)?),
            false => None,
        };
        let exclude = root.exclude();
        let base = Side::read(base, &exclude, &[]);
        let fork = Side::read(fork, &exclude, &[&base]);
        let files = match (&work_tree, head) {
            (Some(files), Head::WorkTree) => files.clone(),
            (Some(_) | None, _) => tip,
        };
        let head = Side::read(files, &exclude, &[&base, &fork]);
        Ok(Sides {
            base,
            fork,
            head,
            root,
            commits,
            work_tree,
        })
    }

    /// The newest approval that each server had on base; read only where it matters.
    pub(super) fn history(&self, repository: &Repository) -> Result<(History, Vec<Finding>)> {
        let mut history = History::default();
        let seals: BTreeSet<Digest> = self
            .base
            .usable()
            .map(|(_, lockfile)| lockfile.seal())
            .collect();
        self.base
            .usable()
            .for_each(|(_, lockfile)| history.add(lockfile));
        if self
            .head
            .usable()
            .all(|(_, lockfile)| seals.contains(&lockfile.seal()))
        {
            return Ok((history, Vec::new()));
        }
        let blobs = repository.json_blobs_of_history(&self.commits.base)?;
        repository.each_blob(&blobs, |_, blob| match blob {
            Blob::Bytes(bytes) => history.take(&bytes),
            Blob::TooLarge | Blob::Missing => {}
        })?;
        let short = repository.is_shallow().then(|| {
            Finding::new(Rule::ShortHistory, "the clone is shallow: whether an older approval comes back is only known as far as its history goes").hint(DEEPEN)
        });
        Ok((history, short.into_iter().collect()))
    }

    /// Files that the work tree has otherwise than head's commit.
    pub(super) fn rewritten(&self, repository: &Repository, head: Head) -> Result<Vec<Finding>> {
        let Some(files) = &self.work_tree else {
            return Ok(Vec::new());
        };
        if head == Head::Objects {
            return Ok(rewritten(&self.head, files, &BTreeSet::new()));
        }
        let tip = snapshot::of_commits(repository, std::slice::from_ref(&self.commits.tip))?
            .pop()
            .unwrap_or_default();
        let tip = Side::read(tip, &self.root.exclude(), &[&self.base, &self.fork]);
        let found = rewritten(&tip, files, &BTreeSet::new());
        if found.is_empty() {
            return Ok(found);
        }
        Ok(rewritten(&tip, files, &repository.edited()))
    }
}
