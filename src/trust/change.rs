//! A change of the trust file and `.github/lockgate.toml.sig` → the people who approved it.
//!
//! Obeys design §4 (Change of the file): signed is the step from one blob to the next, so
//! a signature permits neither a step back nor the same step in another repository.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::approvals::{Newness, Scales, Verifier};
use super::{ChangeFault, PublicKey, Scheme, TRUST_TYPE, TrustFile, pae};
use crate::json::{self, Lines, Member, Value};
use crate::lock::{Digest, LockfileSignature, signature_bytes};

/// Where the signatures of a change of the trust file stand.
pub const TRUST_SIGNATURE_FILE: &str = ".github/lockgate.toml.sig";

const MAX_BYTES: usize = 64 * 1024;
const MAX_SIGNATURES: usize = 16;

/// A step from base's trust file to the next one, by the SHA-256 of their blobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustStep {
    /// Base's file.
    pub previous: Digest,
    /// The file that takes its place.
    pub next: Digest,
}

impl TrustStep {
    /// The step between two blobs.
    pub fn between(previous: &[u8], next: &[u8]) -> Self {
        TrustStep {
            previous: Digest::of(previous),
            next: Digest::of(next),
        }
    }

    /// What is signed of it: the pre-authentication encoding of the canonical form of
    /// `{previous, next}`.
    pub fn message(&self) -> Vec<u8> {
        let (previous, next) = (self.previous, self.next);
        pae(
            TRUST_TYPE,
            &format!(r#"{{"next":"{next}","previous":"{previous}"}}"#),
        )
    }

    /// Does that key verify that signature of it?
    pub fn is_signed(&self, key: &PublicKey, signature: &LockfileSignature) -> bool {
        key.verifies(&self.message(), &signature.bytes)
    }
}

/// `.github/lockgate.toml.sig`: decoded, not yet believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustSignature {
    /// SHA-256 of the trust file that is left.
    pub previous: Digest,
    /// Who says yes.
    pub signatures: Vec<LockfileSignature>,
}

impl TrustSignature {
    /// Reads `{previous, signatures: [{key_id, signature}]}` and nothing else.
    ///
    /// # Errors
    /// [`ChangeFault`] names the line and what is due there.
    pub fn parse(bytes: &[u8]) -> Result<Self, ChangeFault> {
        if bytes.len() > MAX_BYTES {
            return Err(ChangeFault::TooLarge);
        }
        let lines = Lines::of(bytes);
        let document = json::read(bytes).map_err(|error| ChangeFault::Json {
            line: lines.line(error.at),
            error,
        })?;
        read_root(&document.root).map_err(|(at, due)| ChangeFault::Shape {
            line: lines.line(at),
            due,
        })
    }

    /// The approvers of base who signed this step: at least as many as base demands.
    ///
    /// # Errors
    /// [`ChangeFault`] if it was signed for another base, or by too few.
    pub fn verify(
        &self,
        change: TrustStep,
        base: &TrustFile,
        now: Timestamp,
    ) -> Result<BTreeSet<String>, ChangeFault> {
        if self.previous != change.previous {
            return Err(ChangeFault::OtherBase {
                signed: self.previous,
                base: change.previous,
            });
        }
        let message = |_: Scheme| change.message();
        let verifier = Verifier::new(&base.keys, message);
        let approvals = Scales::new(&base.keys, now, Newness::New)
            .weigh(&self.signatures, |signature| {
                verifier.signer(signature, None)
            });
        let suffice = approvals.suffice(base.policy.approvals);
        let approvers = approvals.approvers.into_keys().collect();
        if suffice {
            return Ok(approvers);
        }
        Err(ChangeFault::TooFew {
            approvers,
            needed: base.policy.approvals.max(1),
            faults: approvals.faults,
        })
    }
}

impl Serialize for TrustSignature {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Entry {
            key_id: Option<Digest>,
            signature: String,
        }
        let entry = |one: &LockfileSignature| Entry {
            key_id: one.key_id,
            signature: STANDARD.encode(one.bytes),
        };
        let entries: Vec<Entry> = self.signatures.iter().map(entry).collect();
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("previous", &self.previous)?;
        map.serialize_entry("signatures", &entries)?;
        map.end()
    }
}

/// Where something else stands than is due, and what is due.
type Stray = (usize, &'static str);

fn read_root(root: &Value<'_>) -> Result<TrustSignature, Stray> {
    let due = "an object with `previous` and `signatures`, and nothing else";
    let (previous, signatures) = pair(root, ["previous", "signatures"], (0, due))?;
    let due = "an array of at most 16 signatures";
    let entries = signatures.value.as_array();
    let entries = entries
        .filter(|entries| entries.len() <= MAX_SIGNATURES)
        .ok_or((signatures.at, due))?;
    Ok(TrustSignature {
        previous: digest(previous)?,
        signatures: entries
            .iter()
            .map(|entry| read_signature(entry, signatures.at))
            .collect::<Result<_, _>>()?,
    })
}

fn read_signature(entry: &Value<'_>, at: usize) -> Result<LockfileSignature, Stray> {
    let due = "an object with `key_id` and `signature`, and nothing else";
    let (key_id, signature) = pair(entry, ["key_id", "signature"], (at, due))?;
    let due = "the base64 of a signature's 64 bytes (88 characters)";
    let bytes = signature.value.as_str().and_then(signature_bytes);
    Ok(LockfileSignature {
        key_id: Some(digest(key_id)?),
        bytes: bytes.ok_or((signature.at, due))?,
    })
}

/// The members of an object that has these two and no other.
fn pair<'v>(
    value: &'v Value<'v>,
    [first, second]: [&str; 2],
    stray: Stray,
) -> Result<(&'v Member<'v>, &'v Member<'v>), Stray> {
    let object = value.as_object().filter(|object| object.len() == 2);
    object
        .and_then(|object| object.member(first).zip(object.member(second)))
        .ok_or(stray)
}

fn digest(member: &Member<'_>) -> Result<Digest, Stray> {
    let due = "a digest of 64 lower-case hexadecimal digits";
    let digest = member.value.as_str().and_then(|text| text.parse().ok());
    digest.ok_or((member.at, due))
}
