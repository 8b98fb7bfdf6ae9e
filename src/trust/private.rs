//! Text → [`PrivateKey`]: PKCS#8 PEM or an OpenSSH private key file, or why it is none.
//!
//! Obeys design §4 (approvers sign with what they have). A file of another kind is named,
//! with the way to one that would do.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ssh_key::private::KeypairData;
use zeroize::Zeroizing;

use super::sign::PKCS8_V1;
use super::ssh::{ED25519, Fields};
use super::{PublicKey, SigningKey};
use crate::untrusted::Untrusted;

/// PKCS#8 v2 up to the 32 secret bytes, and between them and the public key (RFC 5958).
const PKCS8_V2: [u8; 16] = [
    0x30, 0x51, 0x02, 0x01, 0x01, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];
const PKCS8_V2_PUBLIC: [u8; 3] = [0x81, 0x21, 0x00];
/// How an OpenSSH private key begins.
const OPENSSH_MAGIC: &[u8] = b"openssh-key-v1\0";

/// What a key file holds.
#[derive(Debug)]
pub enum PrivateKey {
    /// A key that can sign.
    Open(SigningKey),
    /// A key under a passphrase.
    Locked(LockedKey),
    /// The public half of a key that an agent may hold.
    PublicOnly(PublicKey),
}

/// An OpenSSH private key under a passphrase.
#[derive(Debug)]
pub struct LockedKey {
    key: Box<ssh_key::PrivateKey>,
    public: PublicKey,
}

/// Why a file is no key that can sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadPrivateKey {
    /// No key at all.
    Unreadable,
    /// A key of another kind; which.
    OtherKind(Untrusted),
    /// A key in a FIDO authenticator.
    Hardware,
    /// PKCS#8 under a passphrase.
    EncryptedPem,
    /// The public half in it is not that of the secret, or is weak.
    Mismatch,
}

impl fmt::Display for BadPrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadPrivateKey::Unreadable => {
                f.write_str("neither an OpenSSH private key nor PKCS#8 PEM")
            }
            BadPrivateKey::OtherKind(kind) => write!(
                f,
                "a key of the kind `{}`, and only Ed25519 signs lockfiles",
                kind.in_terminal()
            ),
            BadPrivateKey::Hardware => f.write_str(
                "a security key (`sk-…`): it signs a counter along with the message, which is no plain Ed25519 signature",
            ),
            BadPrivateKey::EncryptedPem => f.write_str("PEM under a passphrase, which is not read"),
            BadPrivateKey::Mismatch => f.write_str("a key whose two halves do not belong together"),
        }
    }
}

impl std::error::Error for BadPrivateKey {}

impl BadPrivateKey {
    /// The way out.
    pub fn hint(&self) -> &'static str {
        match self {
            BadPrivateKey::Unreadable
            | BadPrivateKey::OtherKind(_)
            | BadPrivateKey::Hardware
            | BadPrivateKey::Mismatch => {
                "make a key that would do: `ssh-keygen -t ed25519`, or `lockgate keygen`"
            }
            BadPrivateKey::EncryptedPem => {
                "use an OpenSSH key, whose passphrase is asked for: `ssh-keygen -t ed25519`"
            }
        }
    }
}

impl PrivateKey {
    /// Reads a key file.
    ///
    /// # Errors
    /// [`BadPrivateKey`] says why it cannot sign.
    pub fn parse(text: &str) -> Result<Self, BadPrivateKey> {
        let text = text.trim();
        if let Some(body) = pem_body(text, "PRIVATE KEY") {
            return pkcs8(&decode(body)?).map(PrivateKey::Open);
        }
        if pem_body(text, "OPENSSH PRIVATE KEY").is_some() {
            return openssh(text);
        }
        if pem_body(text, "ENCRYPTED PRIVATE KEY").is_some() {
            return Err(BadPrivateKey::EncryptedPem);
        }
        for kind in ["RSA", "EC", "DSA"] {
            if pem_body(text, &format!("{kind} PRIVATE KEY")).is_some() {
                return Err(BadPrivateKey::OtherKind(kind.into()));
            }
        }
        public_only(text)
    }

    /// The public half.
    pub fn public(&self) -> Option<PublicKey> {
        match self {
            PrivateKey::Open(key) => key.public(),
            PrivateKey::Locked(key) => Some(key.public),
            PrivateKey::PublicOnly(key) => Some(*key),
        }
    }
}

impl LockedKey {
    /// The key, by its passphrase; `None` if that is another one.
    pub fn unlock(&self, passphrase: &str) -> Option<SigningKey> {
        let open = self.key.decrypt(passphrase).ok()?;
        signing(&open)
            .ok()
            .filter(|key| key.public() == Some(self.public))
    }
}

