//! What git prints → entries, sizes, paths.

use std::path::PathBuf;

use super::{Entry, EntryKind, ObjectId};

/// `<mode> <type> <id>\t<path>`
pub(super) fn entry(line: &[u8]) -> Option<Entry> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = (line.get(..tab)?, line.get(tab + 1..)?);
    let mut words = std::str::from_utf8(head).ok()?.split(' ');
    let kind = match words.next()? {
        "100644" | "100755" | "100664" => EntryKind::File,
        "120000" => EntryKind::Link,
        "160000" => EntryKind::Submodule,
        _ => return None,
    };
    let id = ObjectId::parse(words.nth(1)?)?;
    Some(Entry {
        path: path.to_vec(),
        kind,
        id,
    })
}

/// The head of one answer of `cat-file --batch`: `<id> <type> <size>`, or `<id> missing`.
pub(super) fn size_of_blob(head: &str) -> Option<u64> {
    match head.trim_end().split(' ').collect::<Vec<_>>()[..] {
        [_, "blob", size] => size.parse().ok(),
        _ => None,
    }
}

/// A path as git stores it → as the system takes it.
#[cfg(unix)]
pub(super) fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

/// A path as git stores it → as the system takes it.
#[cfg(not(unix))]
pub(super) fn path_of(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}
