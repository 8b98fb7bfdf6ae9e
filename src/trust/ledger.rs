//! Lockfiles and trusted keys → which key verifies which signature, each asked once in a run.
//!
//! A hostile change can bring 17 signatures in each of thousands of lockfiles, and a
//! signature that no key knows costs as many verifications as there are keys (design §2:
//! `key_id` is a hint only). No verdict depends on what stands here already, or on which key
//! is asked first, only the time: no signature is verified by two keys.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError, RwLock};

use super::approvals::{Approvals, Moment, Newness, Scales, Verifier};
use super::{Scheme, TrustedKey};
use crate::cores;
use crate::lock::{Digest, Lockfile, LockfileSignature};

/// What was signed, by its seal, and the bytes of a signature over it.
type Asked = (Digest, [u8; 64]);

/// The signatures of one sealed text that no key was asked for yet, each once.
type Open<'a> = (&'a Lockfile, BTreeMap<[u8; 64], &'a LockfileSignature>);

/// Which trusted key verifies which signature; copies of it know the same.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    keys: Arc<[TrustedKey]>,
    /// The place of the key in `keys`; `None`: no key verifies it.
    signers: Arc<RwLock<BTreeMap<Asked, Option<usize>>>>,
    /// The key that verified one last: where no hint names another, it is asked first.
    likely: Arc<AtomicUsize>,
}

impl Ledger {
    /// An empty one for these keys.
    pub fn new(keys: &[TrustedKey]) -> Self {
        Ledger {
            keys: keys.into(),
            signers: Arc::default(),
            likely: Arc::default(),
        }
    }

    /// Asks the keys for every signature that they were not asked for yet, on all cores.
    pub fn verify<'a>(&self, lockfiles: impl IntoIterator<Item = &'a Lockfile>) {
        let open = self.open(lockfiles);
        let found = cores::each(&open, |open| self.ask(open));
        let mut signers = self.signers.write().unwrap_or_else(PoisonError::into_inner);
        signers.extend(found.into_iter().flatten());
    }

    /// Counts who approved `lockfile`.
    pub fn approvals(&self, lockfile: &Lockfile, moment: Moment) -> Approvals {
        self.verify([lockfile]);
        let (moment, newness) = match moment {
            Moment::Now(now) => (now, Newness::New),
            Moment::Approval => (lockfile.approved_at(), Newness::Stood),
        };
        let signers = self.signers.read().unwrap_or_else(PoisonError::into_inner);
        let signer = |signature: &LockfileSignature| {
            let asked = (lockfile.seal(), signature.bytes);
            signers.get(&asked).copied().flatten()
        };
        Scales::new(&self.keys, moment, newness).weigh(lockfile.signatures(), signer)
    }

    fn open<'a>(&self, lockfiles: impl IntoIterator<Item = &'a Lockfile>) -> Vec<Open<'a>> {
        let signers = self.signers.read().unwrap_or_else(PoisonError::into_inner);
        let mut open: BTreeMap<Digest, Open<'a>> = BTreeMap::new();
        for lockfile in lockfiles {
            let seal = lockfile.seal();
            let is_open = |one: &&LockfileSignature| !signers.contains_key(&(seal, one.bytes));
            for one in lockfile.signatures().iter().filter(is_open) {
                let (_, signatures) = open
                    .entry(seal)
                    .or_insert_with(|| (lockfile, BTreeMap::new()));
                signatures.entry(one.bytes).or_insert(one);
            }
        }
        open.into_values().collect()
    }

    fn ask(&self, (lockfile, signatures): &Open<'_>) -> Vec<(Asked, Option<usize>)> {
        let message = |scheme: Scheme| scheme.message(lockfile.sealed());
        let verifier = Verifier::new(&self.keys, message);
        let ask = |one: &&LockfileSignature| {
            let found = verifier.signer(one, Some(self.likely.load(Relaxed)));
            if let Some(place) = found {
                self.likely.store(place, Relaxed);
            }
            ((lockfile.seal(), one.bytes), found)
        };
        signatures.values().map(ask).collect()
    }
}
