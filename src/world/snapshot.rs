//! A repository's commits and work tree → [`Snapshot`]s, read as objects or as files.
//!
//! Obeys design §2 (Discovery) and §5: one listing a commit, one process for all blobs,
//! each blob once. What is on neither side's list of interest is never read.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::files::{Unread, read_plain};
use super::git::{Blob, Entry, EntryKind, GitError, ObjectId, Repository, files};
use crate::change::{Content, RepoPath, Snapshot, is_kept, is_of_interest};

/// Reads commits, all in one go; blobs that they share are shared.
///
/// # Errors
/// [`GitError`] if git does not give them, or an object is not at hand.
pub fn of_commits(
    repository: &Repository,
    commits: &[ObjectId],
) -> Result<Vec<Snapshot>, GitError> {
    let mut distinct = commits.to_vec();
    distinct.sort();
    distinct.dedup();
    let mut trees = Vec::new();
    for commit in &distinct {
        trees.push(repository.tree(commit)?);
    }
    let blobs = read_blobs(repository, &trees)?;
    let read = trees.into_iter().map(|tree| snapshot(tree, &blobs));
    let read: Vec<Snapshot> = read.collect::<Result<_, _>>()?;
    let of = |commit: &ObjectId| read.get(distinct.binary_search(commit).ok()?).cloned();
    Ok(commits.iter().filter_map(of).collect())
}

type Blobs = HashMap<ObjectId, Content>;

fn wanted(entry: &&Entry) -> bool {
    entry.kind == EntryKind::File && is_of_interest(&RepoPath::new(entry.path.clone()))
}

fn read_blobs(repository: &Repository, trees: &[Vec<Entry>]) -> Result<Blobs, GitError> {
    let mut paths: HashMap<&ObjectId, Vec<RepoPath>> = HashMap::new();
    for entry in trees.iter().flatten().filter(wanted) {
        let path = RepoPath::new(entry.path.clone());
        paths.entry(&entry.id).or_default().push(path);
    }
    let mut ids: Vec<ObjectId> = paths.keys().map(|id| (*id).clone()).collect();
    ids.sort();
    let mut blobs = Blobs::new();
    repository.each_blob(&ids, |place, blob| {
        let content = match blob {
            Blob::Bytes(bytes) => Content::File(bytes.into()),
            Blob::TooLarge => Content::TooLarge,
            Blob::Missing => Content::Unreadable,
        };
        let Some(id) = ids.get(place) else { return };
        let mut names = paths.get(id).into_iter().flatten();
        if names.any(|path| is_kept(path, &content)) {
            blobs.insert(id.clone(), content);
        }
    })?;
    Ok(blobs)
}

fn snapshot(tree: Vec<Entry>, blobs: &Blobs) -> Result<Snapshot, GitError> {
    let mut snapshot = Snapshot::default();
    for entry in tree {
        let path = RepoPath::new(entry.path);
        let content = match entry.kind {
            EntryKind::Link => Some(Content::Link),
            EntryKind::Submodule => Some(Content::Submodule),
            EntryKind::File => blobs.get(&entry.id).cloned(),
        };
        if content == Some(Content::Unreadable) {
            let id = entry.id.as_str();
            return Err(GitError::Refused(format!("the object {id} is not at hand")));
        }
        snapshot.take(path, content);
    }
    Ok(snapshot)
}

impl Snapshot {
    fn take(&mut self, path: RepoPath, content: Option<Content>) {
        if let Some(content) =
            content.filter(|content| is_of_interest(&path) && is_kept(&path, content))
        {
            self.files.insert(path.clone(), content);
        }
        self.paths.push(path);
    }
}

/// Reads the work tree: what git tracks, and what it neither tracks nor ignores. Bytes
/// that `committed` holds at the same path are shared with it.
///
/// # Errors
/// [`GitError`] if git does not list the files.
pub fn of_work_tree(repository: &Repository, committed: &Snapshot) -> Result<Snapshot, GitError> {
    let listed = files(repository.top());
    let names = listed.ok_or_else(|| GitError::Refused("no list of files".to_owned()))?;
    let mut snapshot = Snapshot::default();
    for name in names {
        let path = RepoPath::new(git_path(&name));
        let at = repository.top().join(&name);
        let content = match is_of_interest(&path) {
            true => read(&at, committed.files.get(&path)),
            false => at.symlink_metadata().ok().map(|_| Content::Unreadable),
        };
        if let Some(content) = content {
            snapshot.take(path, Some(content));
        }
    }
    Ok(snapshot)
}

/// What stands at a path of the work tree; `None` where nothing does.
fn read(at: &Path, committed: Option<&Content>) -> Option<Content> {
    Some(match read_plain(at) {
        Ok(bytes) => match committed.and_then(Content::bytes) {
            Some(same) if same[..] == bytes[..] => Content::File(Arc::clone(same)),
            Some(_) | None => Content::File(bytes.into()),
        },
        Err(Unread::NotPlain) if at.is_symlink() => Content::Link,
        Err(Unread::NotPlain) => Content::Submodule,
        Err(Unread::TooLarge) => Content::TooLarge,
        Err(Unread::Io(error)) if is_gone(&error) => return None,
        Err(Unread::Io(_)) => Content::Unreadable,
    })
}

fn is_gone(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

#[cfg(unix)]
fn git_path(name: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    name.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
fn git_path(name: &Path) -> Vec<u8> {
    name.to_string_lossy().replace('\\', "/").into_bytes()
}
