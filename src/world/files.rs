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
    /// Larger than [`MAX_BYTES`], or than the cap that was given.
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
pub fn read(path: &Path) -> Result<Vec<u8>, Unread> {
    read_up_to(path, MAX_BYTES)
}

/// Reads a file that a person named and that may be larger than any of a repository.
///
/// # Errors
/// [`Unread`] says why not.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that opens files, under a cap"
)]
pub fn read_up_to(path: &Path, cap: u64) -> Result<Vec<u8>, Unread> {
    let file = File::open(path).map_err(Unread::Io)?;
    // A hint that saves reads; the file may be longer by now, or have no length.
    let length = file.metadata().map_or(0, |known| known.len());
    read_capped(file, length, cap)
}

/// Reads standard input to its end.
///
/// # Errors
/// [`Unread`] says why not.
pub fn read_stdin() -> Result<Vec<u8>, Unread> {
    read_capped(io::stdin().lock(), 0, MAX_BYTES)
}

fn read_capped(from: impl Read, length: u64, cap: u64) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::with_capacity(length.min(cap) as usize);
    from.take(cap + 1)
        .read_to_end(&mut bytes)
        .map_err(Unread::Io)?;
    if bytes.len() as u64 > cap {
        Err(Unread::TooLarge)
    } else {
        Ok(bytes)
    }
}

/// A file that is being written beside its place, and appears there whole.
#[derive(Debug)]
pub struct Pending {
    pub(super) file: NamedTempFile,
    pub(super) path: PathBuf,
}

impl Pending {
    /// Begins: fails now if the place cannot be written, before any work is done.
    ///
    /// # Errors
    /// What the system says about the folder.
    pub fn begin(path: &Path) -> io::Result<Self> {
        // What is moved to the place would stand there instead of a device or a link.
        match fs::symlink_metadata(path).map(|known| known.file_type()) {
            Ok(kind) if kind.is_dir() => return Err(io::Error::other("it is a folder")),
            Ok(kind) if !kind.is_file() => {
                return Err(io::Error::other("it is a link or no plain file"));
            }
            Ok(_) | Err(_) => {}
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
        hold(file.as_file());
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

    pub(super) fn fill(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.file.write_all(bytes);
        // The system's word alone, as in `begin`.
        written.map_err(|error| io::Error::from(error.kind()))?;
        self.file.as_file().sync_all()
    }
}

/// How the temporary files beside a place are called.
const BESIDE: &str = ".lockgate-";
/// How many characters follow that.
const RANDOM: usize = 6;

/// Takes away the temporary files in a folder that no living run holds: what a run that was
/// killed has left there. What cannot be taken away stays.
pub fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let rest = name.to_str().and_then(|name| name.strip_prefix(BESIDE));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && rest.is_some_and(|rest| rest.len() == RANDOM) && is_left(&entry.path()) {
            let _stays = fs::remove_file(entry.path());
        }
    }
}

/// Says to every other run that this file is in use, for as long as it is open.
#[cfg(unix)]
fn hold(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

#[cfg(not(unix))]
fn hold(_file: &File) -> bool {
    false
}

fn is_left(path: &Path) -> bool {
    File::options()
        .read(true)
        .open(path)
        .is_ok_and(|file| hold(&file))
}

/// Files get the mode that any program's new file gets, not a temporary file's.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(BESIDE).rand_bytes(RANDOM);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}
