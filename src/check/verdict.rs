//! Verdict, decision and reason (design §3): judged by name, never by a catch-all.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::message::Message;
use crate::untrusted::Untrusted;

/// What one check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The server offers exactly what was approved.
    Unchanged,
    /// The server answered, and it is not what was approved.
    Changed,
    /// The server did not give a listing.
    Unreachable,
}

impl Verdict {
    /// Any difference blocks, silence blocks (Lockfile v1, Rules).
    pub fn decision(self) -> Decision {
        match self {
            Verdict::Unchanged => Decision::Connect,
            Verdict::Changed | Verdict::Unreachable => Decision::Block,
        }
    }

    /// As it stands in an answer.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Unchanged => "unchanged",
            Verdict::Changed => "changed",
            Verdict::Unreachable => "unreachable",
        }
    }
}

/// What an agent may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Connect: only for [`Verdict::Unchanged`].
    Connect,
    /// Do not connect.
    Block,
}

impl Decision {
    /// As it stands in an answer.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Connect => "connect",
            Decision::Block => "block",
        }
    }
}

/// What a block of one check means for the run (design §5, Exit in pull requests).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bearing {
    /// It fails the run.
    Decides,
    /// A finding tells it, at the level that a policy gives it.
    Told,
}

/// A server that gave no listing to compare: an answer like any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlisted {
    /// The named reason.
    pub reason: Reason,
    /// What happened, in our words.
    pub detail: String,
    /// What the other side said about it, in its words.
    pub said: Option<Untrusted>,
    /// The way out, if we know one.
    pub hint: Option<String>,
}

impl Unlisted {
    /// What happened, in our words and theirs.
    pub fn message(&self) -> Message {
        match &self.said {
            Some(said) => Message::new(format!("{}: ", self.detail)).theirs(said),
            None => Message::new(&self.detail),
        }
    }
}

/// What lies behind a reason: people must be able to tell drift from a check that could not
/// be made and from missing credentials (design §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The server answered, and it cannot be what was approved.
    Drift,
    /// The server wants credentials that this run has not.
    Credentials,
    /// The server was asked and gave no listing.
    Silence,
    /// The run asked it nothing.
    NotAsked,
    /// The lockfile cannot be used, so nothing was asked.
    Lockfile,
    /// A fault of ours.
    Ours,
}

/// Why there was nothing to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The host name has no address.
    Dns,
    /// No connection, or it broke.
    Connect,
    /// TLS failed: the certificate, the name, or the protocol.
    Tls,
    /// The server did not answer in time.
    Timeout,
    /// An HTTP status that is no answer.
    HttpStatus,
    /// A redirect that is not followed.
    Redirect,
    /// Credentials are missing or not accepted.
    AuthRequired,
    /// Too many requests, and no time left to wait.
    RateLimited,
    /// The address is not public and was not allowed.
    PrivateAddress,
    /// More bytes, pages or tools than any listing needs.
    TooLarge,
    /// What answers does not speak MCP.
    NotMcp,
    /// The server answered with a JSON-RPC error.
    RpcError,
    /// The run ended before this server was asked.
    NotChecked,
    /// The lockfile cannot be used, so the server was not asked.
    LockfileRefused,
    /// A fault of ours.
    InternalError,
    /// The answer is one that no reader can be sure of.
    MalformedListing,
    /// Two listings of one server differ.
    UnstableListing,
}

impl Reason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Reason; 17] = [
        Reason::Dns,
        Reason::Connect,
        Reason::Tls,
        Reason::Timeout,
        Reason::HttpStatus,
        Reason::Redirect,
        Reason::AuthRequired,
        Reason::RateLimited,
        Reason::PrivateAddress,
        Reason::TooLarge,
        Reason::NotMcp,
        Reason::RpcError,
        Reason::NotChecked,
        Reason::LockfileRefused,
        Reason::InternalError,
        Reason::MalformedListing,
        Reason::UnstableListing,
    ];

    /// What lies behind it: the one place that sorts the reasons.
    pub fn cause(self) -> Cause {
        match self {
            Reason::MalformedListing | Reason::UnstableListing => Cause::Drift,
            Reason::AuthRequired => Cause::Credentials,
            Reason::Dns
            | Reason::Connect
            | Reason::Tls
            | Reason::Timeout
            | Reason::HttpStatus
            | Reason::Redirect
            | Reason::RateLimited
            | Reason::PrivateAddress
            | Reason::TooLarge
            | Reason::NotMcp
            | Reason::RpcError => Cause::Silence,
            Reason::NotChecked => Cause::NotAsked,
            Reason::LockfileRefused => Cause::Lockfile,
            Reason::InternalError => Cause::Ours,
        }
    }

    /// The verdict that the reason gives.
    pub fn verdict(self) -> Verdict {
        match self.cause() {
            Cause::Drift => Verdict::Changed,
            Cause::Credentials
            | Cause::Silence
            | Cause::NotAsked
            | Cause::Lockfile
            | Cause::Ours => Verdict::Unreachable,
        }
    }

    /// As it stands in an answer.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Dns => "dns",
            Reason::Connect => "connect",
            Reason::Tls => "tls",
            Reason::Timeout => "timeout",
            Reason::HttpStatus => "http-status",
            Reason::Redirect => "redirect",
            Reason::AuthRequired => "auth-required",
            Reason::RateLimited => "rate-limited",
            Reason::PrivateAddress => "private-address",
            Reason::TooLarge => "too-large",
            Reason::NotMcp => "not-mcp",
            Reason::RpcError => "rpc-error",
            Reason::NotChecked => "not-checked",
            Reason::LockfileRefused => "lockfile-refused",
            Reason::InternalError => "internal-error",
            Reason::MalformedListing => "malformed-listing",
            Reason::UnstableListing => "unstable-listing",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}
