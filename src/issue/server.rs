//! [`Report`] → the servers of a run, each once, whatever number of lockfiles pin it.
//!
//! Obeys design §2 (identity: URL, headers, names of secret headers) and §3 (drifted, could
//! not check and was not asked are told apart).

use std::collections::BTreeMap;

use super::approval::{Approval, approval};
use super::evidence::Evidence;
use crate::check::{Cause, Checked, Outcome, Reason, Report, Rule, Unlisted};
use crate::lock::{Digest, Identity, LOCKFILE_ENDING, ServerUrl};
use crate::trust::TrustedKey;
use crate::untrusted::Untrusted;

/// One server, as a run saw it.
#[derive(Debug, Clone)]
pub struct Server<'a> {
    /// Digest of its identity.
    pub key: Digest,
    /// Its URL.
    pub url: &'a ServerUrl,
    /// The first lockfile of it.
    pub path: &'a Untrusted,
    /// The checks of its lockfiles, sorted by path; never empty.
    pub checked: Vec<&'a Checked>,
    /// What it is called in a title: plain characters only, and no other server of the run
    /// is called the same.
    pub name: String,
    /// What came of them.
    pub condition: Condition<'a>,
    /// Who approved it, and when.
    pub(super) approval: Approval,
    /// Is it asked with headers that are secrets?
    pub(super) secrets: Secrets,
}

/// Is a server asked with secrets, on which its list may depend?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Secrets {
    None,
    Some,
}

/// What came of a server's checks.
#[derive(Debug, Clone)]
pub enum Condition<'a> {
    /// It offers what every lockfile of it pins.
    Same,
    /// It answered, and not with what was approved.
    Drifted(Evidence<'a>),
    /// It gave no listing.
    Silent(&'a Unlisted),
    /// It gave no listing, and the trust file accepts that for a while.
    Accepted(&'a Unlisted),
    /// It was not asked: nothing is known.
    NotAsked(&'a Unlisted),
}

/// The servers of a report, sorted by the path of their first lockfile. A lockfile that does
/// not say which server it pins has none.
pub(super) fn servers<'a>(report: &'a Report, keys: &[TrustedKey]) -> Vec<Server<'a>> {
    let mut groups: BTreeMap<Identity, Vec<&Checked>> = BTreeMap::new();
    for one in &report.checked {
        if let Some(lockfile) = &one.lockfile {
            groups.entry(lockfile.identity()).or_default().push(one);
        }
    }
    let server = |(identity, checked): (Identity, Vec<&'a Checked>)| {
        server(report, (&identity, checked), keys)
    };
    let mut servers: Vec<Server<'_>> = groups.into_iter().filter_map(server).collect();
    servers.sort_by(|a, b| a.path.cmp(b.path).then(a.key.cmp(&b.key)));
    name(&mut servers);
    servers
}

fn server<'a>(
    report: &'a Report,
    (identity, mut checked): (&Identity, Vec<&'a Checked>),
    keys: &[TrustedKey],
) -> Option<Server<'a>> {
    checked.sort_by(|a, b| a.path.cmp(&b.path));
    let secrets = match identity.headers.secret_headers.is_empty() {
        true => Secrets::None,
        false => Secrets::Some,
    };
    Some(Server {
        key: identity.digest(),
        url: checked.first()?.url()?,
        path: &checked.first()?.path,
        name: String::new(),
        condition: condition(report, &checked),
        approval: approval(report, &checked, keys)?,
        secrets,
        checked,
    })
}

/// The worst that is known: drift, then what was not asked, then silence.
fn condition<'a>(report: &Report, checked: &[&'a Checked]) -> Condition<'a> {
    if let Some(evidence) = Evidence::of(checked) {
        return Condition::Drifted(evidence);
    }
    let unlisted = || {
        checked
            .iter()
            .filter_map(|one| unlisted(one).map(|why| (*one, why)))
    };
    if let Some((_, why)) = unlisted().find(|(_, why)| !was_asked(why.reason)) {
        return Condition::NotAsked(why);
    }
    let is_accepted = |one: &Checked| {
        let at = |path: &Untrusted| *path == one.path;
        let accepted = report
            .findings
            .iter()
            .filter(|finding| finding.rule == Rule::Accepted);
        accepted.filter_map(|finding| finding.path.as_ref()).any(at)
    };
    match unlisted().find(|(one, _)| !is_accepted(one)) {
        Some((_, why)) => Condition::Silent(why),
        None => match unlisted().next() {
            Some((_, why)) => Condition::Accepted(why),
            None => Condition::Same,
        },
    }
}

fn unlisted(one: &Checked) -> Option<&Unlisted> {
    match &one.outcome {
        Outcome::Compared(_) => None,
        Outcome::Unlisted(unlisted) => Some(unlisted),
    }
}

/// Does the reason say anything about the server?
fn was_asked(reason: Reason) -> bool {
    match reason.cause() {
        Cause::NotAsked | Cause::Lockfile | Cause::Ours => false,
        Cause::Silence | Cause::Credentials | Cause::Drift => true,
    }
}

/// Host and port; where several servers share them, also what the lockfile is called; where
/// that is shared too, the start of the key.
fn name(servers: &mut [Server<'_>]) {
    let hosts: Vec<String> = servers.iter().map(host).collect();
    let named = |(server, host): (&Server<'_>, &String)| format!("{host} ({})", stem(server.path));
    let longer: Vec<String> = servers.iter().zip(&hosts).map(named).collect();
    let (hosts, longer) = (counted(hosts), counted(longer));
    for (server, (host, longer)) in servers.iter_mut().zip(hosts.into_iter().zip(longer)) {
        server.name = match (host, longer) {
            ((host, 1), _) => host,
            (_, (longer, 1)) => longer,
            (_, (longer, _)) => {
                let key: String = server.key.to_string().chars().take(8).collect();
                format!("{longer} {key}")
            }
        };
    }
}

/// Each text, and how often it stands there.
fn counted(texts: Vec<String>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    texts
        .iter()
        .for_each(|text| *counts.entry(text.clone()).or_default() += 1);
    let count = |text: String| {
        let count = counts.get(&text).copied().unwrap_or_default();
        (text, count)
    };
    texts.into_iter().map(count).collect()
}

fn host(server: &Server<'_>) -> String {
    let url = server.url.url();
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    plain(&format!("{}{port}", url.host_str().unwrap_or_default()))
}

/// A lockfile's name without its folder and ending.
fn stem(path: &Untrusted) -> String {
    let name = path
        .as_arrived()
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default();
    plain(name.strip_suffix(LOCKFILE_ENDING).unwrap_or(name))
}

/// What no page reads as anything but a name; the rest stands as `?`.
fn plain(text: &str) -> String {
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']' | '_');
    text.chars()
        .map(|c| if is_plain(c) { c } else { '?' })
        .take(80)
        .collect()
}
