//! Base, head and root → what fails, and what may be contacted: before any packet is sent.
//!
//! Obeys design §5: "changed" is another seal or a counted signature that is gone, than in
//! the merge base *and* than at the tip of base; layout and moves are no changes.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::approved::{Subject, approved, is_approved};
use super::behind::{is_behind, of_one_behind};
use super::coverage::coverage;
use super::gate::gate_changed;
use super::history::History;
use super::keys::of_keys;
use super::order::{Approved, out_of_order, url_changed};
use super::plain::not_plain;
use super::root::Root;
use super::servers::{duplicates, removed};
use super::side::Side;
use super::snapshot::RepoPath;
use super::trust_change::trust_change;
use super::{Contact, Standing, Touched};
use crate::check::{Finding, Level, SignatureCheck, Trigger};
use crate::lock::{Lockfile, ServerUrl};
use crate::trust::Moment;
use crate::untrusted::Untrusted;

/// A change that is judged.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    /// The tip of base, and where head left it.
    pub before: [&'a Side; 2],
    /// What would be merged.
    pub head: &'a Side,
    /// Who may approve, as base says.
    pub root: &'a Root,
    /// What base's first-parent history approved.
    pub history: &'a History,
    /// What started the run.
    pub trigger: Trigger,
    /// The time of the run.
    pub now: Timestamp,
}

/// What came of judging a change.
#[derive(Debug, Default)]
pub struct Judged {
    /// What was found.
    pub findings: Vec<Finding>,
    /// How each lockfile of head that can be used stands to the change.
    pub standing: BTreeMap<RepoPath, Standing>,
    /// The root that head's lockfiles were held against.
    pub root: Root,
}

/// Judges a change by all rules that need no server.
pub fn judge(change: Change<'_>) -> Judged {
    let Change {
        before,
        head,
        root,
        now,
        ..
    } = change;
    let trust = trust_change(change);
    let next = match trust.next {
        Some(next) => root.succeeded_by(next),
        None => root.clone(),
    };
    let mut judged = Judged {
        findings: trust.findings,
        root: next,
        ..Judged::default()
    };
    judged
        .findings
        .extend(not_plain(before, head, &root.exclude()));
    judged
        .root
        .verify(head.usable().map(|(_, lockfile)| lockfile));
    judged.lockfiles(change);
    judged
        .findings
        .extend(removed(before, head, &judged.root, |path, was| {
            change.is_moved_on(path, was, &judged.root)
        }));
    judged
        .findings
        .extend(coverage(before, head, &judged.root, now));
    judged.findings.extend(gate_changed(before, head));
    judged.findings.extend(of_keys(&judged.root, now));
    judged
}

impl Judged {
    fn lockfiles(&mut self, change: Change<'_>) {
        let shown: Vec<Untrusted> = change
            .head
            .usable()
            .map(|(path, _)| path.untrusted())
            .collect();
        let lockfiles = || shown.iter().zip(change.head.usable());
        let named = lockfiles().map(|(shown, (_, lockfile))| (shown, lockfile));
        self.findings.extend(duplicates(named));
        let mut failed: BTreeSet<Untrusted> = failed(&self.findings).collect();
        for (path, (place, lockfile)) in lockfiles() {
            let subject = Subject {
                path,
                lockfile,
                touched: change.touched(place, lockfile),
            };
            let findings = change.of_lockfile(place, subject, &self.root);
            failed.extend(self::failed(&findings));
            self.findings.extend(findings);
            // Nothing is sent for a lockfile that an error is about.
            let contact = match failed.contains(path) {
                true => Contact::Refused,
                false => change.contact(subject),
            };
            let standing = Standing {
                touched: subject.touched,
                contact,
            };
            self.standing.insert(place.clone(), standing);
        }
    }
}

/// The paths that errors are about.
fn failed(findings: &[Finding]) -> impl Iterator<Item = Untrusted> {
    let errors = findings
        .iter()
        .filter(|finding| finding.level == Level::Error);
    errors.filter_map(|finding| finding.path.clone())
}

impl Change<'_> {
    /// Does the change add or change the lockfile?
    fn touched(&self, path: &RepoPath, lockfile: &Lockfile) -> Touched {
        let identity = lockfile.identity();
        let holds = |was: &Lockfile| {
            was.seal() == lockfile.seal() && keeps_signatures(was, lockfile, self.root)
        };
        let stood = self
            .before
            .iter()
            .any(|side| side.counterpart(path, &identity, holds).is_some_and(holds));
        if stood {
            Touched::Not
        } else {
            Touched::ByChange
        }
    }

    fn of_lockfile(&self, path: &RepoPath, subject: Subject<'_>, root: &Root) -> Vec<Finding> {
        let mut findings = approved(subject, root, self.now);
        if subject.touched == Touched::Not && is_behind(path, self.head, self.before) {
            findings = findings.into_iter().map(of_one_behind).collect();
        }
        let by_base = match is_approved(subject.lockfile, root, self.moment(subject.touched)) {
            true => Approved::ByBase,
            false => Approved::Not,
        };
        findings.extend(url_changed(path, subject, self.before, by_base));
        if subject.touched == Touched::ByChange {
            findings.extend(out_of_order(subject, self.history));
        }
        findings
    }

    fn moment(&self, touched: Touched) -> Moment {
        match touched {
            Touched::ByChange => Moment::Now(self.now),
            Touched::Not => Moment::Approval,
        }
    }

    /// Secrets go to a URL that stood on base, or that base's own keys approved.
    fn contact(&self, subject: Subject<'_>) -> Contact {
        let url = &subject.lockfile.server().url;
        let stood = self.before.iter().any(|side| has_url(side, url));
        if stood || is_approved(subject.lockfile, self.root, self.moment(subject.touched)) {
            Contact::WithSecrets
        } else {
            Contact::WithoutSecrets
        }
    }

    /// Did a new approval for the same URL, asked with other headers, take its place?
    fn is_moved_on(&self, path: &RepoPath, was: &Lockfile, root: &Root) -> bool {
        self.head.lockfile(path).is_some_and(|is| {
            is.server().url == was.server().url
                && is.approved_at() > was.approved_at()
                && is_approved(is, root, Moment::Now(self.now))
        })
    }
}

/// Does `is` have every approval that `was` has?
fn keeps_signatures(was: &Lockfile, is: &Lockfile, root: &Root) -> bool {
    let is_same = was.signatures() == is.signatures();
    if is_same || root.signatures() != SignatureCheck::Required {
        return true;
    }
    let approvers = |lockfile| root.approvals(lockfile, Moment::Approval).approvers;
    let now = approvers(is);
    approvers(was).keys().all(|name| now.contains_key(name))
}

fn has_url(side: &Side, url: &ServerUrl) -> bool {
    side.usable()
        .any(|(_, lockfile)| lockfile.server().url == *url)
}

/// How a lockfile stands where nothing is compared with a base: on a person's machine, or
/// in a nightly run. `base` is where its headers' URL must have stood.
pub fn stand(
    subject: Subject<'_>,
    root: &Root,
    base: &Side,
    now: Timestamp,
) -> (Vec<Finding>, Standing) {
    let findings = approved(subject, root, now);
    let stood = has_url(base, &subject.lockfile.server().url);
    let contact = if findings.iter().any(|finding| finding.level == Level::Error) {
        Contact::Refused
    } else if stood || is_approved(subject.lockfile, root, Moment::Approval) {
        Contact::WithSecrets
    } else {
        Contact::TypedSecrets
    };
    (
        findings,
        Standing {
            touched: subject.touched,
            contact,
        },
    )
}
