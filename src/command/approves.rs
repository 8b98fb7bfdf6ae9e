//! Both sides of a change → what merging it approves: head's lockfile beside base's.

use std::collections::BTreeMap;
use std::path::Path;

use lockgate::change::{Content, RepoPath, Side, Standing, Touched};
use lockgate::lock::Lockfile;
use lockgate::tell::Approves;

use super::companion::{Companion, companion_path};
use super::formerly::formerly;
use super::sides::Sides;

/// Each lockfile that the change adds or changes, in the order of their paths.
pub(super) fn approves(sides: &Sides, standing: &BTreeMap<RepoPath, Standing>) -> Vec<Approves> {
    let is_touched = |path: &RepoPath| {
        let standing = standing.get(path);
        standing.is_some_and(|standing| standing.touched == Touched::ByChange)
    };
    sides
        .head
        .usable()
        .filter(|(path, _)| is_touched(path))
        .map(|(path, lockfile)| Approves {
            path: path.untrusted(),
            before: before(&sides.base, path, lockfile),
            after: whole(&sides.head, path, lockfile),
        })
        .collect()
}

fn before(base: &Side, path: &RepoPath, lockfile: &Lockfile) -> Option<Lockfile> {
    let here = base.lockfile(path).map(|was| (path, was));
    let anywhere = || base.usable().collect();
    let (path, was) = formerly(&lockfile.identity(), here, anywhere)?;
    Some(whole(base, path, was))
}

/// The lockfile with its companion; a bad one is told by the survey.
fn whole(side: &Side, path: &RepoPath, lockfile: &Lockfile) -> Lockfile {
    companion(side, path)
        .beside(lockfile.clone())
        .unwrap_or_else(|_told| lockfile.clone())
}

/// Where the companion of a lockfile stands on one side.
pub(super) fn companion(side: &Side, path: &RepoPath) -> Companion {
    let place = companion_path(Path::new(&path.text()));
    let at = RepoPath::new(place.to_string_lossy().into_owned());
    let bytes = side.snapshot.files.get(&at).and_then(Content::bytes);
    Companion::Blob(place, bytes.cloned())
}
