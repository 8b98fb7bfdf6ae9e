//! `lockgate merge`: the reports of all shards → one report, as if one run had asked.
//!
//! Discovers, verifies and judges as `check` does, in the same checkout; a report only
//! stands in for asking. What no report says is `not-checked`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use lockgate::Verdict;
use lockgate::check::{
    Comparison, Listed, Mode, Outcome, PartReport, Parts, Read, Reason, Said, Stamp, Unlisted,
    notes,
};
use lockgate::lock::Listing;
use lockgate::world::clock;
use lockgate::world::files::Unread;
use lockgate::world::reports::{MAX_REPORT_BYTES, read_report, reports};

use super::asked::{Asked, by_server, offline};
use super::conclude::{Ending, Issues, conclude};
use super::find::{Found, Typed, find};
use super::input;
use super::papers::Papers;
use super::survey::Surveyed;
use crate::cli::Merge;
use crate::runner::{Runner, runner};

pub(super) async fn run(typed: &Merge) -> Result<ExitCode> {
    let now = clock::now();
    let papers = Papers::begin(&typed.telling)?;
    let runner = runner();
    let looked = Typed {
        paths: &typed.paths,
        judging: &typed.judging,
    };
    let mut found = find(looked, runner.as_ref(), now)?;
    let read = typed.reports.iter().flat_map(|path| read(path)).collect();
    let mut parts = Parts::gather(read, &stamp(&found, runner.as_ref()), now);
    let ending = Ending::of(&found, papers, (runner.as_ref(), &typed.telling));
    let lockfiles = found.lockfiles();
    let mut asked = match found.mode {
        Mode::Offline => offline(lockfiles, None),
        Mode::Online => joined(lockfiles, &parts),
    };
    asked.findings.append(&mut parts.findings);
    let mut report = conclude(found, asked, now);
    // No newer than the oldest of what it is made of.
    report.checked_at = parts.looked_at.unwrap_or(now).min(now);
    ending.tell(report, Issues::Kept).await
}

fn stamp(found: &Found, runner: Option<&Runner>) -> Stamp {
    let run = runner.and_then(|runner| runner.run.as_deref());
    let revisions = [found.base.as_deref(), found.commit.as_deref(), run];
    Stamp::new(found.trigger, found.mode, revisions)
}

/// The reports at a path, or why there is none.
fn read(path: &Path) -> Vec<Read> {
    let one = |path: &PathBuf| {
        let bytes = read_report(path).map_err(|unread| cannot_read(&unread));
        let report =
            bytes.and_then(|bytes| PartReport::read(&bytes).map_err(|fault| fault.to_string()));
        (input::untrusted(path), report)
    };
    let none = |why: String| vec![(input::untrusted(path), Err(why))];
    match reports(path) {
        Ok(paths) if paths.is_empty() => none("no `*.json` is in this folder".to_owned()),
        Ok(paths) => paths.iter().map(one).collect(),
        Err(error) => none(cannot_read(&Unread::Io(error))),
    }
}

fn cannot_read(unread: &Unread) -> String {
    match unread {
        Unread::TooLarge => format!(
            "it is larger than {} MiB, so more shards are due",
            MAX_REPORT_BYTES / 1024 / 1024
        ),
        Unread::NotPlain | Unread::Io(_) => {
            format!("it cannot be read: {}", input::cause(unread))
        }
    }
}

/// What came of asking, by the reports.
fn joined(lockfiles: Vec<Surveyed>, parts: &Parts) -> Asked {
    let mut asked = Asked::default();
    for (server, group) in by_server(lockfiles) {
        match parts.said(server.digest()) {
            Ok(Said::Listed(listed)) => listed_again(&mut asked, group, listed),
            Ok(Said::Unlisted(unlisted)) => asked.silence(group, unlisted),
            Err(unlisted) => asked.silence(group, &unlisted),
        }
    }
    asked
}

/// Compares a listing again; one that is not told is what a seal stands for, and nothing else.
fn listed_again(asked: &mut Asked, group: Vec<Surveyed>, listed: &Listed) {
    let Some(text) = &listed.listing else {
        for one in group {
            sealed(asked, one, listed);
        }
        return;
    };
    let Ok(listing) = Listing::parse(text.as_bytes()) else {
        return asked.silence(
            group,
            &not_as_written("holds a listing that cannot be read"),
        );
    };
    let listing = listing.with_server_info(listed.surface.server_info.clone());
    let mut compared = Asked::default();
    compared.compare(group, &listing, &listed.surface, &listed.scan);
    let differs = |one: &lockgate::check::Checked| one.verdict() == Verdict::Changed;
    if !compared.checked.iter().any(differs) {
        let unlisted = not_as_written("tells of drift, and gives the approved listing");
        for one in &mut compared.checked {
            one.outcome = Outcome::Unlisted(unlisted.clone());
        }
    }
    asked.checked.append(&mut compared.checked);
    asked.findings.append(&mut compared.findings);
}

fn sealed(asked: &mut Asked, mut one: Surveyed, listed: &Listed) {
    if !listed.unchanged.contains(&one.lockfile.seal()) {
        let unlisted = not_as_written("is of another lockfile");
        return asked.settle(one, Outcome::Unlisted(unlisted));
    }
    let findings = notes(&one.shown, &one.lockfile, &listed.surface);
    asked.findings.extend(findings);
    one.scan = Some(listed.scan.clone());
    let comparison = Comparison::with_the_same(&one.lockfile);
    asked.settle(one, Outcome::Compared(comparison));
}

fn not_as_written(what: &str) -> Unlisted {
    Unlisted {
        reason: Reason::NotChecked,
        detail: format!("the report of its shard {what}"),
        said: None,
        hint: Some("run the shards and the merge again, at the same commit".to_owned()),
    }
}
