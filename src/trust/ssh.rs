//! SSH's own encoding ↔ fields: key blobs and the few messages of an agent.
//!
//! Obeys RFC 4251 §5 and the agent protocol (requests 11 and 13, answers 12 and 14). What
//! an agent says is text from outside: every length is checked, nothing is trusted.

use super::PublicKey;
use crate::untrusted::Untrusted;

/// The one kind of key that signs for us.
pub(super) const ED25519: &str = "ssh-ed25519";

/// The fields of an SSH blob, read one after the other; `None` where one is missing.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*number))
    }

    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (field, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(field)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }
}

/// A key that an agent holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKey {
    /// What kind it is.
    pub kind: Untrusted,
    /// What its holder calls it.
    pub comment: Untrusted,
    /// The key, if it is one that can sign for us.
    pub key: Option<PublicKey>,
}

/// The message that asks an agent which keys it holds.
pub fn identities_request() -> Vec<u8> {
    framed(vec![11])
}

/// The message that asks an agent to sign.
pub fn sign_request(key: &PublicKey, message: &[u8]) -> Vec<u8> {
    let mut request = vec![13];
    push(&mut request, &key.ssh_blob());
    push(&mut request, message);
    request.extend([0; 4]);
    framed(request)
}

/// The keys of an agent's answer; `None` if it is none.
pub fn read_identities(answer: &[u8]) -> Option<Vec<AgentKey>> {
    let mut fields = Fields(answer.strip_prefix(&[12])?);
    let count = fields.number()?;
    (0..count).map(|_| identity(&mut fields)).collect()
}

/// The signature of an agent's answer; `None` if it refused, or signed otherwise.
pub fn read_signature(answer: &[u8]) -> Option<[u8; 64]> {
    let mut signature = Fields(Fields(answer.strip_prefix(&[14])?).bytes()?);
    (signature.text()? == ED25519).then_some(())?;
    signature.bytes()?.try_into().ok()
}

fn identity(fields: &mut Fields<'_>) -> Option<AgentKey> {
    let mut blob = Fields(fields.bytes()?);
    let comment = String::from_utf8_lossy(fields.bytes()?).into_owned();
    let kind = blob.text()?;
    let key = (kind == ED25519)
        .then(|| PublicKey::of_bytes(blob.bytes()?).ok())
        .flatten();
    Some(AgentKey {
        kind: Untrusted::new(kind),
        comment: Untrusted::new(comment),
        key,
    })
}

/// A message behind its length.
fn framed(message: Vec<u8>) -> Vec<u8> {
    let mut frame = Vec::with_capacity(message.len() + 4);
    push(&mut frame, &message);
    frame
}

fn push(to: &mut Vec<u8>, field: &[u8]) {
    // What is signed is at most a lockfile, 8 MiB.
    let length = u32::try_from(field.len()).unwrap_or(u32::MAX);
    to.extend(length.to_be_bytes());
    to.extend(field);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::SigningKey;

    fn answer(kind: &str, key: &[u8]) -> Vec<u8> {
        let mut blob = Vec::new();
        push(&mut blob, kind.as_bytes());
        push(&mut blob, key);
        let mut answer = vec![12, 0, 0, 0, 1];
        push(&mut answer, &blob);
        push(&mut answer, "alice\u{1b}".as_bytes());
        answer
    }

    #[test]
    fn keys_of_an_agent() {
        let key = SigningKey::of_secret(&[7; 32]).public().unwrap();
        let of = |kind| read_identities(&answer(kind, key.as_bytes())).unwrap()[0].key;
        assert_eq!(of(ED25519), Some(key));
        assert_eq!(of("sk-ssh-ed25519@openssh.com"), None);
        assert_eq!(of("ssh-rsa"), None);
        assert_eq!(read_identities(&[5]), None);
        assert_eq!(read_identities(&[12, 255, 255, 255, 255]), None);
    }

    #[test]
    fn no_answer_is_trusted_for_its_lengths() {
        let whole = answer(ED25519, &[9; 32]);
        for end in 0..whole.len() {
            assert_eq!(read_identities(&whole[..end]), None, "{end}");
            assert_eq!(read_signature(&whole[..end]), None, "{end}");
        }
    }
}
