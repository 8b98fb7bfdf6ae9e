//! One check → its answer document (design §3), sealed.
//!
//! Texts are whole. Whatever was not compared is `null`, never left to be guessed.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{
    Bearing, Comparison, Decision, FieldChange, Modified, Reason, Removed, TextChange, Unlisted,
    Verdict,
};
use crate::json::{self, ReadError};
use crate::lock::{Digest, Lockfile, ServerUrl, ToolText, spelled};
use crate::message::Message;
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

#[derive(Debug, Default, Serialize)]
struct Difference<'a> {
    added: Vec<&'a Untrusted>,
    removed: Vec<&'a Untrusted>,
    modified: Vec<&'a Untrusted>,
    modified_detail: Vec<ModifiedText<'a>>,
    added_detail: Vec<AddedText<'a>>,
    removed_detail: Vec<RemovedText<'a>>,
    instructions: Option<&'a TextChange>,
}

impl<'a> Difference<'a> {
    fn of(comparison: Option<&'a Comparison>) -> Self {
        let Some(comparison) = comparison else {
            return Difference::default();
        };
        let Comparison {
            added,
            removed,
            modified,
            instructions,
            ..
        } = comparison;
        Difference {
            added: added.iter().map(|tool| tool.name()).collect(),
            removed: removed.iter().map(|tool| &tool.name).collect(),
            modified: modified.iter().map(|tool| &tool.name).collect(),
            modified_detail: modified.iter().map(ModifiedText).collect(),
            added_detail: added
                .iter()
                .map(|tool| AddedText {
                    name: tool.name(),
                    tool: ToolText(tool),
                })
                .collect(),
            removed_detail: removed.iter().map(RemovedText::of).collect(),
            instructions: instructions.as_ref(),
        }
    }
}

#[derive(Debug, Serialize)]
struct AddedText<'a> {
    name: &'a Untrusted,
    tool: ToolText<'a>,
}

#[derive(Debug, Serialize)]
struct RemovedText<'a> {
    name: &'a Untrusted,
    description: Option<&'a Untrusted>,
}

impl<'a> RemovedText<'a> {
    fn of(removed: &'a Removed) -> Self {
        RemovedText {
            name: &removed.name,
            description: removed.description.as_ref(),
        }
    }
}

/// `{name, fields, untold, <field>: {approved, current, …}}`.
#[derive(Debug)]
struct ModifiedText<'a>(&'a Modified);

impl Serialize for ModifiedText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Modified {
            name,
            changes,
            untold,
            deviation,
            ..
        } = self.0;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("name", name)?;
        map.serialize_entry(
            "fields",
            &changes
                .iter()
                .map(|change| change.field.name())
                .collect::<Vec<_>>(),
        )?;
        if !untold.is_empty() {
            map.serialize_entry(
                "untold",
                &untold.iter().map(|field| field.name()).collect::<Vec<_>>(),
            )?;
        }
        if let Some(deviation) = deviation {
            map.serialize_entry("deviation", deviation.words())?;
        }
        for FieldChange { field, change } in changes {
            map.serialize_entry(field.name(), change)?;
        }
        map.end()
    }
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
