//! Client configs and lockfiles → is every server that a client would use pinned?
//!
//! Obeys design §5 (`server-without-lockfile`): what the change brought is an error, what
//! base had already is a warning.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::approved::day;
use super::clients::{Named, Target, is_config, named};
use super::root::Root;
use super::servers::is_broken;
use super::side::Side;
use super::snapshot::{Content, RepoPath};
use crate::check::{Finding, Level, Rule};
use crate::lock::ServerUrl;
use crate::message::Message;
use crate::untrusted::Untrusted;

/// What the client configs of one side name.
#[derive(Debug, Default)]
struct Clients {
    files: BTreeMap<RepoPath, Option<Vec<Named>>>,
    locked: BTreeSet<String>,
}

impl Clients {
    fn of(side: &Side) -> Self {
        let configs = side
            .snapshot
            .files
            .iter()
            .filter(|(path, _)| is_config(path));
        let read = |(path, content): (&RepoPath, &Content)| {
            Some((path.clone(), named(path, content.bytes()?)))
        };
        let locked = side
            .usable()
            .map(|(_, lockfile)| lockfile.server().url.url().to_string());
        Clients {
            files: configs.filter_map(read).collect(),
            locked: locked.collect(),
        }
    }

    fn entries(&self) -> impl Iterator<Item = &Named> {
        self.files.values().flatten().flatten()
    }

    fn covers(&self, target: &Target) -> bool {
        matches!(target, Target::Url(url) if self.locked.contains(url))
    }

    /// Did an entry of that name lead there already, as little pinned as now?
    fn has_uncovered(&self, entry: &Named) -> bool {
        let is_it = |other: &Named| other.name == entry.name && other.target == entry.target;
        self.entries().any(is_it) && !self.covers(&entry.target)
    }

    /// Did an entry of that name lead somewhere else?
    fn led_elsewhere(&self, entry: &Named) -> bool {
        self.entries()
            .any(|other| other.name == entry.name && other.target != entry.target)
    }
}

/// Judges the client configs of head.
pub(super) fn coverage(
    stood: [&Side; 2],
    head: &Side,
    root: &Root,
    now: Timestamp,
) -> Vec<Finding> {
    let before = stood.map(Clients::of);
    let mut head_clients = Clients::of(head);
    head_clients.locked.extend(broken(stood, head));
    let mut findings = Vec::new();
    for (path, entries) in &head_clients.files {
        let shown = path.untrusted();
        let Some(entries) = entries else {
            let stood = before
                .iter()
                .any(|side| side.files.get(path) == Some(&None));
            findings.push(unreadable(stood).at(&shown, None));
            continue;
        };
        for entry in entries
            .iter()
            .filter(|entry| !head_clients.covers(&entry.target))
        {
            let finding = uncovered(entry, &before);
            findings.push(amber(finding.at(&shown, entry.line), entry, root, now));
        }
    }
    if head_clients.entries().next().is_some() {
        findings.extend(unused(head, &head_clients));
    }
    findings
}

/// The servers whose lockfile cannot be used any more: that is told already.
fn broken<'a>(stood: [&'a Side; 2], head: &'a Side) -> impl Iterator<Item = String> + 'a {
    let lockfiles = stood.into_iter().flat_map(Side::usable);
    lockfiles
        .filter(|(path, _)| is_broken(head, path))
        .map(|(_, lockfile)| lockfile.server().url.url().to_string())
}

fn unreadable(stood: bool) -> Finding {
    let level = if stood { Level::Warning } else { Level::Error };
    Finding::new(
        Rule::CannotTell,
        "the client config cannot be read: no JSON that all clients take alike",
    )
    .level(level)
    .hint("write it without duplicate names, as JSON (comments and trailing commas are read)")
}

fn uncovered(entry: &Named, before: &[Clients; 2]) -> Finding {
    let stood = before.iter().any(|side| side.has_uncovered(entry));
    let level = if stood { Level::Warning } else { Level::Error };
    let it = Message::new("the entry ").theirs(&entry.name);
    match &entry.target {
        Target::Url(url) => {
            let url = Untrusted::new(url.as_str());
            Finding::new(Rule::ServerWithoutLockfile, it.ours(" leads to ").theirs(&url).ours(", which no lockfile pins"))
                .level(level)
                .hint("`lockgate lock URL` makes a lockfile; an approver reads and signs it with `lockgate approve`")
        }
        // A program that is new is code like any other; one in the place of a server that
        // was pinned takes the pin away.
        Target::Local => {
            let elsewhere = before.iter().any(|side| side.led_elsewhere(entry));
            let level = if elsewhere { level } else { Level::Warning };
            Finding::new(
                Rule::ServerWithoutLockfile,
                it.ours(" starts a program (stdio), which lockfiles cannot pin"),
            )
            .level(level)
            .hint("review the program and its version as code")
        }
        Target::Unknown => Finding::new(
            Rule::CannotTell,
            it.ours(" depends on what cannot be seen here"),
        )
        .level(level)
        .hint("write one URL in full, or with a default: `${VARIABLE:-https://…}`"),
    }
}

/// Where the trust file accepts it, it is a warning until the day it ends.
fn amber(finding: Finding, entry: &Named, root: &Root, now: Timestamp) -> Finding {
    // No other rule about a URL is made here, and no other one can be accepted.
    let Target::Url(url) = &entry.target else {
        return finding;
    };
    let accept = ServerUrl::parse(url).ok();
    let accept = accept.and_then(|url| root.file.accept(&url, finding.rule.id(), now).cloned());
    match accept {
        Some(accept) => {
            let until = format!("accepted until {}: ", day(accept.until));
            let hint = Message::new(until).theirs(&Untrusted::new(accept.reason));
            finding.level(Level::Warning).hint(hint)
        }
        None => finding,
    }
}

fn unused(head: &Side, clients: &Clients) -> Vec<Finding> {
    let is_named = |url: &ServerUrl| {
        let target = Target::Url(url.url().to_string());
        clients.entries().any(|entry| entry.target == target)
    };
    head.usable()
        .filter(|(_, lockfile)| !is_named(&lockfile.server().url))
        .map(|(path, _)| {
            Finding::new(
                Rule::UnusedLockfile,
                "no client config of this repository names its server",
            )
            .at(&path.untrusted(), None)
        })
        .collect()
}
