//! A finding of the scan, the policy and who has read it → how much it weighs.
//!
//! Obeys design §3 and §4 (`policy.scan`, `[[suppress]]`).

use jiff::Timestamp;

use super::root::Root;
use crate::check::Level;
use crate::scan::{ScanFinding, Severity};
use crate::trust::Suppress;

/// Why a finding weighs what it weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing<'r> {
    /// The policy says so.
    ByPolicy,
    /// It was suppressed, and that has ended.
    Ended(&'r Suppress),
    /// Approvers signed the text, and a scan that holds the finding.
    Signed,
    /// Approvers signed the text; the scan they had was made by other rules, or not made.
    NewerRules,
    /// Approvers signed the text; the scan they had leaves the finding out.
    LeftOut,
    /// A person has read it and lives with it until a day.
    Suppressed(&'r Suppress),
}

/// The policy's word on findings.
pub(super) struct Weighing<'r> {
    pub(super) root: &'r Root,
    pub(super) now: Timestamp,
}

impl<'r> Weighing<'r> {
    /// What suppresses it, or did.
    pub(super) fn suppression(&self, finding: &ScanFinding) -> Option<Standing<'r>> {
        let entry = self.root.file.suppress(finding.rule, finding.sha256?)?;
        Some(match self.now <= entry.until {
            true => Standing::Suppressed(entry),
            false => Standing::Ended(entry),
        })
    }

    /// `None` for what only the report tells.
    pub(super) fn level(&self, severity: Severity, standing: Standing<'_>) -> Option<Level> {
        let fails = self.root.file.policy.scan.fails(severity);
        let level = match (fails, severity) {
            (true, _) => Level::Error,
            (false, Severity::Medium | Severity::High) => Level::Warning,
            (false, Severity::Low | Severity::None) => return None,
        };
        Some(match standing {
            Standing::ByPolicy | Standing::Ended(_) => level,
            Standing::Signed | Standing::NewerRules | Standing::LeftOut => {
                level.min(Level::Warning)
            }
            Standing::Suppressed(_) => Level::Note,
        })
    }
}
