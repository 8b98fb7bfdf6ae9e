//! The text of a trust file → the approvers it names, as far as they can be read.
//!
//! For telling a person whose key they hold and what counts as approved; the gate itself
//! reads the file strictly.

use lockgate::lock::Lockfile;
use lockgate::trust::{PublicKey, Scheme};
use toml::{Table, Value};

/// The approvers that a trust file names.
#[derive(Debug, Clone, Default)]
pub(super) struct Known(Vec<(String, PublicKey)>);

impl Known {
    /// Reads what can be read.
    pub(super) fn of(text: &[u8]) -> Self {
        let table = String::from_utf8_lossy(text).parse::<Table>();
        let table = table.unwrap_or_default();
        let keys = table.get("key").and_then(Value::as_array);
        Known(keys.into_iter().flatten().filter_map(approver).collect())
    }

    /// Their keys.
    pub(super) fn keys(&self) -> impl Iterator<Item = &PublicKey> {
        self.0.iter().map(|(_, key)| key)
    }

    /// Whose key it is.
    pub(super) fn name(&self, key: &PublicKey) -> Option<&str> {
        let found = self.0.iter().find(|(_, known)| known == key);
        found.map(|(name, _)| name.as_str())
    }

    /// The names of those who signed a lockfile, each once.
    pub(super) fn signers(&self, lockfile: &Lockfile) -> Vec<&str> {
        let message = Scheme::Dsse.message(lockfile.sealed());
        let signed = |key: &PublicKey| {
            let mut signatures = lockfile.signatures().iter();
            signatures.any(|one| key.verifies(&message, &one.bytes))
        };
        let signed = self.0.iter().filter(|(_, key)| signed(key));
        let mut names: Vec<&str> = signed.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn approver(key: &Value) -> Option<(String, PublicKey)> {
    let text = |name| key.get(name).and_then(Value::as_str);
    let is_person = text("role") != Some("issuer");
    let is_trusted = text("state") != Some("compromised");
    let public = PublicKey::parse(text("public")?).ok()?;
    (is_person && is_trusted).then(|| (text("name").unwrap_or_default().to_owned(), public))
}
