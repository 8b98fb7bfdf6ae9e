//! Paths → the reports that shards wrote: files, and what folders of artifacts hold.

use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::files::{self, Unread};

/// Largest report that is read.
pub const MAX_REPORT_BYTES: u64 = 256 * 1024 * 1024;

/// Folders below a folder that are looked into: each artifact is unpacked into its own.
const MAX_DEPTH: usize = 3;

/// The reports at a path: the file itself, or every `*.json` below the folder, sorted.
///
/// # Errors
/// What the system says of the path.
pub fn reports(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !std::fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let walk = WalkBuilder::new(path)
        .standard_filters(false)
        .follow_links(false)
        .max_depth(Some(MAX_DEPTH))
        .build();
    let mut found = Vec::new();
    for entry in walk {
        let entry = entry.map_err(|error| {
            let error = error.into_io_error();
            error.unwrap_or_else(|| io::Error::other("a loop"))
        })?;
        let is_json = entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "json");
        if is_json && entry.file_type().is_some_and(|kind| !kind.is_dir()) {
            found.push(entry.into_path());
        }
    }
    found.sort();
    Ok(found)
}

/// What a report holds.
///
/// # Errors
/// [`Unread`] says why it cannot be read.
pub fn read_report(path: &Path) -> Result<Vec<u8>, Unread> {
    files::read_up_to(path, MAX_REPORT_BYTES)
}
