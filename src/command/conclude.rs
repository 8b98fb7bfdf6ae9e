//! What was found and what servers said → the report, told everywhere, and the exit code.

use std::process::ExitCode;

use anyhow::Result;
use jiff::Timestamp;
use lockgate::change::{tell_blocks, tell_scans};
use lockgate::check::{Checked, FailOn, Mode, Outcome, Reason, Report};
use lockgate::tell::Run;

use super::announce::announce;
use super::asked::Asked;
use super::find::Found;
use super::input;
use super::papers::Papers;
use super::workflow::{About, publish};
use crate::cli::Telling;
use crate::runner::Runner;

/// A fault of ours in one server's check (design §7).
const OUR_FAULT: u8 = 3;

/// Judges all of it.
pub(super) fn conclude(found: Found, asked: Asked, now: Timestamp) -> Report {
    let (root, survey) = (found.root, found.survey);
    let Asked {
        mut checked,
        mut findings,
        part,
        ..
    } = asked;
    checked.extend(survey.refused);
    findings.extend(survey.findings);
    findings.extend(tell_scans(&checked, &root, now));
    if found.mode == Mode::Online {
        findings.extend(tell_blocks(&mut checked, &root, now));
    }
    let report = Report {
        checked_at: now,
        trigger: found.trigger,
        base: found.base,
        commit: found.commit,
        mode: found.mode,
        signatures: root.signatures(),
        approvals: root.due(now),
        checked,
        findings,
        shard: part,
    };
    report.sorted()
}

/// Where a run is told.
pub(super) struct Ending<'a> {
    papers: Papers,
    runner: Option<&'a Runner>,
    telling: &'a Telling,
    about: About,
}

/// What becomes of the issues on GitHub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Issues {
    /// They are brought up to date.
    Kept,
    /// The run was stopped, and there is no time for them.
    Left,
}

impl<'a> Ending<'a> {
    pub(super) fn of(
        found: &Found,
        papers: Papers,
        (runner, telling): (Option<&'a Runner>, &'a Telling),
    ) -> Self {
        Ending {
            papers,
            runner,
            telling,
            about: About::of(found),
        }
    }

    /// Tells it, and says how the run ends.
    pub(super) async fn tell(self, mut report: Report, issues: Issues) -> Result<ExitCode> {
        let Telling {
            format, fail_on, ..
        } = *self.telling;
        let issues = match (self.runner, issues) {
            (Some(runner), Issues::Kept) => announce(&mut report, runner, &self.about).await,
            (Some(_) | None, _) => Vec::new(),
        };
        let report_file = self.telling.report.as_deref().map(input::untrusted);
        let run = Run {
            report: &report,
            fail_on: fail_on.into(),
            keys: &self.about.trust.keys,
            approvals: self.about.trust.policy.approvals,
            approves: &self.about.approves,
            report_file: report_file.as_ref(),
            issues: &issues,
        };
        self.papers.show(&run, format)?;
        if let Some(runner) = self.runner {
            publish(&run, runner, format)?;
        }
        Ok(exit_code(&report, fail_on.into()))
    }
}

fn exit_code(report: &Report, fail_on: FailOn) -> ExitCode {
    let is_ours = |one: &Checked| matches!(&one.outcome, Outcome::Unlisted(unlisted) if unlisted.reason == Reason::InternalError);
    if report.checked.iter().any(is_ours) {
        ExitCode::from(OUR_FAULT)
    } else if report.passes(fail_on) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
