//! What was found and what servers said → the report, told everywhere, and the exit code.

use std::process::ExitCode;

use anyhow::Result;
use jiff::Timestamp;
use lockgate::change::{tell_blocks, tell_scans};
use lockgate::check::{Checked, FailOn, Mode, Outcome, Reason, Report};
use lockgate::tell::Run;
use lockgate::world::signals::{Interruption, Signals};

use super::announce::{Announced, announce};
use super::asked::Asked;
use super::failed;
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
pub(super) enum Issues<'a> {
    /// They are brought up to date, until a signal comes.
    Kept(&'a mut Signals),
    /// The run was stopped, and there is no time for them.
    Left(Interruption),
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
    pub(super) async fn tell(self, mut report: Report, issues: Issues<'_>) -> Result<ExitCode> {
        let Telling {
            format, fail_on, ..
        } = *self.telling;
        let mut troubles = Vec::new();
        let announced = self.announce(&mut report, issues).await;
        let Announced { issues, stopped } = announced.unwrap_or_else(|error| {
            troubles.push(error);
            Announced::default()
        });
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
        troubles.extend(self.papers.show(&run, format));
        if let Some(runner) = self.runner {
            troubles.extend(publish(&run, runner, format));
        }
        failed::all(troubles)?;
        let ended = || exit_code(&report, fail_on.into());
        Ok(stopped.map_or_else(ended, |signal| ExitCode::from(signal.exit_code())))
    }

    async fn announce(&self, report: &mut Report, issues: Issues<'_>) -> Result<Announced> {
        match (self.runner, issues) {
            (Some(runner), Issues::Kept(signals)) => {
                announce(report, (runner, &self.about), signals).await
            }
            (None, Issues::Kept(_)) => Ok(Announced::default()),
            (_, Issues::Left(signal)) => Ok(Announced {
                stopped: Some(signal),
                ..Announced::default()
            }),
        }
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