fn pem_body<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    text.strip_prefix(&format!("-----BEGIN {label}-----"))?
        .strip_suffix(&format!("-----END {label}-----"))
}

fn decode(body: &str) -> Result<Zeroizing<Vec<u8>>, BadPrivateKey> {
    let body = Zeroizing::new(body.split_ascii_whitespace().collect::<String>());
    let bytes = STANDARD.decode(&*body);
    bytes
        .map(Zeroizing::new)
        .map_err(|_| BadPrivateKey::Unreadable)
}

/// PKCS#8 of either version; the algorithm of any other key is looked for and named.
fn pkcs8(der: &[u8]) -> Result<SigningKey, BadPrivateKey> {
    if let Some(Ok(secret)) = der.strip_prefix(&PKCS8_V1).map(<&[u8; 32]>::try_from) {
        return Ok(SigningKey::of_secret(secret));
    }
    if let Some((secret, rest)) = der
        .strip_prefix(&PKCS8_V2)
        .and_then(|rest| rest.split_first_chunk::<32>())
    {
        let key = SigningKey::of_secret(secret);
        let public = rest.strip_prefix(&PKCS8_V2_PUBLIC);
        return match (key.public(), public) {
            (Some(own), Some(told)) if own.as_bytes()[..] == *told => Ok(key),
            (_, _) => Err(BadPrivateKey::Mismatch),
        };
    }
    const KINDS: [(&[u8], &str); 4] = [
        (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01], "RSA"),
        (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01], "EC"),
        (&[0x06, 0x03, 0x2b, 0x65, 0x71], "Ed448"),
        (&[0x06, 0x03, 0x2b, 0x65, 0x6e], "X25519"),
    ];
    let head = der.get(..32.min(der.len())).unwrap_or_default();
    let kind = KINDS
        .iter()
        .find(|(id, _)| head.windows(id.len()).any(|part| part == *id));
    Err(kind.map_or(BadPrivateKey::Unreadable, |(_, name)| {
        BadPrivateKey::OtherKind((*name).into())
    }))
}

fn openssh(text: &str) -> Result<PrivateKey, BadPrivateKey> {
    let body = pem_body(text, "OPENSSH PRIVATE KEY").ok_or(BadPrivateKey::Unreadable)?;
    let kind = openssh_kind(&decode(body)?).ok_or(BadPrivateKey::Unreadable)?;
    refuse_kind(&kind)?;
    let key = ssh_key::PrivateKey::from_openssh(text).map_err(|_| BadPrivateKey::Unreadable)?;
    if !key.is_encrypted() {
        return signing(&key).map(PrivateKey::Open);
    }
    let public = key.public_key().key_data().ed25519();
    let public = public.and_then(|key| PublicKey::of_bytes(&key.0).ok());
    Ok(PrivateKey::Locked(LockedKey {
        key: Box::new(key),
        public: public.ok_or(BadPrivateKey::Mismatch)?,
    }))
}

/// The kind of an OpenSSH private key, which stands outside its encrypted part.
fn openssh_kind(blob: &[u8]) -> Option<String> {
    let mut fields = Fields(blob.strip_prefix(OPENSSH_MAGIC)?);
    for _cipher_and_kdf in 0..3 {
        fields.bytes()?;
    }
    fields.number()?;
    Some(Fields(fields.bytes()?).text()?.to_owned())
}

fn refuse_kind(kind: &str) -> Result<(), BadPrivateKey> {
    match kind {
        ED25519 => Ok(()),
        _ if kind.starts_with("sk-") => Err(BadPrivateKey::Hardware),
        _ => Err(BadPrivateKey::OtherKind(kind.into())),
    }
}

fn signing(key: &ssh_key::PrivateKey) -> Result<SigningKey, BadPrivateKey> {
    let KeypairData::Ed25519(pair) = key.key_data() else {
        return Err(BadPrivateKey::Unreadable);
    };
    let secret = Zeroizing::new(pair.private.to_bytes());
    let key = SigningKey::of_secret(&secret);
    match key.public() {
        Some(public) if *public.as_bytes() == pair.public.0 => Ok(key),
        Some(_) | None => Err(BadPrivateKey::Mismatch),
    }
}

fn public_only(text: &str) -> Result<PrivateKey, BadPrivateKey> {
    match text.split_ascii_whitespace().next() {
        Some(ED25519) => PublicKey::parse(text)
            .map(PrivateKey::PublicOnly)
            .map_err(|_| BadPrivateKey::Unreadable),
        Some(kind) if kind.starts_with("ssh-") || kind.starts_with("ecdsa-") => {
            Err(BadPrivateKey::OtherKind(kind.into()))
        }
        Some(kind) if kind.starts_with("sk-") => Err(BadPrivateKey::Hardware),
        Some(_) | None => Err(BadPrivateKey::Unreadable),
    }
}
