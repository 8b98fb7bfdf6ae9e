//! What a signature is over: one scheme a key, never tried in turn (design §2).

use serde::Deserialize;

use crate::lock::Digest;

/// The DSSE payload type of a lockfile.
pub const LOCKFILE_TYPE: &str = "application/vnd.crawlcheck.mcp-lock+json";

/// The DSSE payload type of a change of the trust file.
pub const TRUST_TYPE: &str = "application/vnd.lockgate.trust+json";

/// How a trusted key signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Over the DSSE pre-authentication encoding of type and canonical form.
    #[default]
    Dsse,
    /// Over the canonical form.
    Canonical,
    /// Over the 64 hex digits of the seal.
    SealHex,
    /// Over the 32 bytes of the seal.
    SealBytes,
}

impl Scheme {
    /// The bytes that a signature of a lockfile is over; `sealed` is its canonical form
    /// without `sha256`, `signature` and `signatures`.
    pub fn message(self, sealed: &str) -> Vec<u8> {
        match self {
            Scheme::Dsse => pae(LOCKFILE_TYPE, sealed),
            Scheme::Canonical => sealed.as_bytes().to_vec(),
            Scheme::SealHex => Digest::of(sealed).to_string().into_bytes(),
            Scheme::SealBytes => Digest::of(sealed).as_bytes().to_vec(),
        }
    }
}

/// The pre-authentication encoding of DSSE 1.0: type and body, each with its length.
pub fn pae(payload_type: &str, body: &str) -> Vec<u8> {
    format!(
        "DSSEv1 {} {payload_type} {} {body}",
        payload_type.len(),
        body.len()
    )
    .into_bytes()
}
