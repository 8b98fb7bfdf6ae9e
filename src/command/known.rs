//! A trust file → whom it names, for telling a person what counts.
//!
//! Read and counted by `trust`, as the gate does it: a file that the gate would refuse
//! names nobody here either.

use std::collections::BTreeSet;

use lockgate::lock::Lockfile;
use lockgate::trust::{
    KeyState, Moment, PublicKey, Role, TRUST_FILE, TrustFile, TrustedKey, approvals,
};
use lockgate::untrusted::Untrusted;
use lockgate::world::clock;

use super::ground;

/// Whom a trust file names.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    file: TrustFile,
    /// Why it cannot be used.
    fault: Option<String>,
}

impl Known {
    /// Reads the file; nobody is known from one that cannot be used.
    pub(super) fn of(text: &[u8]) -> Self {
        match ground::parse(&format!("`{TRUST_FILE}`"), text) {
            Ok(file) => Known { file, fault: None },
            Err(error) => Known {
                file: TrustFile::default(),
                fault: Some(error.to_string()),
            },
        }
    }

    /// What it says; the default where it cannot be used.
    pub(super) fn file(&self) -> &TrustFile {
        &self.file
    }

    /// Why it cannot be used.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The approvers' keys.
    pub(super) fn keys(&self) -> impl Iterator<Item = &PublicKey> {
        let approves =
            |key: &&TrustedKey| key.role == Role::Approver && key.state != KeyState::Compromised;
        self.file.keys.iter().filter(approves).map(|key| &key.key)
    }

    /// Whose key it is, if what it signs now is an approval.
    pub(super) fn name(&self, key: &PublicKey) -> Option<&str> {
        let now = clock::now();
        let approves = |known: &&TrustedKey| known.role == Role::Approver && known.may_sign(now);
        let found = self.entry(key).filter(approves);
        found.map(|known| known.name.as_str())
    }

    /// Why what a key signs now is no approval.
    pub(super) fn why_not(&self, key: &PublicKey) -> String {
        let Some(known) = self.entry(key) else {
            return "is no approver's key".to_owned();
        };
        let name = Untrusted::new(known.name.as_str());
        let name = name.in_terminal();
        match (known.role, known.state) {
            (Role::Issuer, _) => {
                format!("is the key of the service {name}: evidence, and no approval")
            }
            (Role::Approver, KeyState::Compromised) => format!("is a compromised key of {name}"),
            (Role::Approver, KeyState::Retired) => format!("is a retired key of {name}"),
            (Role::Approver, KeyState::Active) => match known.not_after {
                Some(end) => format!("is a key of {name} that ended at {end}"),
                None => format!("is a key of {name}"),
            },
        }
    }

    /// The names of those whose approval of a lockfile stands, each once.
    pub(super) fn signers(&self, lockfile: &Lockfile, moment: Moment) -> BTreeSet<String> {
        approvals(lockfile, &self.file.keys, moment)
            .approvers
            .into_keys()
            .collect()
    }

    fn entry(&self, key: &PublicKey) -> Option<&TrustedKey> {
        self.file.keys.iter().find(|known| known.key == *key)
    }
}
