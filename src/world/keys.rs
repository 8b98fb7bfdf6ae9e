//! Key files and fresh secrets: read under the same cap as any file, made by the system.

use std::io;

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
