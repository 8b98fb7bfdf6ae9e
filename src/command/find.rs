//! What was typed, and the event → what a run looks at, judged by every rule that needs no
//! server.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use jiff::Timestamp;
use lockgate::change::{Branch, Event, EventFault, Root, of_keys};
use lockgate::check::{Bearing, Finding, Mode, Rule, Trigger};
use lockgate::issue::Scope;
use lockgate::message::Message;
use lockgate::tell::Approves;
use lockgate::trust::ServerSecrets;
use lockgate::world::git::Repository;

use super::changed::{Changed, Comparing, changed};
use super::commits::{Apart, Commits};
use super::event::{self, event};
use super::ground::{DEEPEN, Ground, ground, operator, typed as as_typed};
use super::input;
use super::scope::scope;
use super::sides::Head;
use super::survey::{Survey, Surveyed, survey};
use crate::cli::Judging;
use crate::runner::Runner;

/// What a run looks at.
pub(super) struct Found {
    pub(super) trigger: Trigger,
    /// The default branch, if what stands on it is looked at.
    pub(super) default_branch: Option<Branch>,
    /// The lockfiles that are looked for.
    pub(super) scope: Scope,
    pub(super) mode: Mode,
    pub(super) root: Root,
    pub(super) secrets: Vec<ServerSecrets>,
    pub(super) survey: Survey,
    /// In a change, what it approves.
    pub(super) approves: Vec<Approves>,
    /// The commit that the change was compared with.
    pub(super) base: Option<String>,
    /// The commit that was checked.
    pub(super) commit: Option<String>,
}

/// What was typed of it.
#[derive(Clone, Copy)]
pub(super) struct Typed<'a> {
    pub(super) paths: &'a [PathBuf],
    pub(super) judging: &'a Judging,
}

impl Found {
    /// Takes out the lockfiles whose servers may be asked; the others' checks are over.
    pub(super) fn lockfiles(&mut self) -> Vec<Surveyed> {
        let survey = std::mem::take(&mut self.survey);
        self.survey = survey.refuse_contact();
        std::mem::take(&mut self.survey.lockfiles)
    }
}

/// Discovers and verifies: a change against its base, or what stands here.
pub(super) fn find(typed: Typed<'_>, runner: Option<&Runner>, now: Timestamp) -> Result<Found> {
    let Typed { paths, judging } = typed;
    let started = started(judging, runner)?;
    let trigger = started
        .as_ref()
        .map_or(Trigger::Local, |event| event.trigger);
    let mode = mode(judging.offline, trigger)?;
    let mut found = match (started.as_ref().zip(runner), &judging.base) {
        (None, None) => standing(paths, judging.config.as_deref(), now)?,
        (by, _) => compared(typed, by, now)?,
    };
    found.mode = mode;
    found.default_branch = started.zip(runner).and_then(of_default_branch);
    let survey = &mut found.survey;
    survey.findings.extend(not_asked(judging.offline, trigger));
    if survey.lockfiles.is_empty() && survey.refused.is_empty() && !judging.allow_empty {
        survey.findings.push(no_lockfile(paths));
    }
    Ok(found)
}

/// The default branch, where the event is about what stands on it.
fn of_default_branch((event, runner): (Event, &Runner)) -> Option<Branch> {
    let is_standing = event.trigger.untouched() == Bearing::Decides;
    let name = format!("refs/heads/{}", event.default_branch.name());
    (is_standing && runner.git_ref == name).then_some(event.default_branch)
}

/// The event, if one started the run. One that says nothing will do where a base is typed.
fn started(typed: &Judging, runner: Option<&Runner>) -> Result<Option<Event>> {
    match runner.map(event).transpose() {
        Err(error)
            if typed.base.is_some()
                && matches!(error.downcast_ref(), Some(EventFault::Unknown(_))) =>
        {
            Ok(None)
        }
        other => other,
    }
}

