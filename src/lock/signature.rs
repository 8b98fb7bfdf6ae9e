//! The signatures that stand in a lockfile: decoded, not yet believed (design §2).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Digest;
use super::fault::LockfileFault;
use super::members::Members;

/// Most entries of `signatures`.
pub(super) const MAX_SIGNATURES: usize = 16;

/// A signature that stands in a lockfile, or beside a trust file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockfileSignature {
    /// The hint beside it: SHA-256 of the public key.
    pub key_id: Option<Digest>,
    /// The 64 bytes.
    pub bytes: [u8; 64],
}

/// Reads `signature` and `signatures`.
pub(super) fn read_signatures(root: &Members<'_>) -> Result<Vec<LockfileSignature>, LockfileFault> {
    let mut signatures = Vec::new();
    if root.text_or_null("signature")?.is_some() {
        signatures.push(LockfileSignature {
            key_id: None,
            bytes: read_bytes(root)?,
        });
    }
    if root.find("signatures").is_none() {
        return Ok(signatures);
    }
    let more = root.each("signatures")?;
    if more.len() > MAX_SIGNATURES {
        return Err(root.shape("signatures", "an array of at most 16 signatures"));
    }
    for entry in more {
        signatures.push(LockfileSignature {
            key_id: Some(entry.digest("key_id")?),
            bytes: read_bytes(&entry)?,
        });
    }
    Ok(signatures)
}

fn read_bytes(at: &Members<'_>) -> Result<[u8; 64], LockfileFault> {
    let text = at.text("signature")?;
    signature_bytes(text.as_arrived()).ok_or_else(|| {
        at.shape(
            "signature",
            "the base64 of a signature's 64 bytes (88 characters)",
        )
    })
}

/// The bytes of a signature in standard base64 with padding, 88 characters.
pub(crate) fn signature_bytes(text: &str) -> Option<[u8; 64]> {
    STANDARD.decode(text).ok()?.try_into().ok()
}
