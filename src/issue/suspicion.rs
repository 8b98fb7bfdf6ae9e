//! [`Evidence`] → does what was added read like an attack? For the title and the table.
//!
//! Obeys design §8: the title triages without any word of the server's.

use super::evidence::Evidence;
use super::page;
use crate::check::{Checked, Outcome};
use crate::scan::{Kind, ScanFinding, Severity};

/// What the scan found in what was added, the worst first.
pub(super) struct Suspicion<'a>(Vec<&'a ScanFinding>);

impl<'a> Suspicion<'a> {
    pub(super) fn of(evidence: &Evidence<'a>) -> Self {
        let mut found: Vec<&ScanFinding> = evidence
            .drifts
            .iter()
            .flat_map(|one| in_added(one))
            .filter(|finding| finding.severity >= Severity::Medium)
            .collect();
        found.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.cmp(b)));
        found.dedup();
        Suspicion(found)
    }

    /// Goes on with a title.
    pub(super) fn title(&self) -> &'static str {
        match self.0.first().map(|finding| finding.severity) {
            Some(Severity::High) => " · reads like an attack",
            Some(Severity::Medium | Severity::Low | Severity::None) | None => "",
        }
    }

    /// A row of the table; nothing where nothing was found, which proves nothing.
    pub(super) fn row(&self) -> String {
        let Some(first) = self.0.first() else {
            return String::new();
        };
        let tool = first.tool.as_ref().map_or_else(
            || "the instructions".to_owned(),
            |tool| format!("{} {}", page::cell(tool), page::cell(&first.pointer)),
        );
        let more = match self.0.len() {
            1 => String::new(),
            many => format!(", and {} more in the report", many - 1),
        };
        let reads = match first.severity {
            Severity::High => "what was added reads like an attack",
            Severity::Medium | Severity::Low | Severity::None => "what was added is worth a look",
        };
        format!(
            "| scan | **{reads}:** {} ({}) in {tool}{more} |\n",
            first.rule.id(),
            first.severity.name()
        )
    }
}

/// What was found in words that were added, or in a tool that is new as a whole.
fn in_added(one: &Checked) -> impl Iterator<Item = &ScanFinding> {
    let findings = one.scan.iter().flat_map(|scan| scan.findings());
    findings.filter(|finding| match (&finding.tool, &one.outcome) {
        _ if finding.kind == Kind::Drift => true,
        (Some(tool), Outcome::Compared(comparison)) => {
            comparison.added.iter().any(|added| added.name() == tool)
        }
        (Some(_) | None, _) => false,
    })
}