fn compared(
    Typed {
        paths,
        judging: typed,
    }: Typed<'_>,
    by: Option<(&Event, &Runner)>,
    now: Timestamp,
) -> Result<Found> {
    let repository = repository(typed)?;
    let comparing = comparing(&repository, typed, by)?;
    let trigger = comparing.trigger;
    let Changed {
        root,
        secrets,
        mut survey,
        approves,
        base,
        head,
    } = changed(&repository, comparing, now)?;
    let scope = scope(&repository, paths, typed)?;
    survey.narrow(&scope);
    Ok(Found {
        trigger,
        default_branch: None,
        scope,
        mode: Mode::Online,
        root,
        secrets,
        survey,
        approves,
        base: Some(base.as_str().to_owned()),
        commit: Some(head.as_str().to_owned()),
    })
}

fn comparing(
    repository: &Repository,
    typed: &Judging,
    by: Option<(&Event, &Runner)>,
) -> Result<Comparing> {
    let operator = typed
        .config
        .as_ref()
        .map(|path| operator(path, Some(repository)))
        .transpose()?;
    Ok(Comparing {
        commits: match (&typed.base, by) {
            (None, Some(by)) => event::commits(repository, by, operator.as_ref())?,
            (Some(_) | None, _) => typed_commits(repository, typed)?,
        },
        head: match (&typed.base, &typed.head) {
            (Some(_), None) => Head::WorkTree,
            (Some(_) | None, _) => Head::Objects,
        },
        operator,
        trigger: by.map_or(Trigger::Local, |(event, _)| event.trigger),
    })
}

fn repository(typed: &Judging) -> Result<Repository> {
    Repository::of(Path::new(".")).ok_or_else(|| match typed.base {
        Some(_) => anyhow!("`--base` needs a git repository, and there is none here"),
        None => anyhow!("there is no git repository here\nhint: run the checkout action first"),
    })
}

fn typed_commits(repository: &Repository, typed: &Judging) -> Result<Commits> {
    let base = typed.base.as_deref().unwrap_or_default();
    let head = typed.head.as_deref().unwrap_or("HEAD");
    Commits::find(repository, base, head).map_err(|apart| match apart {
        Apart::Missing(revision) => anyhow!(
            "{} names no commit that is at hand\nhint: {DEEPEN}; after a force-push, name the branch as it is now",
            as_typed(&revision)
        ),
        Apart::Unrelated => anyhow!(
            "{} and the head have no common ancestor that is at hand\nhint: {DEEPEN}",
            as_typed(base)
        ),
    })
}

/// What stands at some paths, held against the trust file of the ground they stand on.
pub(super) fn standing(paths: &[PathBuf], config: Option<&Path>, now: Timestamp) -> Result<Found> {
    let folder = paths.first().map_or(Path::new("."), |path| folder_of(path));
    let Ground { root, base, head } = ground(folder, config)?;
    let mut survey = survey(paths, &root)?.stand(&root, &base, now);
    survey.findings.extend(of_keys(&root, now));
    Ok(Found {
        trigger: Trigger::Local,
        default_branch: None,
        scope: Scope::Whole,
        mode: Mode::Online,
        secrets: root.file.servers.clone(),
        root,
        survey,
        approves: Vec::new(),
        base: None,
        commit: head.map(|head| head.as_str().to_owned()),
    })
}

/// Are servers asked? By default not where no secrets are, or where they may be stolen.
fn mode(offline: Option<bool>, trigger: Trigger) -> Result<Mode> {
    match (offline, trigger.offline_because()) {
        (Some(false), Some(why)) if trigger.is_objects_only() => {
            bail!("no server can be asked here: {why}\nhint: leave out `--offline=false`")
        }
        (Some(true), _) | (None, Some(_)) => Ok(Mode::Offline),
        (Some(false), _) | (None, None) => Ok(Mode::Online),
    }
}

fn not_asked(offline: Option<bool>, trigger: Trigger) -> Option<Finding> {
    let why = trigger.offline_because().filter(|_| offline.is_none())?;
    let message = Message::new(format!("no server was asked: {why}"));
    let hint = "the next run on the protected branch asks them";
    Some(Finding::new(Rule::NotAsked, message).hint(hint))
}

fn no_lockfile(paths: &[PathBuf]) -> Finding {
    let places: Vec<String> = paths
        .iter()
        .map(|path| input::shown(path).to_string())
        .collect();
    let message = Message::new(format!("no lockfile was found below {}", places.join(", ")));
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
