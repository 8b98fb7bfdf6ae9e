//! 32 secret bytes → [`SigningKey`]: signs a message, and is wiped when it is dropped.
//!
//! Obeys design §2 (Signature): Ed25519 and nothing else. Never prints the secret.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::Signer as _;
use zeroize::Zeroizing;

use super::PublicKey;

/// PKCS#8 v1 of an Ed25519 key, up to its 32 bytes (RFC 8410 §7): 48 bytes in all. The
/// second version, with the public key behind, is not read by OpenSSL 3.0.
pub(super) const PKCS8_V1: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// A key that can sign: a person's secret.
pub struct SigningKey(ed25519_dalek::SigningKey);

impl SigningKey {
    /// The key that those bytes are.
    pub fn of_secret(secret: &[u8; 32]) -> Self {
        SigningKey(ed25519_dalek::SigningKey::from_bytes(secret))
    }

    /// Its public half; `None` for a weak one, which no honest secret gives.
    pub fn public(&self) -> Option<PublicKey> {
        PublicKey::of_bytes(self.0.verifying_key().as_bytes()).ok()
    }

    /// The signature of `message`.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }

    /// As PEM (`BEGIN PRIVATE KEY`), which OpenSSL reads.
    pub fn pem(&self) -> Zeroizing<String> {
        let secret = Zeroizing::new(self.0.to_bytes());
        let der = Zeroizing::new([&PKCS8_V1[..], &secret[..]].concat());
        let body = Zeroizing::new(STANDARD.encode(&*der));
        Zeroizing::new(format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
            *body
        ))
    }
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SigningKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8032 §7.1, test 2.
    #[test]
    fn signs_as_the_standard_says() {
        let secret = hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
        let public = hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
        let key = SigningKey::of_secret(&secret.try_into().unwrap());
        assert_eq!(key.public().unwrap().as_bytes()[..], public);
        let signature = key.sign(&[0x72]);
        assert_eq!(
            signature[..],
            hex(
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            )
        );
        assert!(key.public().unwrap().verifies(&[0x72], &signature));
        assert!(!format!("{key:?}").contains("4c"));
    }

    fn hex(digits: &str) -> Vec<u8> {
        let pair = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        (0..digits.len()).step_by(2).map(pair).collect()
    }
}
