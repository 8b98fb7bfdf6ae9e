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
    /// The tool's digest, as in the lockfile's `tools`; of the text for instructions.
    pub sha256: Option<Digest>,
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
    pub(super) fn of(mut findings: Vec<ScanFinding>) -> Self {
        findings.sort_by(|a, b| {
            let place = |finding: &ScanFinding| (finding.kind, finding.rule);
            b.severity
                .cmp(&a.severity)
                .then_with(|| a.tool.cmp(&b.tool))
                .then_with(|| a.pointer.cmp(&b.pointer))
                .then_with(|| place(a).cmp(&place(b)))
        });
        findings.dedup();
        let mut kinds = BTreeMap::new();
        for finding in &findings {
            *kinds.entry(finding.kind).or_insert(0) += 1;
        }
        let severity = findings
            .first()
            .map(|finding| finding.severity)
            .unwrap_or_default();
        let omitted = findings.len().saturating_sub(MOST);
        findings.truncate(MOST);
        Scan {
            severity,
            kinds,
            findings,
            omitted,
            rule_set: RULE_SET,
        }
    }

    /// The same scan with more findings.
    #[must_use]
    pub(super) fn with(self, more: Vec<ScanFinding>) -> Self {
        if more.is_empty() {
            return self;
        }
        let omitted = self.omitted;
        let mut findings = self.findings;
        findings.extend(more);
        let scan = Scan::of(findings);
        Scan {
            omitted: scan.omitted + omitted,
            ..scan
        }
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
