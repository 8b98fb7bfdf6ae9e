//! Text → [`PublicKey`], and what the trust file says of it.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};
use jiff::Timestamp;
use serde::Deserialize;

use super::Scheme;
use crate::lock::Digest;
use crate::untrusted::Untrusted;

/// An Ed25519 public key that is not weak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

/// Why a text is no key that can be trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadKey {
    /// Neither an `ssh-ed25519` line, nor PEM, nor base64 of 32 bytes.
    Unreadable,
    /// A private key, which is none any more once it stands in a repository.
    Private,
    /// A key of another kind; which.
    OtherKind(Untrusted),
    /// A point that is none or is spelled in another than its one way, or one of small
    /// order, for which anybody can sign.
    Weak,
}

impl fmt::Display for BadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadKey::Unreadable => {
                f.write_str("neither an `ssh-ed25519 …` line, nor PEM, nor base64 of 32 bytes")
            }
            BadKey::Private => f.write_str("a private key, and it belongs in no repository"),
            BadKey::OtherKind(kind) => write!(
                f,
                "a key of the kind `{}`, and only Ed25519 is trusted",
                kind.in_terminal()
            ),
            BadKey::Weak => f.write_str("a weak key, for which anybody can sign"),
        }
    }
}

impl std::error::Error for BadKey {}

/// An Ed25519 key as PEM puts it: the algorithm, then the 32 bytes (RFC 8410 §4).
const SPKI_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];
/// An Ed25519 key as OpenSSH puts it: length and name of the algorithm, length of the key.
const SSH_PREFIX: [u8; 19] = *b"\0\0\0\x0bssh-ed25519\0\0\0\x20";

impl PublicKey {
    /// Reads `ssh-ed25519 AAAA… [comment]`, PEM (`BEGIN PUBLIC KEY`), or base64 of the 32
    /// bytes.
    ///
    /// # Errors
    /// [`BadKey`] says why the key cannot be trusted.
    pub fn parse(text: &str) -> Result<Self, BadKey> {
        let text = text.trim();
        if let Some(body) = text.strip_prefix("-----BEGIN PUBLIC KEY-----") {
            let body = body
                .strip_suffix("-----END PUBLIC KEY-----")
                .ok_or(BadKey::Unreadable)?;
            let der = decode(&body.split_ascii_whitespace().collect::<String>())?;
            return PublicKey::after_prefix(&der, &SPKI_PREFIX);
        }
        if text.contains("PRIVATE KEY-----") {
            return Err(BadKey::Private);
        }
        let mut words = text.split_ascii_whitespace();
        match (words.next(), words.next()) {
            (Some("ssh-ed25519"), Some(blob)) => {
                PublicKey::after_prefix(&decode(blob)?, &SSH_PREFIX)
            }
            (Some(kind), Some(blob)) if blob.starts_with("AAAA") => {
                Err(BadKey::OtherKind(Untrusted::new(kind)))
            }
            (Some(bytes), None) => PublicKey::of_bytes(&decode(bytes)?),
            (Some(_), Some(_)) | (None, _) => Err(BadKey::Unreadable),
        }
    }

    /// Takes the 32 bytes of a key.
    ///
    /// # Errors
    /// [`BadKey`] if they are not 32, or the point is weak.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, BadKey> {
        let bytes = bytes.try_into().map_err(|_| BadKey::Unreadable)?;
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| BadKey::Weak)?;
        if key.is_weak() || !is_canonical(bytes) {
            Err(BadKey::Weak)
        } else {
            Ok(PublicKey(key))
        }
    }

    fn after_prefix(bytes: &[u8], prefix: &[u8]) -> Result<Self, BadKey> {
        PublicKey::of_bytes(bytes.strip_prefix(prefix).ok_or(BadKey::Unreadable)?)
    }

    /// `key_id`: SHA-256 of the 32 bytes; a hint, never a decision.
    pub fn id(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Does this key verify `signature` over `message`, strictly?
    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.0
            .verify_strict(message, &Signature::from_bytes(signature))
            .is_ok()
    }

    /// As an `ssh-ed25519` line, without a comment.
    pub fn ssh_line(&self) -> String {
        format!("ssh-ed25519 {}", STANDARD.encode(self.ssh_blob()))
    }

    /// As OpenSSH puts it in an agent's messages.
    pub(super) fn ssh_blob(&self) -> Vec<u8> {
        [&SSH_PREFIX[..], &self.0.as_bytes()[..]].concat()
    }
}

/// Is the point spelled in its one way: is y less than the field's prime, 2^255 - 19
/// (RFC 8032 §5.1.3)? The library takes both.
fn is_canonical([first, middle @ .., last]: &[u8; 32]) -> bool {
    *first < 0xed || last & 0x7f != 0x7f || middle.iter().any(|byte| *byte != 0xff)
}

fn decode(text: &str) -> Result<Vec<u8>, BadKey> {
    STANDARD.decode(text).map_err(|_| BadKey::Unreadable)
}

/// What a key's holder is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A person: their signature is an approval.
    Approver,
    /// A service: its signature is evidence, never an approval.
    Issuer,
}

/// Where a key stands in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyState {
    /// In use.
    #[default]
    Active,
    /// No longer used; what it approved up to its end stands.
    Retired,
    /// In the wrong hands: nothing it signed stands.
    Compromised,
}

/// A key that the trust file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedKey {
    /// Whose it is; one person may have several keys.
    pub name: String,
    /// What its holder is to us.
    pub role: Role,
    /// The key.
    pub key: PublicKey,
    /// How it signs.
    pub scheme: Scheme,
    /// Where it stands in its life.
    pub state: KeyState,
    /// The last moment at which it may sign; `None`: no end.
    pub not_after: Option<Timestamp>,
}

impl TrustedKey {
    /// May its holder sign something new now?
    pub fn may_sign(&self, now: Timestamp) -> bool {
        self.state == KeyState::Active && self.not_after.is_none_or(|end| now <= end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOB: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
    const SPKI: &str = "MCowBQYDK2VwAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=";

    fn check(text: &str, expect: Result<(), BadKey>) {
        assert_eq!(PublicKey::parse(text).map(|_| ()), expect, "{text}");
    }

    #[test]
    fn rows() {
        let other = |kind: &str| Err(BadKey::OtherKind(Untrusted::new(kind)));
        let pem = |kind, body| format!("-----BEGIN {kind}-----\r\n{body}\r\n-----END {kind}-----");
        check(&format!("ssh-ed25519 {BLOB}"), Ok(()));
        check(
            &format!("  ssh-ed25519\t{BLOB} alice@laptop of hers\n"),
            Ok(()),
        );
        check(&pem("PUBLIC KEY", SPKI), Ok(()));
        check("A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=", Ok(()));
        check("ssh-rsa AAAAB3NzaC1yc2E=", other("ssh-rsa"));
        check(
            "sk-ssh-ed25519@openssh.com AAAAGnNr",
            other("sk-ssh-ed25519@openssh.com"),
        );
        check(&pem("OPENSSH PRIVATE KEY", BLOB), Err(BadKey::Private));
        check(&pem("PRIVATE KEY", SPKI), Err(BadKey::Private));
        for text in [
            "",
            "alice",
            BLOB,
            &format!("restrict ssh-ed25519 {BLOB}"),
            &format!("ssh-ed25519 {BLOB}AAAA"),
            &format!("ssh-ed25519 {}", &BLOB[..40]),
            &pem("PUBLIC KEY", BLOB),
            &pem("EC PUBLIC KEY", SPKI),
            "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg",
        ] {
            check(text, Err(BadKey::Unreadable));
        }
    }
}
