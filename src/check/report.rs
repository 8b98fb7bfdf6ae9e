//! All checks of a run → the report (design §3) and what the run comes to.
//!
//! Nothing after [`Report::passes`] may lower the outcome (style habit 8).

use jiff::Timestamp;
use serde::Serialize;

use super::answer::{Answer, Checked, tally};
use super::{Bearing, Decision, Finding, Level, Part, Trigger, Verdict};
use crate::json::{self, ReadError};
use crate::lock::spelled;

/// The `kind` of a report.
pub const REPORT_KIND: &str = "lockgate-report";

/// What a run found. Sorted, the same for the same world.
#[derive(Debug, Clone)]
pub struct Report {
    /// When the run looked: one time for all of it.
    pub checked_at: Timestamp,
    /// What started the run.
    pub trigger: Trigger,
    /// The commit that the change was compared with, where there was one.
    pub base: Option<String>,
    /// The commit that was checked, where there is one.
    pub commit: Option<String>,
    /// Were the servers asked, or only the lockfiles verified?
    pub mode: Mode,
    /// Were signatures counted?
    pub signatures: SignatureCheck,
    /// How many approvals were due, where signatures were counted.
    pub approvals: Option<Due>,
    /// One for each lockfile, sorted by path.
    pub checked: Vec<Checked>,
    /// What else was found, sorted.
    pub findings: Vec<Finding>,
    /// What the servers of this shard said, where the run is one shard of several.
    pub shard: Option<Part>,
}

/// Does the run ask servers?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Every server is asked.
    Online,
    /// Lockfiles are verified, no server is asked (`--offline`).
    Offline,
}

impl Mode {
    /// As it stands in a report.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Online => "online",
            Mode::Offline => "offline",
        }
    }
}

/// Were signatures counted?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignatureCheck {
    /// Yes, and too few fail the run.
    Required,
    /// The policy says that only drift is checked.
    Off,
    /// There is no trust file to count them by.
    NotChecked,
}

/// How many approvals a lockfile needs, and how many people can give one now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Due {
    /// Approvals by distinct approvers.
    pub needed: usize,
    /// Approvers with a key that may sign now, each counted once.
    pub approvers: usize,
}

/// What makes a run fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// A block or an error.
    Error,
    /// A warning too.
    Warning,
    /// Nothing: the outcome is told and the run passes.
    Never,
}

impl Report {
    /// Puts everything in order.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.checked.sort_by(|a, b| a.path.cmp(&b.path));
        self.findings.sort();
        self
    }

    /// The worst verdict: drift before silence before `unchanged`; `None` if nothing was
    /// checked.
    pub fn verdict(&self) -> Option<Verdict> {
        let has = |verdict| {
            self.checked
                .iter()
                .any(|one| one.verdict() == verdict)
                .then_some(verdict)
        };
        has(Verdict::Changed)
            .or(has(Verdict::Unreachable))
            .or(has(Verdict::Unchanged))
    }

    /// `connect` only if every check says so, there was one, and no finding is an error.
    pub fn decision(&self) -> Decision {
        match self.verdict() {
            Some(verdict) if !self.has_at_least(Level::Error) => verdict.decision(),
            Some(_) | None => Decision::Block,
        }
    }

    /// Does the run pass? Offline the findings alone decide (design §5).
    pub fn passes(&self, fail_on: FailOn) -> bool {
        let blocked = match self.mode {
            Mode::Online => self
                .checked
                .iter()
                .any(|one| one.bearing == Bearing::Decides && one.decision() == Decision::Block),
            Mode::Offline => false,
        };
        match fail_on {
            FailOn::Never => true,
            FailOn::Error => !blocked && !self.has_at_least(Level::Error),
            FailOn::Warning => !blocked && !self.has_at_least(Level::Warning),
        }
    }

    fn has_at_least(&self, level: Level) -> bool {
        self.findings.iter().any(|finding| finding.level >= level)
    }

    /// The report document, as JSON text.
    ///
    /// # Errors
    /// [`ReadError`] as [`json::canonical_of`].
    pub fn document(&self) -> Result<String, ReadError> {
        let answers = self
            .checked
            .iter()
            .map(|one| one.answer(self.checked_at))
            .collect::<Result<_, _>>()?;
        let totals = Totals {
            lockfiles: self.checked.len(),
            verdicts: tally(&self.checked),
            findings: self.findings.len(),
        };
        Ok(json::print(&ReportText {
            kind: REPORT_KIND,
            v: 1,
            lockgate: env!("CARGO_PKG_VERSION"),
            checked_at: spelled(self.checked_at),
            trigger: self.trigger,
            base: self.base.as_deref(),
            commit: self.commit.as_deref(),
            mode: self.mode,
            signatures: self.signatures,
            approvals: self.approvals,
            verdict: self.verdict(),
            decision: self.decision(),
            totals,
            answers,
            findings: &self.findings,
            shard: self.shard.as_ref(),
        }))
    }
}

#[derive(Serialize)]
struct ReportText<'a> {
    kind: &'static str,
    v: u8,
    lockgate: &'static str,
    checked_at: String,
    trigger: Trigger,
    base: Option<&'a str>,
    commit: Option<&'a str>,
    mode: Mode,
    signatures: SignatureCheck,
    approvals: Option<Due>,
    verdict: Option<Verdict>,
    decision: Decision,
    totals: Totals,
    answers: Vec<Answer<'a>>,
    findings: &'a [Finding],
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<&'a Part>,
}

#[derive(Serialize)]
struct Totals {
    lockfiles: usize,
    #[serde(flatten)]
    verdicts: std::collections::BTreeMap<&'static str, usize>,
    findings: usize,
}
