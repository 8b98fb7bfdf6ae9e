//! bytes → [`TrustFile`]: who may approve, and under which policy (design §4).
//!
//! Where the bytes come from is decided elsewhere: from base, never from the head of a
//! pull request.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::Deserialize;

use super::read_file::read_file;
use super::{Role, Suppress, TrustFault, TrustedKey};
use crate::lock::{Digest, ServerUrl};
use crate::scan::{ScanRule, Severity};

/// Where the trust file stands in a repository.
pub const TRUST_FILE: &str = ".github/lockgate.toml";

/// What an `[[accept]]` can accept: that a server gave no listing, for one of these
/// reasons, or that it has no lockfile. Drift, any other rule and a fault of ours are
/// never accepted.
pub const ACCEPTABLE: [&str; 13] = [
    "dns",
    "connect",
    "tls",
    "timeout",
    "http-status",
    "redirect",
    "auth-required",
    "rate-limited",
    "private-address",
    "too-large",
    "not-mcp",
    "rpc-error",
    "server-without-lockfile",
];

/// Who may approve, and under which policy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrustFile {
    /// `[policy]`
    pub policy: Policy,
    /// `[[key]]`
    pub keys: Vec<TrustedKey>,
    /// `[[server]]`: secret headers by exact URL.
    pub servers: Vec<ServerSecrets>,
    /// `[[accept]]`: findings that are known and have an end; amber, never green.
    pub accepts: Vec<Accept>,
    /// `[[suppress]]`: findings of the scan that somebody has read and lives with.
    pub suppresses: Vec<Suppress>,
}

impl TrustFile {
    /// Reads a trust file strictly: a member it does not know, a bad date or URL, a weak
    /// key or one that stands twice is a fault.
    ///
    /// # Errors
    /// [`TrustFault`] names the line and the problem; no part of the file counts then.
    pub fn parse(bytes: &[u8]) -> Result<Self, TrustFault> {
        read_file(bytes)
    }

    /// The people who may approve now, each once.
    pub fn approvers(&self, now: Timestamp) -> BTreeSet<&str> {
        let may_sign = |key: &&TrustedKey| key.role == Role::Approver && key.may_sign(now);
        self.keys
            .iter()
            .filter(may_sign)
            .map(|key| key.name.as_str())
            .collect()
    }

    /// Does it name an approver at all, whatever became of the key?
    pub fn has_approver(&self) -> bool {
        self.keys.iter().any(|key| key.role == Role::Approver)
    }

    /// The entry of a key.
    pub fn key(&self, id: Digest) -> Option<&TrustedKey> {
        self.keys.iter().find(|key| key.key.id() == id)
    }

    /// The keys in use that end between `now` and `then`: what people are told in time.
    pub fn ending(&self, now: Timestamp, then: Timestamp) -> impl Iterator<Item = &TrustedKey> {
        let ends = move |key: &&TrustedKey| {
            key.may_sign(now) && key.not_after.is_some_and(|end| end <= then)
        };
        self.keys.iter().filter(ends)
    }

    /// The secret headers of the server at exactly that URL.
    pub fn secrets(&self, server: &ServerUrl) -> Option<&ServerSecrets> {
        self.servers.iter().find(|entry| entry.url == *server)
    }

    /// What accepts that rule for that server now.
    pub fn accept(&self, server: &ServerUrl, rule: &str, now: Timestamp) -> Option<&Accept> {
        let accepts =
            |entry: &&Accept| entry.server == *server && entry.rule == rule && now <= entry.until;
        self.accepts.iter().find(accepts)
    }

    /// What suppresses that rule in the text of that digest; the entry that ends last, also
    /// if it has ended.
    pub fn suppress(&self, rule: ScanRule, sha256: Digest) -> Option<&Suppress> {
        let entries = self.suppresses.iter();
        entries
            .filter(|entry| entry.rule == rule && entry.sha256 == sha256)
            .max_by_key(|entry| entry.until)
    }
}

