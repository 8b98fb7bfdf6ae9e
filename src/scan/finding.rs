//! What the scan found: plain data, told elsewhere.
//!
//! [`Scan`] serialises as the lockfile's `scan_at_approval` (Lockfile v1, Format) with the
//! rule set beside it. Its texts are what a server sent: they leave by an encoder only.

use std::collections::BTreeMap;

use serde::Serialize;

use super::kind::{Kind, Severity};
use super::rule::{RULE_SET, ScanRule};
use crate::lock::Digest;
use crate::untrusted::Untrusted;

/// Most findings of one scan that are kept whole; the rest is counted.
const MOST: usize = 1_000;

/// One thing found in one text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ScanFinding {
    /// The tool; `None` for the server's instructions and for a listing as a whole.
    pub tool: Option<Untrusted>,
    /// JSON Pointer into the tool, or `/instructions`.
    pub pointer: Untrusted,
    /// What it tries to do.
    pub kind: Kind,
    /// The rule that found it.
    pub rule: ScanRule,
    /// How much it weighs.
    pub severity: Severity,
    /// The whole sentence.
    pub excerpt: Untrusted,
    /// The digest of what it was found in: the tool's, as in the lockfile's `tools`, where
    /// that covers it, else of the text itself.
    pub sha256: Option<Digest>,
}

/// What covers a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// The tool's digest (Lockfile v1, Hashing 1).
    Tool,
    /// The tool's extended digest only (design §2).
    Extended,
    /// The pin of the instructions (design §2).
    Instructions,
    /// Nothing: the text may change on any day.
    Uncovered,
}

impl Area {
    /// Of the text at that JSON Pointer, in a tool or a listing.
    pub(super) fn of(tool: Option<&Untrusted>, pointer: &str) -> Self {
        let member = pointer.split('/').nth(1);
        match (tool, member) {
            (None, _) => Area::Instructions,
            (Some(_), None | Some("name" | "description" | "inputSchema" | "annotations")) => {
                Area::Tool
            }
            (Some(_), Some("title" | "outputSchema")) => Area::Extended,
            (Some(_), Some(_)) => Area::Uncovered,
        }
    }
}

impl ScanFinding {
    /// What covers the text in which it was found.
    pub fn area(&self) -> Area {
        Area::of(self.tool.as_ref(), self.pointer.as_arrived())
    }
}

/// All that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scan {
    severity: Severity,
    kinds: BTreeMap<Kind, usize>,
    findings: Vec<ScanFinding>,
    #[serde(skip_serializing_if = "is_zero")]
    omitted: usize,
    rule_set: u32,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Scan {
    /// Puts findings in order: the worst first, then by tool and place.
    pub(super) fn of(findings: Vec<ScanFinding>) -> Self {
        Scan::beside(findings, BTreeMap::new())
    }

    /// The same beside some that are counted by kind and not kept.
    pub(super) fn beside(mut findings: Vec<ScanFinding>, mut kinds: BTreeMap<Kind, usize>) -> Self {
        findings.sort_by(|a, b| {
            let place = |finding: &ScanFinding| (finding.kind, finding.rule);
            b.severity
                .cmp(&a.severity)
                .then_with(|| a.tool.cmp(&b.tool))
                .then_with(|| a.pointer.cmp(&b.pointer))
                .then_with(|| place(a).cmp(&place(b)))
        });
        findings.dedup();
        for finding in &findings {
            *kinds.entry(finding.kind).or_insert(0) += 1;
        }
        findings.truncate(MOST);
        Scan {
            severity: findings
                .first()
                .map(|finding| finding.severity)
                .unwrap_or_default(),
            omitted: kinds.values().sum::<usize>() - findings.len(),
            kinds,
            findings,
            rule_set: RULE_SET,
        }
    }

    /// The same scan with more findings.
    #[must_use]
    pub fn with(self, more: Vec<ScanFinding>) -> Self {
        if more.is_empty() {
            return self;
        }
        let not_kept = self.not_kept();
        let findings = self.findings.into_iter().chain(more).collect();
        Scan::beside(findings, not_kept)
    }

    /// The same scan, each finding taken otherwise.
    #[must_use]
    pub(super) fn map(self, otherwise: impl FnMut(ScanFinding) -> ScanFinding) -> Self {
        let not_kept = self.not_kept();
        let findings = self.findings.into_iter().map(otherwise).collect();
        Scan::beside(findings, not_kept)
    }

    /// How many of each kind are counted and not kept.
    fn not_kept(&self) -> BTreeMap<Kind, usize> {
        let mut kinds = self.kinds.clone();
        for finding in &self.findings {
            kinds.entry(finding.kind).and_modify(|many| *many -= 1);
        }
        kinds.retain(|_, many| *many > 0);
        kinds
    }

    /// The highest severity; [`Severity::None`] is no proof that nothing is wrong.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// How many findings there are of each kind.
    pub fn kinds(&self) -> &BTreeMap<Kind, usize> {
        &self.kinds
    }

    /// The findings, the worst first.
    pub fn findings(&self) -> &[ScanFinding] {
        &self.findings
    }

    /// How many findings are counted and not kept.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// The version of the rules that made it.
    pub fn rule_set(&self) -> u32 {
        self.rule_set
    }
}
