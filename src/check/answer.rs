//! One check → its answer document (design §3), sealed.
//!
//! Texts are whole. Whatever was not compared is `null`, never left to be guessed.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;

use super::difference::Difference;
use super::{Bearing, Comparison, Decision, Reason, Unlisted, Verdict};
use crate::json::{self, ReadError};
use crate::lock::{Digest, Lockfile, ServerUrl, spelled};
use crate::message::Message;
use crate::scan::Scan;
use crate::untrusted::Untrusted;

/// The `kind` of an answer.
pub const ANSWER_KIND: &str = "crawlcheck-mcp-lock-check";

/// What the check of one lockfile found.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The lockfile's path, relative to where the run started.
    pub path: Untrusted,
    /// The lockfile, unless it could not be used.
    pub lockfile: Option<Lockfile>,
    /// What came of it.
    pub outcome: Outcome,
    /// What a block means for the run.
    pub bearing: Bearing,
    /// What the scan said of the listing, or of the companion listing of a lockfile that a
    /// change brings; `None` where neither was at hand.
    pub scan: Option<Arc<Scan>>,
}

/// What came of one check.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The server gave a listing.
    Compared(Comparison),
    /// It did not.
    Unlisted(Unlisted),
}

impl Checked {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match &self.outcome {
            Outcome::Compared(comparison) => comparison.verdict(),
            Outcome::Unlisted(unlisted) => unlisted.reason.verdict(),
        }
    }

    /// The decision that follows from it.
    pub fn decision(&self) -> Decision {
        self.verdict().decision()
    }

    /// The server's URL, unless the lockfile could not be used.
    pub fn url(&self) -> Option<&ServerUrl> {
        self.lockfile
            .as_ref()
            .map(|lockfile| &lockfile.server().url)
    }

    /// The answer document, sealed.
    ///
    /// # Errors
    /// [`ReadError`] as [`json::canonical_of`].
    pub fn answer(&self, checked_at: Timestamp) -> Result<Answer<'_>, ReadError> {
        let (comparison, unlisted) = match &self.outcome {
            Outcome::Compared(comparison) => (Some(comparison), None),
            Outcome::Unlisted(unlisted) => (None, Some(unlisted)),
        };
        let mut answer = Answer {
            kind: ANSWER_KIND,
            v: 1,
            path: &self.path,
            server: self.url().map(|url| ServerText { url }),
            lock_sha256: self.lockfile.as_ref().map(Lockfile::seal),
            checked_at: spelled(checked_at),
            verdict: self.verdict(),
            decision: self.decision(),
            reason: unlisted.map(|unlisted| unlisted.reason),
            detail: unlisted.map(Unlisted::message),
            hint: unlisted.and_then(|unlisted| unlisted.hint.as_deref()),
            tools_sha256: self.digests(comparison),
            seen_by_v1: comparison.map(Comparison::seen_by_v1),
            difference: Difference::of(comparison),
            scan: self.scan.as_deref(),
            sha256: None,
        };
        answer.sha256 = Some(Digest::of(json::canonical_of(&answer)?));
        Ok(answer)
    }

    fn digests(&self, comparison: Option<&Comparison>) -> Option<Digests> {
        let approved = self.lockfile.as_ref()?.tools_sha256();
        Some(Digests {
            approved,
            current: comparison.map(|comparison| comparison.current),
        })
    }
}

/// The answer document of one check; `sha256` seals the rest.
#[derive(Debug, Serialize)]
pub struct Answer<'a> {
    kind: &'static str,
    v: u8,
    path: &'a Untrusted,
    server: Option<ServerText<'a>>,
    lock_sha256: Option<Digest>,
    checked_at: String,
    verdict: Verdict,
    decision: Decision,
    reason: Option<Reason>,
    detail: Option<Message>,
    hint: Option<&'a str>,
    tools_sha256: Option<Digests>,
    seen_by_v1: Option<bool>,
    #[serde(flatten)]
    difference: Difference<'a>,
    scan: Option<&'a Scan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<Digest>,
}

#[derive(Debug, Serialize)]
struct ServerText<'a> {
    url: &'a ServerUrl,
}

#[derive(Debug, Serialize)]
struct Digests {
    approved: Digest,
    current: Option<Digest>,
}

/// How many checks came to each verdict.
pub fn tally(checked: &[Checked]) -> BTreeMap<&'static str, usize> {
    let mut tally = BTreeMap::from(
        [Verdict::Unchanged, Verdict::Changed, Verdict::Unreachable].map(|v| (v.name(), 0)),
    );
    for one in checked {
        *tally.entry(one.verdict().name()).or_default() += 1;
    }
    tally
}
