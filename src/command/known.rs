//! The trust file of base → the approvers it names, for telling a person what counts.
//!
//! Read and counted by `trust`, as the gate does it: a file that the gate would refuse
//! names nobody here either.

use lockgate::lock::Lockfile;
use lockgate::trust::{KeyState, Moment, PublicKey, Role, TrustFile, TrustedKey, approvals};
use lockgate::world::clock;

/// The approvers that a trust file names.
#[derive(Debug, Clone, Default)]
pub(super) struct Known(Vec<TrustedKey>);

impl Known {
    /// Reads the file; nobody is known from one that cannot be used.
    pub(super) fn of(text: &[u8]) -> Self {
        let file = TrustFile::parse(text).unwrap_or_default();
        let approves =
            |key: &TrustedKey| key.role == Role::Approver && key.state != KeyState::Compromised;
        Known(file.keys.into_iter().filter(approves).collect())
    }

    /// Their keys.
    pub(super) fn keys(&self) -> impl Iterator<Item = &PublicKey> {
        self.0.iter().map(|known| &known.key)
    }

    /// Whose key it is, if it may sign something new now.
    pub(super) fn name(&self, key: &PublicKey) -> Option<&str> {
        let now = clock::now();
        let found = self
            .0
            .iter()
            .find(|known| known.key == *key && known.may_sign(now));
        found.map(|known| known.name.as_str())
    }

    /// The names of those whose approval of a lockfile stands, each once.
    pub(super) fn signers(&self, lockfile: &Lockfile) -> Vec<String> {
        approvals(lockfile, &self.0, Moment::Approval)
            .approvers
            .into_keys()
            .collect()
    }
}
