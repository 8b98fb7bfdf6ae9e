//! `check --base`: both sides as objects, judged by every rule before any packet is sent.
//!
//! Obeys design §5. Missing history is an error with the way out, never "no changes".

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Result;
use jiff::Timestamp;
use lockgate::change::{Change, Contact, Judged, RepoPath, Root, Side, Standing, Touched, judge};
use lockgate::check::{Bearing, Finding, Level, Trigger};
use lockgate::lock::{Candidate, LOCKFILE_ENDING, Lockfile};
use lockgate::scan::scan_listing;
use lockgate::tell::Approves;
use lockgate::trust::{ServerSecrets, TrustFile};
use lockgate::untrusted::Untrusted;
use lockgate::world::git::{ObjectId, Repository};

use super::approves::{approves, companion};
use super::commits::Commits;
use super::sides::{Head, Sides};
use super::survey::{Survey, Surveyed};

/// What a change is compared by.
pub(super) struct Comparing {
    pub(super) commits: Commits,
    pub(super) head: Head,
    pub(super) operator: Option<TrustFile>,
    pub(super) trigger: Trigger,
}

/// A change that was judged.
pub(super) struct Changed {
    pub(super) root: Root,
    /// Secrets that base's trust file names, never head's.
    pub(super) secrets: Vec<ServerSecrets>,
    pub(super) survey: Survey,
    /// What it approves.
    pub(super) approves: Vec<Approves>,
    /// The tip of base.
    pub(super) base: ObjectId,
    pub(super) head: ObjectId,
}

/// Reads both sides and judges the change.
pub(super) fn changed(
    repository: &Repository,
    comparing: Comparing,
    now: Timestamp,
) -> Result<Changed> {
    let Comparing {
        commits,
        head: stands,
        operator,
        trigger,
    } = comparing;
    let (base, head) = (commits.base.clone(), commits.tip.clone());
    let root = |own| Root::of(operator, own);
    let sides = Sides::read(repository, (commits, stands), root)?;
    let (history, mut findings) = sides.history(repository)?;
    findings.extend(sides.rewritten(repository, stands)?);
    let Judged {
        findings: judged,
        standing,
        root,
    } = judge(Change {
        before: [&sides.base, &sides.fork],
        head: &sides.head,
        root: &sides.root,
        history: &history,
        trigger,
        now,
    });
    findings.extend(judged);
    Ok(Changed {
        root,
        approves: approves(&sides, &standing),
        survey: survey(&sides, findings, &standing, trigger),
        secrets: sides.root.file.servers,
        base,
        head,
    })
}

fn survey(
    sides: &Sides,
    findings: Vec<Finding>,
    standing: &BTreeMap<RepoPath, Standing>,
    trigger: Trigger,
) -> Survey {
    let refused: BTreeSet<Untrusted> = findings
        .iter()
        .filter(|finding| finding.level == Level::Error)
        .filter_map(|finding| finding.path.clone())
        .collect();
    let mut survey = Survey {
        findings,
        ..Survey::default()
    };
    for (path, candidate) in &sides.head.lockfiles {
        match (&**candidate, standing.get(path)) {
            (Candidate::Lockfile(lockfile), Some(standing)) => {
                let mut one = surveyed(&sides.head, (path, lockfile), *standing, trigger);
                if refused.contains(&one.shown) {
                    one.contact = Contact::Refused;
                }
                survey.admit(one);
            }
            (Candidate::Refused(fault), _) => survey.refuse(path.untrusted(), fault),
            (Candidate::Lockfile(_) | Candidate::Other, _) => {}
        }
    }
    for (path, content) in &sides.head.snapshot.files {
        let was_one = sides.base.lockfiles.contains_key(path) || path.ends_with(LOCKFILE_ENDING);
        if was_one && content.bytes().is_none() {
            survey.cannot_read(path.untrusted());
        }
    }
    survey
}

fn surveyed(
    head: &Side,
    (path, lockfile): (&RepoPath, &Lockfile),
    standing: Standing,
    trigger: Trigger,
) -> Surveyed {
    let companion = companion(head, path);
    let is_brought = standing.touched == Touched::ByChange;
    let brought = is_brought.then(|| companion.beside(lockfile.clone()));
    // A companion that cannot be used is told by the survey.
    let listing = brought.and_then(|beside| beside.ok()?.listing());
    Surveyed {
        shown: path.untrusted(),
        companion,
        lockfile: lockfile.clone(),
        scan: listing.map(|listing| Arc::new(scan_listing(&listing))),
        contact: standing.contact,
        bearing: match standing.touched {
            Touched::ByChange => Bearing::Decides,
            Touched::Not => trigger.untouched(),
        },
    }
}
