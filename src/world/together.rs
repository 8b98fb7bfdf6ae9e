//! Files that belong together: all in their places, or all as they were.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::files::{Pending, read_plain};

/// Ends several files together, in this order: all are filled before the first is moved to
/// its place, and if one of them cannot be moved, those before it are put back as they were.
/// A run that is killed leaves the first so many of them new and the others as they were.
///
/// # Errors
/// The place that failed, and what the system says; no place has changed then.
pub fn replace_together(files: Vec<(Pending, String)>) -> Result<(), (PathBuf, io::Error)> {
    let mut filled = Vec::new();
    for (mut pending, text) in files {
        let done = pending.fill(text.as_bytes());
        done.map_err(|error| (pending.path.clone(), error))?;
        let before = read_plain(&pending.path).ok();
        let back = before.map(|bytes| kept(&pending.path, &bytes));
        filled.push((pending, back.transpose()?));
    }
    let mut moved = Vec::new();
    for (pending, back) in filled {
        let path = pending.path.clone();
        match pending.file.persist(&path) {
            Ok(_) => moved.push((path, back)),
            Err(error) => {
                moved.into_iter().for_each(put_back);
                return Err((path, error.error));
            }
        }
    }
    Ok(())
}

/// What stands at a place now, filled and ready to be put back.
fn kept(path: &Path, bytes: &[u8]) -> Result<Pending, (PathBuf, io::Error)> {
    let keep = || {
        let mut pending = Pending::begin(path)?;
        pending.fill(bytes)?;
        Ok(pending)
    };
    keep().map_err(|error| (path.to_owned(), error))
}

fn put_back((path, back): (PathBuf, Option<Pending>)) {
    // The first error is the one that is told.
    let _second = match back {
        Some(pending) => pending.file.persist(&path).map(drop).map_err(|e| e.error),
        None => fs::remove_file(&path),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::files::sweep;

    fn pending(path: &Path, text: &str) -> (Pending, String) {
        (Pending::begin(path).unwrap(), text.to_owned())
    }

    #[test]
    fn files_that_belong_together_are_all_new_or_all_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name| folder.path().join(name);
        let read = |name| read_plain(&at(name)).ok();
        pending(&at("a"), "old").0.replace(b"old").unwrap();
        let files = ["a", "b", "c"].map(|name| pending(&at(name), "new"));
        fs::create_dir(at("c")).unwrap();
        let failed = replace_together(files.into()).unwrap_err();
        assert_eq!(failed.0, at("c"));
        assert_eq!((read("a"), read("b")), (Some(b"old".to_vec()), None));

        let files = ["a", "b"].map(|name| pending(&at(name), "new"));
        replace_together(files.into()).unwrap();
        assert_eq!(
            (read("a"), read("b")),
            (Some(b"new".to_vec()), Some(b"new".to_vec()))
        );
        let names = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 3, "no temporary file stays");
    }

    #[test]
    #[cfg(unix)]
    fn only_what_no_living_run_holds_is_swept_away() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name| folder.path().join(name);
        let held = pending(&at("a"), "new");
        for name in [".lockgate-abc123", ".lockgate-notes.md", "lockgate-abc123"] {
            pending(&at(name), "").0.create(b"left").unwrap();
        }
        fs::create_dir(at(".lockgate-folder")).unwrap();
        sweep(folder.path());
        assert!(!at(".lockgate-abc123").exists());
        for name in [".lockgate-notes.md", "lockgate-abc123", ".lockgate-folder"] {
            assert!(at(name).exists(), "{name}");
        }
        held.0.replace(held.1.as_bytes()).unwrap();
        assert_eq!(read_plain(&at("a")).ok(), Some(b"new".to_vec()));
    }
}
