//! Two trust files → what is signed of the step from one to the other, and its signatures.
//!
//! Obeys design §4: `{previous, signatures: [{key_id, signature}]}`, each signature over
//! the pre-authentication encoding of `{previous, next}`: no rollback, no replay.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::{PublicKey, TRUST_TYPE, pae};
use crate::json::{self, Value};
use crate::lock::{Digest, LockfileSignature};

/// The step from one trust file to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TrustStep {
    /// SHA-256 of base's blob.
    pub previous: Digest,
    /// SHA-256 of the new file's blob.
    pub next: Digest,
}

/// Signatures of a step, as they stand beside the trust file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustSignatures {
    /// The `previous` they say they are for.
    pub previous: Digest,
    /// The signatures, none of them believed yet.
    pub signatures: Vec<LockfileSignature>,
}

#[derive(Serialize)]
struct Written {
    previous: Digest,
    signatures: Vec<WrittenSignature>,
}

#[derive(Serialize)]
struct WrittenSignature {
    key_id: Option<Digest>,
    signature: String,
}

impl TrustStep {
    /// The step between two texts.
    pub fn between(previous: &[u8], next: &[u8]) -> Self {
        TrustStep {
            previous: Digest::of(previous),
            next: Digest::of(next),
        }
    }

    /// The bytes that a signature of it is over.
    pub fn message(&self) -> Vec<u8> {
        let (previous, next) = (self.previous, self.next);
        // Both are hex digits, so this is the canonical form.
        let body = format!("{{\"next\":\"{next}\",\"previous\":\"{previous}\"}}");
        pae(TRUST_TYPE, &body)
    }

    /// Does that key verify that signature of it?
    pub fn is_signed(&self, key: &PublicKey, signature: &LockfileSignature) -> bool {
        key.verifies(&self.message(), &signature.bytes)
    }
}

impl TrustSignatures {
    /// Reads the file beside the trust file; `None` if it is none.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let document = json::read(bytes).ok()?;
        let digest = |value: Option<&Value<'_>>| value?.as_str()?.parse().ok();
        let read = |entry: &Value<'_>| {
            let spelled = entry.member("signature")?.as_str()?;
            Some(LockfileSignature {
                key_id: Some(digest(entry.member("key_id"))?),
                bytes: STANDARD.decode(spelled).ok()?.try_into().ok()?,
            })
        };
        let signatures = document.root.member("signatures")?.as_array()?;
        Some(TrustSignatures {
            previous: digest(document.root.member("previous"))?,
            signatures: signatures.iter().map(read).collect::<Option<_>>()?,
        })
    }

    /// The text of that file.
    pub fn text(&self) -> String {
        let written = |one: &LockfileSignature| WrittenSignature {
            key_id: one.key_id,
            signature: STANDARD.encode(one.bytes),
        };
        json::print(&Written {
            previous: self.previous,
            signatures: self.signatures.iter().map(written).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::SigningKey;

    #[test]
    fn what_is_signed_is_the_canonical_form_of_the_step() {
        let step = TrustStep::between(b"one", b"two");
        let canonical = json::canonical_of(&step).unwrap();
        assert_eq!(step.message(), pae(TRUST_TYPE, &canonical));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let key = SigningKey::of_secret(&[5; 32]);
        let public = key.public().unwrap();
        let step = TrustStep::between(b"one", b"two");
        let signature = LockfileSignature {
            key_id: Some(public.id()),
            bytes: key.sign(&step.message()),
        };
        let signatures = TrustSignatures {
            previous: step.previous,
            signatures: vec![signature],
        };
        let read = TrustSignatures::parse(signatures.text().as_bytes()).unwrap();
        assert_eq!(read, signatures);
        assert!(step.is_signed(&public, &read.signatures[0]));
        let other = TrustStep::between(b"one", b"three");
        assert!(!other.is_signed(&public, &read.signatures[0]));
        assert_eq!(TrustSignatures::parse(b"{}"), None);
    }
}
