//! What git prints → entries, blobs, paths.

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

/// One answer of `cat-file --batch`: `<id> <type> <size>\n<bytes>\n`, or `<id> missing\n`.
pub(super) fn blob(rest: &mut &[u8]) -> Option<Option<Vec<u8>>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(rest.get(..end)?).ok()?;
    let after = rest.get(end + 1..)?;
    let size = match head.split(' ').collect::<Vec<_>>()[..] {
        [_, "blob", size] => size.parse::<usize>().ok()?,
        _ => {
            *rest = after;
            return Some(None);
        }
    };
    *rest = after.get(size + 1..)?;
    Some(Some(after.get(..size)?.to_vec()))
}

#[cfg(unix)]
pub(super) fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
pub(super) fn path_of(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}
