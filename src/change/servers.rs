//! Base and head → which servers lost their lockfile, and which have two that disagree.
//!
//! Obeys design §5 (`lockfile-removed`, `duplicate-server`): servers are matched by
//! identity, never by a path alone.

use std::collections::BTreeMap;

use super::RepoPath;
use super::root::Root;
use super::side::Side;
use crate::check::{Finding, Rule};
use crate::lock::{Candidate, Identity, Lockfile};
use crate::message::Message;
use crate::untrusted::Untrusted;

/// Servers of both befores that head does not pin. `moved` says of a path and the lockfile
/// that stood there whether an approved one of the same URL took its place.
pub(super) fn removed(
    before: [&Side; 2],
    head: &Side,
    root: &Root,
    moved: impl Fn(&RepoPath, &Lockfile) -> bool,
) -> Vec<Finding> {
    let [base, fork] = before;
    let now = by_server(head);
    let then = by_server(fork);
    let mut findings = Vec::new();
    for (identity, stood) in by_server(base) {
        let is_given_up = root.file.policy.removed.contains(&identity.url);
        let is_told = stood.iter().any(|(path, _)| is_broken(head, path));
        let is_moved = stood.iter().any(|(path, lockfile)| moved(path, lockfile));
        if now.contains_key(&identity)
            || !then.contains_key(&identity)
            || is_given_up
            || is_told
            || is_moved
        {
            continue;
        }
        let message = Message::new("no lockfile pins ")
            .theirs(&identity.url.untrusted())
            .ours(" any more");
        let finding = Finding::new(Rule::LockfileRemoved, message)
            .hint("restore it, or list the server in `policy.removed` of the trust file, in a change that base's approvers sign");
        let path = stood
            .first()
            .map(|(path, _)| path.untrusted())
            .unwrap_or_default();
        findings.push(finding.at(&path, None));
    }
    findings
}

/// A lockfile that cannot be used is told as such.
pub(super) fn is_broken(head: &Side, path: &RepoPath) -> bool {
    let is_refused = head
        .lockfiles
        .get(path)
        .is_some_and(|one| matches!(**one, Candidate::Refused(_)));
    let content = head.content(path);
    is_refused || content.is_some_and(|content| content.bytes().is_none() || content.is_pointer())
}

type Stood<'a> = Vec<(&'a RepoPath, &'a Lockfile)>;

fn by_server(side: &Side) -> BTreeMap<Identity, Stood<'_>> {
    let mut servers: BTreeMap<Identity, Stood<'_>> = BTreeMap::new();
    for (path, lockfile) in side.usable() {
        servers
            .entry(lockfile.identity())
            .or_default()
            .push((path, lockfile));
    }
    servers
}

/// Lockfiles of one server that pin different tools: each but the first is told.
pub fn duplicates<'a>(
    lockfiles: impl IntoIterator<Item = (&'a Untrusted, &'a Lockfile)>,
) -> Vec<Finding> {
    let mut first: BTreeMap<Identity, (&Untrusted, &Lockfile)> = BTreeMap::new();
    let mut findings = Vec::new();
    for (path, lockfile) in lockfiles {
        let (other, same) = *first.entry(lockfile.identity()).or_insert((path, lockfile));
        if pins(lockfile) != pins(same) {
            let message = Message::new("pins other tools of this server than ").theirs(other);
            findings.push(
                Finding::new(Rule::DuplicateServer, message)
                    .hint(
                        "`lockgate approve` rewrites every lockfile of a server after one reading",
                    )
                    .at(path, None),
            );
        }
    }
    findings
}

fn pins(lockfile: &Lockfile) -> impl PartialEq + '_ {
    let extended = lockfile
        .extended()
        .map(|pins| (&pins.tools, pins.instructions_sha256));
    (lockfile.tools_sha256(), extended)
}
