//! Lockfile and trusted keys → who approved it, and which signatures are worth nothing.
//!
//! Obeys design §2 (Signature) and §4 (Expiry): the one place where signatures are
//! counted. Distinct names count, not keys and not signatures.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{KeyState, Role, TrustedKey};
use crate::lock::{Digest, Lockfile, LockfileSignature};

/// Which moment a key must have been valid at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Now: the lockfile is added or changed.
    Now(Timestamp),
    /// When it was approved: the lockfile stood already.
    Approval,
}

/// Who approved a lockfile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Approvals {
    /// Names of the approvers whose signature holds, with the end of the key that lasts
    /// longest (`None`: no end).
    pub approvers: BTreeMap<String, Option<Timestamp>>,
    /// Names of the issuers whose signature holds.
    pub issuers: Vec<String>,
    /// Signatures that hold for nothing.
    pub faults: Vec<SignatureFault>,
}

/// Why a signature holds for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureFault {
    /// No trusted key verifies it: `untrusted-signature`.
    Untrusted {
        /// The `key_id` beside it, if there is one.
        key_id: Option<Digest>,
    },
    /// Its `key_id` names a trusted key, which refuses it: `bad-signature`.
    Bad {
        /// Whose key.
        name: String,
    },
    /// The key that verifies it was not valid at that moment.
    Expired {
        /// Whose key.
        name: String,
        /// When it ended.
        not_after: Timestamp,
    },
    /// The key that verifies it is retired, and this is a new approval.
    Retired {
        /// Whose key.
        name: String,
    },
    /// The key that verifies it is in the wrong hands.
    Compromised {
        /// Whose key.
        name: String,
    },
}

/// Counts who approved `lockfile`.
pub fn approvals(lockfile: &Lockfile, keys: &[TrustedKey], moment: Moment) -> Approvals {
    let mut approvals = Approvals::default();
    for signature in lockfile.signatures() {
        match weigh(lockfile, signature, keys, moment) {
            Ok(key) => approvals.count(key),
            Err(fault) => approvals.faults.push(fault),
        }
    }
    approvals
}

impl Approvals {
    fn count(&mut self, key: &TrustedKey) {
        match key.role {
            Role::Issuer => self.issuers.push(key.name.clone()),
            Role::Approver => {
                let end = self
                    .approvers
                    .entry(key.name.clone())
                    .or_insert(key.not_after);
                *end = end.and_then(|end| key.not_after.map(|other| end.max(other)));
            }
        }
    }
}

/// The trusted key that stands behind a signature, or why none does.
fn weigh<'k>(
    lockfile: &Lockfile,
    signature: &LockfileSignature,
    keys: &'k [TrustedKey],
    moment: Moment,
) -> Result<&'k TrustedKey, SignatureFault> {
    let verifies = |key: &&TrustedKey| {
        key.key
            .verifies(&key.scheme.message(lockfile.sealed()), &signature.bytes)
    };
    let Some(key) = keys.iter().find(verifies) else {
        let named = keys
            .iter()
            .find(|key| signature.key_id == Some(key.key.id()));
        return Err(match named {
            Some(key) => SignatureFault::Bad {
                name: key.name.clone(),
            },
            None => SignatureFault::Untrusted {
                key_id: signature.key_id,
            },
        });
    };
    stands(key, moment, lockfile.approved_at()).map(|()| key)
}

/// Does what the key signed stand, as far as the key's life goes (design §4, Expiry)?
fn stands(key: &TrustedKey, moment: Moment, approved_at: Timestamp) -> Result<(), SignatureFault> {
    let name = key.name.clone();
    let at = match moment {
        Moment::Now(now) => now,
        Moment::Approval => approved_at,
    };
    match (key.state, moment) {
        (KeyState::Compromised, _) => return Err(SignatureFault::Compromised { name }),
        (KeyState::Retired, Moment::Now(_)) => return Err(SignatureFault::Retired { name }),
        (KeyState::Retired, Moment::Approval) | (KeyState::Active, _) => {}
    }
    match key.not_after {
        Some(not_after) if at > not_after => Err(SignatureFault::Expired { name, not_after }),
        Some(_) | None => Ok(()),
    }
}
