//! Files: read whole under a cap, written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Largest file that is read (design §2).
pub const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Why a file was not read.
#[derive(Debug)]
pub enum Unread {
    /// A symbolic link, a folder, a device: no plain file.
    NotPlain,
    /// Larger than [`MAX_BYTES`].
    TooLarge,
    /// The system refused.
    Io(io::Error),
}

/// Reads a file of the repository: a plain one, not a link to one.
///
/// # Errors
/// [`Unread`] says why not.
pub fn read_plain(path: &Path) -> Result<Vec<u8>, Unread> {
    let kind = fs::symlink_metadata(path).map_err(Unread::Io)?.file_type();
    if kind.is_file() {
        read(path)
    } else {
        Err(Unread::NotPlain)
    }
}

/// Reads a file that a person named; a link is followed.
///
/// # Errors
/// [`Unread`] says why not.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that opens files, under a cap"
)]
pub fn read(path: &Path) -> Result<Vec<u8>, Unread> {
    let file = File::open(path).map_err(Unread::Io)?;
    // A hint that saves reads; the file may be longer by now, or have no length.
    let length = file.metadata().map_or(0, |known| known.len());
    read_capped(file, length)
}

/// Reads standard input to its end.
///
/// # Errors
/// [`Unread`] says why not.
pub fn read_stdin() -> Result<Vec<u8>, Unread> {
    read_capped(io::stdin().lock(), 0)
}

fn read_capped(from: impl Read, length: u64) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::with_capacity(length.min(MAX_BYTES) as usize);
    from.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(Unread::Io)?;
    if bytes.len() as u64 > MAX_BYTES {
        Err(Unread::TooLarge)
    } else {
        Ok(bytes)
    }
}

/// A file that is being written beside its place, and appears there whole.
#[derive(Debug)]
pub struct Pending {
    file: NamedTempFile,
    path: PathBuf,
}

impl Pending {
    /// Begins: fails now if the place cannot be written, before any work is done.
    ///
    /// # Errors
    /// What the system says about the folder.
    pub fn begin(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(io::Error::other("its folder does not exist"));
        }
        // The system's word alone: the name of the temporary file is nobody's business.
        let file = builder()
            .tempfile_in(folder)
            .map_err(|error| io::Error::from(error.kind()))?;
        let path = path.to_owned();
        Ok(Pending { file, path })
    }

    /// Begins a file that only its owner may read: a secret.
    ///
    /// # Errors
    /// As [`Pending::begin`].
    pub fn begin_secret(path: &Path) -> io::Result<Self> {
        let pending = Pending::begin(path)?;
        #[cfg(unix)]
        pending
            .file
            .as_file()
            .set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        Ok(pending)
    }

    /// Ends: the file stands at its place with `bytes` in it, whatever stood there before.
    ///
    /// # Errors
    /// What the system says; the place is untouched then.
    pub fn replace(mut self, bytes: &[u8]) -> io::Result<()> {
        self.fill(bytes)?;
        self.file
            .persist(&self.path)
            .map(drop)
            .map_err(|error| error.error)
    }

    /// Ends as [`Pending::replace`], but never over a file that is there.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`], or what the system says; the place is untouched.
    pub fn create(mut self, bytes: &[u8]) -> io::Result<()> {
        self.fill(bytes)?;
        self.file
            .persist_noclobber(&self.path)
            .map(drop)
            .map_err(|error| error.error)
    }

    fn fill(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.as_file().sync_all()
    }
}

/// Ends several files together: all are filled before the first is moved to its place,
/// and if one of them cannot be moved, those before it are put back as they were.
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

/// Files get the mode that any program's new file gets, not a temporary file's.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".lockgate-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
