//! Text → [`TrustFile`]: who may approve, and under which policy (design §4).
//!
//! Strict: a member it does not know, a bad date, a duplicate or weak key is a fault, and
//! the message names the line. Where the text comes from is decided elsewhere: from base,
//! never from the head of a pull request.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use super::{BadKey, TrustedKey};
use crate::lock::{BadUrl, ServerUrl};
use crate::untrusted::Untrusted;

/// Where the trust file stands in a repository.
pub const TRUST_FILE: &str = ".github/lockgate.toml";

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
    /// Header name → name of the environment variable (`LOCKGATE_…`).
    pub headers: BTreeMap<String, String>,
}

/// `[[accept]]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accept {
    /// The server it is about.
    pub server: ServerUrl,
    /// The rule or reason that is accepted.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// Until when.
    pub until: Timestamp,
}

/// Why a trust file cannot be used: what, where, and the way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustFault {
    /// The line it stands on, counted from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: TrustProblem,
}

/// What is wrong with a trust file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustProblem {
    /// Not TOML, or not of the shape; what the reader says.
    Shape(Untrusted),
    /// A key that cannot be trusted; whose.
    Key(Untrusted, BadKey),
    /// Two entries for one key; whose.
    DuplicateKey(Untrusted),
    /// Not a date such as `2027-12-01`.
    Date(Untrusted),
    /// Not a server URL.
    Url(Untrusted, BadUrl),
    /// A header that does not take its value from `env:LOCKGATE_…`; which.
    Secret(Untrusted),
    /// A number that is out of its range; which member.
    Range(&'static str),
    /// A scheme that there is not.
    Scheme(Untrusted),
}
