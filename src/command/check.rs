//! `lockgate check`: discover, verify, list, compare, judge, tell.

use std::process::ExitCode;

use anyhow::Result;
use jiff::Timestamp;
use lockgate::change::tell_blocks;
use lockgate::check::{FailOn, Mode, Outcome, Reason, Report};
use lockgate::trust::ServerSecrets;
use lockgate::world::clock;
use lockgate::world::mcp::Settings;
use lockgate::world::signals::Interruption;

use super::announce::announce;
use super::ask::{Asking, ask, offline};
use super::endpoint::Credentials;
use super::find::{Found, find};
use super::papers::Papers;
use super::survey::Survey;
use super::workflow::{About, Publishing, publish};
use crate::cli::Check;
use crate::header::HeaderSpec;
use crate::runner::runner;
use crate::settings;

/// A fault of ours in one server's check (design §7).
const OUR_FAULT: u8 = 3;

pub(super) async fn run(typed: Check) -> Result<ExitCode> {
    let now = clock::now();
    let headers = for_origins(&typed.headers)?;
    let papers = Papers::begin(&typed)?;
    let runner = runner();
    let found = find(&typed, runner.as_ref(), now)?;
    let looking = Looking {
        settings: settings::reach(&typed.reach),
        concurrency: typed.concurrency.into(),
        headers: &headers,
        now,
    };
    let about = About::of(&found);
    let (mut report, interrupted) = look(found, looking).await;
    let issues = match (&runner, interrupted) {
        (Some(runner), None) => announce(&mut report, runner, &about).await,
        (Some(_) | None, _) => Vec::new(),
    };
    papers.show(&report, typed.format)?;
    if let Some(runner) = &runner {
        let publishing = Publishing {
            runner,
            about: &about,
            fail_on: typed.fail_on.into(),
            report_file: typed.report.as_deref(),
            issues: &issues,
            format: typed.format,
        };
        publish(&report, &publishing)?;
    }
    Ok(match interrupted {
        Some(signal) => ExitCode::from(signal.exit_code()),
        None => exit_code(&report, typed.fail_on.into()),
    })
}

/// How a run looks.
pub(super) struct Looking<'a> {
    pub(super) settings: Settings,
    pub(super) concurrency: usize,
    pub(super) headers: &'a [HeaderSpec],
    pub(super) now: Timestamp,
}

/// Lists and compares; says also which signal ended the run early.
pub(super) async fn look(found: Found, looking: Looking<'_>) -> (Report, Option<Interruption>) {
    let (root, now) = (found.root, looking.now);
    let Survey {
        lockfiles,
        refused,
        findings,
    } = found.survey.refuse_contact();
    let mut asked = match found.mode {
        Mode::Offline => offline(lockfiles),
        Mode::Online => ask(lockfiles, looking.asking(&found.secrets)).await,
    };
    asked.checked.extend(refused);
    asked.findings.extend(findings);
    if found.mode == Mode::Online {
        asked
            .findings
            .extend(tell_blocks(&mut asked.checked, &root, now));
    }
    let report = Report {
        checked_at: now,
        trigger: found.trigger,
        base: found.base,
        commit: found.commit,
        mode: found.mode,
        signatures: root.signatures(),
        approvals: root.due(now),
        checked: asked.checked,
        findings: asked.findings,
    };
    (report.sorted(), asked.interrupted)
}

impl Looking<'_> {
    fn asking<'a>(&'a self, secrets: &'a [ServerSecrets]) -> Asking<'a> {
        Asking {
            settings: self.settings.clone(),
            concurrency: self.concurrency,
            credentials: Credentials {
                typed: self.headers,
                trusted: secrets,
                opened: &self.settings.allow_private_hosts,
            },
        }
    }
}

/// Headers of a check name their origin: a lockfile's word does not draw a secret.
pub(super) fn for_origins(typed: &[String]) -> Result<Vec<HeaderSpec>> {
    let specs = settings::headers(typed)?;
    if let Some(spec) = specs.iter().find(|spec| spec.origin.is_none()) {
        anyhow::bail!(
            "`--header` does not say where `{}` may go\nhint: name the origin first: `--header 'https://mcp.example.com {}: env:VARIABLE'`",
            spec.name,
            spec.name
        );
    }
    Ok(specs)
}

fn exit_code(report: &Report, fail_on: FailOn) -> ExitCode {
    let is_ours = |one: &lockgate::check::Checked| matches!(&one.outcome, Outcome::Unlisted(unlisted) if unlisted.reason == Reason::InternalError);
    if report.checked.iter().any(is_ours) {
        ExitCode::from(OUR_FAULT)
    } else if report.passes(fail_on) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