/// `[policy]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Are signatures demanded, or only drift checked?
    pub signatures: Signatures,
    /// How many distinct approvers a lockfile needs.
    pub approvals: usize,
    /// Until then a missing signature outside a change is a warning.
    pub unsigned_until: Option<Timestamp>,
    /// Approvals older than so many days are told.
    pub max_age_days: Option<u32>,
    /// From which severity on a finding of the scan is an error.
    pub scan: FailsFrom,
    /// Drift of servers that a pull request does not touch.
    pub drift_in_pull_requests: Drift,
    /// Branches that are guarded; empty: the default branch.
    pub protected: Vec<String>,
    /// Servers given up on purpose, by URL.
    pub removed: Vec<ServerUrl>,
    /// Globs of paths that hold no lockfiles of ours.
    pub exclude: Vec<String>,
    /// What approvals must be for.
    pub audience: Option<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            signatures: Signatures::Required,
            approvals: 1,
            unsigned_until: None,
            max_age_days: None,
            scan: FailsFrom::High,
            drift_in_pull_requests: Drift::Warning,
            protected: Vec::new(),
            removed: Vec::new(),
            exclude: Vec::new(),
            audience: None,
        }
    }
}

/// `policy.signatures`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signatures {
    /// Every lockfile needs its approvals.
    Required,
    /// Only drift is checked, and every report says so.
    Off,
}

/// `policy.scan`: from which severity on a finding is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailsFrom {
    /// Everything that is found.
    Low,
    /// What is worth reading before anybody approves.
    Medium,
    /// What reads like an attack.
    High,
    /// Nothing: findings are told, and fail no run.
    Never,
}

impl FailsFrom {
    /// Is a finding of that severity an error?
    pub fn fails(self, severity: Severity) -> bool {
        match self {
            FailsFrom::Low => severity >= Severity::Low,
            FailsFrom::Medium => severity >= Severity::Medium,
            FailsFrom::High => severity >= Severity::High,
            FailsFrom::Never => false,
        }
    }
}

/// `policy.drift_in_pull_requests`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drift {
    /// Told, and the run passes.
    Warning,
    /// Fails the run.
    Error,
}

/// `[[server]]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSecrets {
    /// The endpoint they are for.
    pub url: ServerUrl,
    /// Header name in lower case → name of the environment variable (`LOCKGATE_…`).
    pub headers: BTreeMap<String, String>,
}

/// `[[accept]]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accept {
    /// The server it is about.
    pub server: ServerUrl,
    /// The reason or rule that is accepted, one of [`ACCEPTABLE`].
    pub rule: String,
    /// Why.
    pub reason: String,
    /// Until when.
    pub until: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
[[key]]
name = "alice"
role = "approver"
public = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="
not_after = 2027-12-01

[[key]]
name = "bob"
role = "approver"
public = "PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw="
state = "retired"

[[key]]
name = "service"
role = "issuer"
public = "/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU="

[[server]]
url = "https://mcp.example.com/mcp"
headers = { X-Key = "env:LOCKGATE_EXAMPLE" }

[[accept]]
server = "https://mcp.example.com/mcp"
rule = "auth-required"
reason = "checked by hand"
until = 2027-03-01
"#;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn answers_by_the_day() {
        let file = TrustFile::parse(TEXT.as_bytes()).unwrap();
        let (day, last, over) = (
            time("2027-11-01T00:00:00Z"),
            time("2027-12-01T23:59:59.999Z"),
            time("2027-12-02T00:00:00Z"),
        );
        assert_eq!(file.approvers(last), ["alice"].into());
        assert_eq!(file.approvers(over), [].into());
        assert!(file.has_approver());
        let ending = |now, then| {
            file.ending(now, then)
                .map(|key| &*key.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(ending(day, last), ["alice"]);
        assert_eq!(ending(day, time("2027-11-30T00:00:00Z")), [""; 0]);
        assert_eq!(ending(over, over), [""; 0]);
    }

    #[test]
    fn answers_for_exactly_one_server() {
        let file = TrustFile::parse(TEXT.as_bytes()).unwrap();
        let url = |text| ServerUrl::parse(text).unwrap();
        let (server, other) = (
            url("https://mcp.example.com/mcp"),
            url("https://mcp.example.com/"),
        );
        assert_eq!(
            file.secrets(&server).unwrap().headers["x-key"],
            "LOCKGATE_EXAMPLE"
        );
        assert_eq!(file.secrets(&other), None);
        let (in_time, late) = (time("2027-03-01T23:59:59Z"), time("2027-03-02T00:00:00Z"));
        assert!(file.accept(&server, "auth-required", in_time).is_some());
        assert!(file.accept(&server, "auth-required", late).is_none());
        assert!(file.accept(&server, "timeout", in_time).is_none());
        assert!(file.accept(&other, "auth-required", in_time).is_none());
        let id = file.keys[2].key.id();
        assert_eq!(file.key(id).unwrap().name, "service");
    }
}
