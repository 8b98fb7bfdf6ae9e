//! `lockgate check`: discover, verify, list, compare, judge, tell.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use lockgate::check::{FailOn, Finding, Mode, Outcome, Reason, Report, Rule};
use lockgate::tell;
use lockgate::world::files::Pending;
use lockgate::world::signals::Interruption;
use lockgate::world::{clock, git};

use super::ask::{Asked, Asking, ask, offline};
use super::survey::{Survey, survey};
use super::{input, output};
use crate::cli::{Check, Format};
use crate::settings;

/// A fault of ours in one server's check (design §7).
const OUR_FAULT: u8 = 3;

pub(super) async fn run(typed: Check) -> Result<ExitCode> {
    let headers = for_origins(&typed.headers)?;
    let place = typed.report.as_deref().map(begin).transpose()?;
    let mode = if typed.offline {
        Mode::Offline
    } else {
        Mode::Online
    };
    let asking = Asking {
        settings: settings::reach(&typed.reach),
        concurrency: typed.concurrency.into(),
        headers: &headers,
    };
    let looking = Looking {
        paths: &typed.paths,
        mode,
        asking,
        allow_empty: typed.allow_empty,
    };
    let (report, interrupted) = look(looking).await?;
    show(&report, typed.format, place)?;
    Ok(match interrupted {
        Some(signal) => ExitCode::from(signal.exit_code()),
        None => exit_code(&report, typed.fail_on.into()),
    })
}

/// Where a run looks, and how.
pub(super) struct Looking<'a> {
    pub(super) paths: &'a [PathBuf],
    pub(super) mode: Mode,
    pub(super) asking: Asking<'a>,
    pub(super) allow_empty: bool,
}

/// Discovers, verifies, lists and compares; says also which signal ended the run early.
pub(super) async fn look(looking: Looking<'_>) -> Result<(Report, Option<Interruption>)> {
    let checked_at = clock::now();
    let Looking {
        paths,
        mode,
        asking,
        allow_empty,
    } = looking;
    let Survey {
        lockfiles,
        refused,
        mut findings,
    } = survey(paths)?;
    if lockfiles.is_empty() && refused.is_empty() && !allow_empty {
        findings.push(no_lockfile(paths));
    }
    let mut asked = match mode {
        Mode::Offline => offline(lockfiles),
        Mode::Online => ask(lockfiles, asking).await,
    };
    asked.checked.extend(refused);
    asked.findings.extend(findings);
    let Asked {
        checked,
        findings,
        interrupted,
    } = asked;
    let commit = paths.first().and_then(|path| git::head(folder_of(path)));
    Ok((
        Report {
            checked_at,
            commit,
            mode,
            checked,
            findings,
        }
        .sorted(),
        interrupted,
    ))
}

/// Headers of a check name their origin: a lockfile's word does not draw a secret.
pub(super) fn for_origins(typed: &[String]) -> Result<Vec<crate::header::HeaderSpec>> {
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

fn no_lockfile(paths: &[PathBuf]) -> Finding {
    let places: Vec<String> = paths
        .iter()
        .map(|path| input::shown(path).to_string())
        .collect();
    let message = lockgate::message::Message::new(format!(
        "no lockfile was found below {}",
        places.join(", ")
    ));
    Finding::new(Rule::NoLockfile, message)
        .hint("make one with `lockgate lock URL`, or pass `--allow-empty` where none is due")
}

fn folder_of(path: &Path) -> &Path {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    if path.is_dir() {
        path
    } else {
        parent.unwrap_or(Path::new("."))
    }
}
