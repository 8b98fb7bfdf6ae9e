//! Key files and fresh secrets: read under the same cap as any file, made by the system.

use std::io;
use std::path::Path;

use zeroize::Zeroizing;

/// 32 bytes that nobody can guess.
///
/// # Errors
/// What the system says.
pub fn fresh_secret() -> io::Result<Zeroizing<[u8; 32]>> {
    let mut secret = Zeroizing::new([0; 32]);
    getrandom::fill(&mut *secret).map_err(io::Error::other)?;
    Ok(secret)
}

/// The mode of a file that others than its owner may read or write; a link is followed.
#[cfg(unix)]
pub fn open_to_others(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let known = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    (known.mode() & 0o077 != 0).then_some(known.mode() & 0o777)
}

/// Modes are not known on this system.
#[cfg(not(unix))]
pub fn open_to_others(_path: &Path) -> Option<u32> {
    None
}
