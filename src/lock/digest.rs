//! SHA-256 digests: 32 bytes that are spelled as 64 lower-case hex digits, never a string.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Digest::of_hasher(Sha256::new_with_prefix(bytes))
    }

    pub(super) fn of_hasher(hasher: Sha256) -> Self {
        Digest(hasher.finalize().into())
    }

    /// The 64 hex digits, as ASCII.
    fn hex_digits(&self) -> [u8; 64] {
        const DIGITS: [u8; 16] = *b"0123456789abcdef";
        let digit = |half: u8| DIGITS.get(usize::from(half)).copied().unwrap_or_default();
        let mut digits = [0; 64];
        for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *pair = [digit(byte >> 4), digit(byte & 0xf)];
        }
        digits
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.hex_digits()).unwrap_or_default())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// The text is not a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 64 lower-case hexadecimal digits")]
pub struct NotADigest;

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if !rest.is_empty() || pairs.len() != 32 {
            return Err(NotADigest);
        }
        let mut bytes = [0; 32];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = hex_digit(*high)? << 4 | hex_digit(*low)?;
        }
        Ok(Digest(bytes))
    }
}

fn hex_digit(digit: u8) -> Result<u8, NotADigest> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(NotADigest),
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// `tools_sha256` of a list of tool digests in any order (Lockfile v1, Hashing 3): sorted
/// hex digests joined with a line feed, none at the end. No tools: the digest of nothing.
pub fn tools_sha256(digests: impl IntoIterator<Item = Digest>) -> Digest {
    let mut sorted: Vec<Digest> = digests.into_iter().collect();
    sorted.sort_unstable();
    let mut joined = Vec::with_capacity(sorted.len() * 65);
    for digest in sorted {
        joined.extend(digest.hex_digits());
        joined.push(b'\n');
    }
    joined.pop();
    Digest::of(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_64_lower_case_hex_digits_and_nothing_else() {
        let spelled = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of("").to_string(), spelled);
        assert_eq!(spelled.parse(), Ok(Digest::of("")));
        for wrong in [
            "",
            &spelled[1..],
            &spelled.to_uppercase(),
            &format!("{spelled}0"),
            &spelled.replace('e', "é"),
        ] {
            assert_eq!(wrong.parse::<Digest>(), Err(NotADigest), "{wrong}");
        }
    }
}
