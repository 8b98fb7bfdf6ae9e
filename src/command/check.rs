//! `lockgate check`: discover, verify, list, compare, judge, tell.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use jiff::Timestamp;
use lockgate::change::tell_blocks;
use lockgate::check::{FailOn, Mode, Outcome, Reason, Report};
use lockgate::tell;
use lockgate::trust::ServerSecrets;
use lockgate::world::clock;
use lockgate::world::files::Pending;
use lockgate::world::mcp::Settings;
use lockgate::world::signals::Interruption;

use super::ask::{Asking, ask, offline};
use super::endpoint::Credentials;
use super::find::{Found, find};
use super::survey::Survey;
use super::{input, output};
use crate::cli::{Check, Format};
use crate::header::HeaderSpec;
use crate::runner::runner;
use crate::settings;

/// A fault of ours in one server's check (design §7).
const OUR_FAULT: u8 = 3;

pub(super) async fn run(typed: Check) -> Result<ExitCode> {
    let now = clock::now();
    let headers = for_origins(&typed.headers)?;
    let place = typed.report.as_deref().map(begin).transpose()?;
    let runner = runner();
    let found = find(&typed, runner.as_ref(), now)?;
    let looking = Looking {
        settings: settings::reach(&typed.reach),
        concurrency: typed.concurrency.into(),
        headers: &headers,
        now,
    };
    let (report, interrupted) = look(found, looking).await;
    show(&report, typed.format, place)?;
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
    let Found {
        trigger,
        mode,
        root,
        secrets,
        survey,
        base,
        commit,
    } = found;
    let now = looking.now;
    let Survey {
        lockfiles,
        refused,
        findings,
    } = survey.refuse_contact();
    let mut asked = match mode {
        Mode::Offline => offline(lockfiles),
        Mode::Online => ask(lockfiles, looking.asking(&secrets)).await,
    };
    asked.checked.extend(refused);
    asked.findings.extend(findings);
    if mode == Mode::Online {
        asked
            .findings
            .extend(tell_blocks(&mut asked.checked, &root, now));
    }
    let report = Report {
        checked_at: now,
        trigger,
        base,
        commit,
        mode,
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

fn begin(path: &Path) -> Result<(PathBuf, Pending)> {
    let pending = Pending::begin(path).with_context(|| cannot_write(path))?;
    Ok((path.to_owned(), pending))
}

fn cannot_write(path: &Path) -> String {
    format!("the report {} cannot be written", input::shown(path))
}

fn show(report: &Report, format: Format, place: Option<(PathBuf, Pending)>) -> Result<()> {
    let document = match (format, &place) {
        (Format::Text, None) => String::new(),
        (Format::Json, _) | (Format::Text, Some(_)) => {
            report.document().context("the report cannot be made")?
        }
    };
    let written = place.map(|(path, pending)| {
        pending
            .replace(document.as_bytes())
            .with_context(|| cannot_write(&path))
    });
    match format {
        Format::Text => output::text(&tell::report(report))?,
        Format::Json => output::document(&document)?,
    }
    written.unwrap_or(Ok(()))
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
