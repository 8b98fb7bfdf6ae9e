//! `lockgate check`: discover, verify, list, compare, judge, tell.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use jiff::Timestamp;
use lockgate::change::{Root, of_keys, tell_blocks};
use lockgate::check::{FailOn, Finding, Mode, Outcome, Reason, Report, Rule};
use lockgate::tell;
use lockgate::trust::ServerSecrets;
use lockgate::world::clock;
use lockgate::world::files::Pending;
use lockgate::world::mcp::Settings;
use lockgate::world::signals::Interruption;

use super::ask::{Asking, ask, offline};
use super::changed::{Changed, Comparing, changed};
use super::endpoint::Credentials;
use super::ground::{Ground, ground};
use super::survey::{Survey, survey};
use super::{input, output};
use crate::cli::{Check, Format};
use crate::header::HeaderSpec;
use crate::settings;

/// A fault of ours in one server's check (design §7).
const OUR_FAULT: u8 = 3;

pub(super) async fn run(typed: Check) -> Result<ExitCode> {
    let now = clock::now();
    let headers = for_origins(&typed.headers)?;
    let place = typed.report.as_deref().map(begin).transpose()?;
    let looking = Looking {
        mode: if typed.offline {
            Mode::Offline
        } else {
            Mode::Online
        },
        settings: settings::reach(&typed.reach),
        concurrency: typed.concurrency.into(),
        headers: &headers,
        now,
    };
    let found = find(&typed, now)?;
    let (report, interrupted) = look(found, looking).await;
    show(&report, typed.format, place)?;
    Ok(match interrupted {
        Some(signal) => ExitCode::from(signal.exit_code()),
        None => exit_code(&report, typed.fail_on.into()),
    })
}

/// How a run looks.
pub(super) struct Looking<'a> {
    pub(super) mode: Mode,
    pub(super) settings: Settings,
    pub(super) concurrency: usize,
    pub(super) headers: &'a [HeaderSpec],
    pub(super) now: Timestamp,
}

/// What a run looks at, judged by every rule that needs no server.
pub(super) struct Found {
    pub(super) root: Root,
    pub(super) secrets: Vec<ServerSecrets>,
    pub(super) survey: Survey,
    pub(super) commit: Option<String>,
    /// The commit that it is compared with.
    pub(super) base: Option<String>,
}

/// Discovers and verifies: a change against its base, or what stands here.
fn find(typed: &Check, now: Timestamp) -> Result<Found> {
    let mut found = match &typed.base {
        Some(base) => {
            let comparing = Comparing {
                base,
                head: typed.head.as_deref(),
                config: typed.config.as_deref(),
            };
            let Changed {
                root,
                secrets,
                survey,
                head,
                base,
            } = changed(&comparing, now)?;
            Found {
                root,
                secrets,
                survey,
                commit: Some(head.as_str().to_owned()),
                base: Some(base.as_str().to_owned()),
            }
        }
        None => standing(&typed.paths, typed.config.as_deref(), now)?,
    };
    let survey = &mut found.survey;
    if survey.lockfiles.is_empty() && survey.refused.is_empty() && !typed.allow_empty {
        survey.findings.push(no_lockfile(&typed.paths));
    }
    Ok(found)
}

/// What stands at some paths, held against the trust file of the ground they stand on.
pub(super) fn standing(paths: &[PathBuf], config: Option<&Path>, now: Timestamp) -> Result<Found> {
    let folder = paths.first().map_or(Path::new("."), |path| folder_of(path));
    let Ground { root, base, head } = ground(folder, config)?;
    let mut survey = survey(paths, &root)?.stand(&root, &base, now);
    survey.findings.extend(of_keys(&root, now));
    Ok(Found {
        secrets: root.file.servers.clone(),
        root,
        survey,
        commit: head.map(|head| head.as_str().to_owned()),
        base: None,
    })
}

/// Lists and compares; says also which signal ended the run early.
pub(super) async fn look(found: Found, looking: Looking<'_>) -> (Report, Option<Interruption>) {
    let Found {
        root,
        secrets,
        survey,
        commit,
        base,
    } = found;
    let Looking { mode, now, .. } = looking;
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
        commit,
        base,
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
