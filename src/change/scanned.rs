//! What the scan said of each server, and the root → findings, each at its level.
//!
//! Obeys design §3 and §4 (`policy.scan`, `[[suppress]]`). A text that approvers signed was
//! read by them: what is found in it is a warning at most. What nobody signed, and what no
//! pin covers and no signed scan holds, weighs what the policy says.

use jiff::Timestamp;

use super::approved::is_approved;
use super::collisions::collisions;
use super::root::Root;
use super::suspicion::{because, sentence, way_out};
use super::weighing::{Standing, Weighing};
use crate::check::{Bearing, Checked, Comparison, Finding, Level, Outcome, Rule};
use crate::lock::{InstructionsPin, Lockfile};
use crate::scan::{Area, RULE_SET, Scan, ScanFinding, Severity};
use crate::trust::Moment;
use crate::untrusted::Untrusted;

/// Tells what the scan found, one finding for each tool and standing, the worst told first.
pub fn tell_scans(checked: &[Checked], root: &Root, now: Timestamp) -> Vec<Finding> {
    let mut findings: Vec<Finding> = checked
        .iter()
        .filter_map(|one| Scanned::of(one, root, now))
        .flat_map(|scanned| scanned.findings())
        .collect();
    findings.extend(collisions(checked, root, now));
    findings
}

/// One lockfile's scan.
struct Scanned<'a> {
    path: &'a Untrusted,
    lockfile: &'a Lockfile,
    scan: &'a Scan,
    comparison: Option<&'a Comparison>,
    bearing: Bearing,
    is_approved: bool,
    weighing: Weighing<'a>,
}

impl<'a> Scanned<'a> {
    fn of(one: &'a Checked, root: &'a Root, now: Timestamp) -> Option<Self> {
        let (scan, lockfile) = (one.scan.as_deref()?, one.lockfile.as_ref()?);
        if scan.severity() == Severity::None {
            return None;
        }
        Some(Scanned {
            path: &one.path,
            lockfile,
            scan,
            comparison: match &one.outcome {
                Outcome::Compared(comparison) => Some(comparison),
                Outcome::Unlisted(_) => None,
            },
            bearing: one.bearing,
            is_approved: is_approved(lockfile, root, Moment::Approval),
            weighing: Weighing { root, now },
        })
    }

    /// Those of one tool that stand alike are told as one.
    fn findings(&self) -> Vec<Finding> {
        let mut told: Vec<(&ScanFinding, Standing<'a>, Level, usize)> = Vec::new();
        for finding in self.scan.findings() {
            let standing = self.standing(finding);
            let Some(level) = self.weighing.level(finding.severity, standing) else {
                continue;
            };
            let alike = told.iter_mut().find(|(first, other, as_much, _)| {
                first.tool == finding.tool && *other == standing && *as_much == level
            });
            match alike {
                Some((.., more)) => *more += 1,
                None => told.push((finding, standing, level, 0)),
            }
        }
        let told = told.into_iter();
        told.map(|(finding, standing, level, more)| self.told(finding, standing, level, more))
            .collect()
    }

    fn standing(&self, finding: &ScanFinding) -> Standing<'a> {
        let record = self.lockfile.scan_at_approval();
        let is_held = || record.is_some_and(|record| finding.is_held_by(record));
        match self.weighing.suppression(finding) {
            Some(suppressed @ Standing::Suppressed(_)) => suppressed,
            _ if self.is_approved && is_held() => Standing::Signed,
            _ if self.is_approved && self.is_pinned(finding) => {
                match record.and_then(|record| record.rule_set) {
                    Some(version) if version == u64::from(RULE_SET) => Standing::LeftOut,
                    Some(_) | None => Standing::NewerRules,
                }
            }
            Some(ended) => ended,
            None => Standing::ByPolicy,
        }
    }

    /// Is it found in a text that the lockfile pins as it stands now?
    fn is_pinned(&self, finding: &ScanFinding) -> bool {
        let Some(tool) = &finding.tool else {
            let pin = self.lockfile.instructions_pin();
            return matches!(pin, InstructionsPin::Sha256(pin) if Some(pin) == finding.sha256);
        };
        let Some(pinned) = self.lockfile.tool(tool) else {
            return false;
        };
        match finding.area() {
            Area::Tool => Some(pinned.sha256) == finding.sha256,
            Area::Extended => pinned.extended_sha256.is_some() && !self.has_moved(tool),
            Area::Instructions | Area::Uncovered => false,
        }
    }

    fn has_moved(&self, tool: &Untrusted) -> bool {
        let modified = self.comparison.map(|comparison| &comparison.modified);
        modified.is_some_and(|modified| modified.iter().any(|one| one.name == *tool))
    }

    fn line(&self, finding: &ScanFinding) -> Option<usize> {
        let lines = self.lockfile.lines();
        match &finding.tool {
            Some(name) => {
                let tool = self.lockfile.tool(name);
                Some(tool.map_or(lines.tools, |tool| tool.line))
            }
            None => lines.instructions,
        }
    }

    fn told(
        &self,
        finding: &ScanFinding,
        standing: Standing<'_>,
        level: Level,
        more: usize,
    ) -> Finding {
        let level = match self.bearing {
            Bearing::Decides => level,
            Bearing::Told => level.min(Level::Warning),
        };
        let rule = match standing {
            Standing::Ended(_) => Rule::SuppressionEnded,
            Standing::LeftOut => Rule::ScanDisagrees,
            Standing::ByPolicy
            | Standing::Signed
            | Standing::NewerRules
            | Standing::Suppressed(_) => Rule::SuspiciousText,
        };
        let message = sentence(finding, more).then(because(standing));
        Finding::new(rule, message)
            .level(level)
            .hint(way_out(finding, standing, self.weighing.may_sign()))
            .at(self.path, self.line(finding))
    }
}
