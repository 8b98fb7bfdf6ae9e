//! Paths → the files below them that may be lockfiles.
//!
//! Obeys design §2 (Discovery): in a git repository what git knows of, hidden and ignored
//! but tracked files included; elsewhere a plain walk. Whether a file is a lockfile is
//! not decided here.

use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::files::{self, Unread};
use super::git;
use crate::lock::{Claim, claim, may_hold_kind};

/// A file that may be a lockfile.
#[derive(Debug)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// What its name claims, or that a person named it.
    pub claim: Claim,
    /// What it holds.
    pub bytes: Result<Vec<u8>, Unread>,
}

/// Every file that may be a lockfile: those named, and those below the folders named.
/// Sorted by path, each once.
///
/// # Errors
/// The path that does not exist or cannot be walked, and what the system says.
pub fn discover(paths: &[PathBuf]) -> Result<Vec<Found>, (PathBuf, io::Error)> {
    let mut found = Vec::new();
    for path in paths {
        let kind = std::fs::symlink_metadata(path).map_err(|error| (path.clone(), error))?;
        if kind.is_dir() {
            found.extend(below(path).map_err(|error| (path.clone(), error))?);
        } else {
            found.push(Found {
                path: path.clone(),
                claim: Claim::Lockfile,
                bytes: files::read_plain(path),
            });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found.dedup_by(|later, first| later.path == first.path);
    Ok(found)
}

fn below(folder: &Path) -> io::Result<Vec<Found>> {
    let names = match git::files(folder) {
        Some(names) => names,
        None => walk(folder)?,
    };
    Ok(names
        .into_iter()
        .filter_map(|name| candidate(folder, &name))
        .collect())
}

fn candidate(folder: &Path, name: &Path) -> Option<Found> {
    let claim = claim(&name.to_string_lossy())?;
    let path = if folder == Path::new(".") {
        name.to_owned()
    } else {
        folder.join(name)
    };
    let bytes = files::read_plain(&path);
    let is_one = match (&bytes, claim) {
        // Tracked, and deleted in the work tree: there is nothing to check here.
        (Err(Unread::Io(error)), _) if error.kind() == io::ErrorKind::NotFound => false,
        (_, Claim::Lockfile) => true,
        (Ok(bytes), Claim::AnyJson) => may_hold_kind(bytes),
        // Only what is small enough and a plain file can be a lockfile under another name.
        (Err(Unread::TooLarge | Unread::NotPlain), Claim::AnyJson) => false,
        (Err(Unread::Io(_)), Claim::AnyJson) => true,
    };
    is_one.then_some(Found { path, claim, bytes })
}

fn walk(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let walk = WalkBuilder::new(folder)
        .standard_filters(false)
        .follow_links(false)
        .build();
    let mut names = Vec::new();
    for entry in walk {
        let entry = entry.map_err(|error| {
            error
                .into_io_error()
                .unwrap_or_else(|| io::Error::other("a loop"))
        })?;
        if let Ok(name) = entry.path().strip_prefix(folder)
            && entry.file_type().is_some_and(|kind| !kind.is_dir())
        {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}
