//! Lockfile and trusted keys → who approved it, and which signatures are worth nothing.
//!
//! Obeys design §2 (Signature) and §4 (Expiry): the one place where signatures are
//! counted. Distinct names count, not keys and not signatures.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{KeyState, Ledger, Role, Scheme, SignatureFault, TrustedKey};
use crate::lock::{Lockfile, LockfileSignature};

/// Which moment a key must have been valid at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Now: the lockfile is added or changed.
    Now(Timestamp),
    /// When it was approved: the lockfile stood already.
    Approval,
}

/// Who approved a lockfile, or a change of the trust file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Approvals {
    /// Names of the approvers whose signature holds, with the end of the key that lasts
    /// longest (`None`: no end).
    pub approvers: BTreeMap<String, Option<Timestamp>>,
    /// Names of the issuers whose signature holds.
    pub issuers: BTreeSet<String>,
    /// Signatures that hold for nothing.
    pub faults: Vec<SignatureFault>,
}

/// Counts who approved `lockfile`; a run that asks more than once keeps a [`Ledger`].
pub fn approvals(lockfile: &Lockfile, keys: &[TrustedKey], moment: Moment) -> Approvals {
    Ledger::new(keys).approvals(lockfile, moment)
}

impl Approvals {
    /// Did as many people approve as are needed? Never fewer than one.
    pub fn suffice(&self, needed: usize) -> bool {
        self.approvers.len() >= needed.max(1)
    }

    fn count(&mut self, key: &TrustedKey) {
        match key.role {
            Role::Issuer => {
                self.issuers.insert(key.name.clone());
            }
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

/// Is what was signed new, or did it stand before this change?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Newness {
    /// Retired keys do not sign it.
    New,
    /// What retired keys signed in their time stands.
    Stood,
}

/// Trusted keys, and what each scheme signs.
pub(super) struct Verifier<'k> {
    keys: &'k [TrustedKey],
    messages: BTreeMap<Scheme, Vec<u8>>,
}

impl<'k> Verifier<'k> {
    /// Each scheme's message is made once, and only for schemes that a key has.
    pub(super) fn new(keys: &'k [TrustedKey], message: impl Fn(Scheme) -> Vec<u8>) -> Self {
        let schemes: BTreeSet<Scheme> = keys.iter().map(|key| key.scheme).collect();
        Verifier {
            keys,
            messages: schemes
                .into_iter()
                .map(|scheme| (scheme, message(scheme)))
                .collect(),
        }
    }

    /// The place of the key that verifies a signature: the one that its hint names is asked
    /// first, or the likely one, then every other, each by its own scheme and no second one.
    pub(super) fn signer(
        &self,
        signature: &LockfileSignature,
        likely: Option<usize>,
    ) -> Option<usize> {
        let named = named(self.keys, signature).or(likely);
        let verifies = |(_, key): &(usize, &TrustedKey)| {
            let message = self.messages.get(&key.scheme);
            message.is_some_and(|message| key.key.verifies(message, &signature.bytes))
        };
        let keys = || self.keys.iter().enumerate();
        let first = keys().filter(|(place, _)| Some(*place) == named);
        let others = keys().filter(|(place, _)| Some(*place) != named);
        let found = first.chain(others).find(verifies);
        found.map(|(place, _)| place)
    }
}

/// The place of the key that a signature's hint names.
fn named(keys: &[TrustedKey], signature: &LockfileSignature) -> Option<usize> {
    let id = signature.key_id?;
    keys.iter().position(|key| key.key.id() == id)
}

/// What signatures are weighed by, once it is known which key verifies which: the keys,
/// and the moment.
pub(super) struct Scales<'k> {
    keys: &'k [TrustedKey],
    moment: Timestamp,
    newness: Newness,
}

impl<'k> Scales<'k> {
    pub(super) fn new(keys: &'k [TrustedKey], moment: Timestamp, newness: Newness) -> Self {
        Scales {
            keys,
            moment,
            newness,
        }
    }

    /// Weighs signatures; `signer` is the place of the key that verifies one.
    pub(super) fn weigh(
        &self,
        signatures: &[LockfileSignature],
        signer: impl Fn(&LockfileSignature) -> Option<usize>,
    ) -> Approvals {
        let mut approvals = Approvals::default();
        for signature in signatures {
            let key = signer(signature).and_then(|place| self.keys.get(place));
            let key = key.ok_or_else(|| self.refused(signature));
            match key.and_then(|key| self.stands(key)) {
                Ok(key) => approvals.count(key),
                Err(fault) => approvals.faults.push(fault),
            }
        }
        approvals
    }

    /// Why a signature that no key verifies counts for nothing.
    fn refused(&self, signature: &LockfileSignature) -> SignatureFault {
        match named(self.keys, signature).and_then(|place| self.keys.get(place)) {
            Some(key) => SignatureFault::Bad {
                name: key.name.clone(),
            },
            None => SignatureFault::Untrusted {
                key_id: signature.key_id,
            },
        }
    }

    /// Does what the key signed stand, as far as the key's life goes (design §4, Expiry)?
    fn stands(&self, key: &'k TrustedKey) -> Result<&'k TrustedKey, SignatureFault> {
        let name = key.name.clone();
        match (key.state, self.newness) {
            (KeyState::Compromised, _) => return Err(SignatureFault::Compromised { name }),
            (KeyState::Retired, Newness::New) => return Err(SignatureFault::Retired { name }),
            (KeyState::Retired, Newness::Stood) | (KeyState::Active, _) => {}
        }
        match key.not_after {
            Some(not_after) if self.moment > not_after => {
                Err(SignatureFault::Expired { name, not_after })
            }
            Some(_) | None => Ok(key),
        }
    }
}
