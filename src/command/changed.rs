//! `check --base`: both sides as objects, judged by every rule before any packet is sent.
//!
//! Obeys design §5. Missing history is an error with the way out, never "no changes".

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, anyhow};
use jiff::Timestamp;
use lockgate::change::{
    Change, Contact, Content, Judged, RepoPath, Root, Side, Standing, Touched, judge,
};
use lockgate::check::{Bearing, Finding, Level};
use lockgate::lock::{Candidate, LOCKFILE_ENDING, Lockfile};
use lockgate::trust::ServerSecrets;
use lockgate::untrusted::Untrusted;
use lockgate::world::git::{ObjectId, Repository};

use super::companion::{Companion, companion_path};
use super::ground::operator;
use super::sides::{Sides, commits};
use super::survey::{Survey, Surveyed};

/// What a change is compared by.
pub(super) struct Comparing<'a> {
    pub(super) base: &'a str,
    /// Head as git objects; without it the work tree.
    pub(super) head: Option<&'a str>,
    pub(super) config: Option<&'a Path>,
}

/// A change that was judged.
pub(super) struct Changed {
    pub(super) root: Root,
    /// Secrets that base's trust file names, never head's.
    pub(super) secrets: Vec<ServerSecrets>,
    pub(super) survey: Survey,
    pub(super) head: ObjectId,
    /// The tip of base.
    pub(super) base: ObjectId,
}

/// Reads both sides and judges the change.
pub(super) fn changed(comparing: &Comparing<'_>, now: Timestamp) -> Result<Changed> {
    let repository = Repository::of(Path::new("."));
    let repository = repository
        .ok_or_else(|| anyhow!("`--base` needs a git repository, and there is none here"))?;
    let operator = comparing
        .config
        .map(|path| operator(path, Some(&repository)))
        .transpose()?;
    let commits = commits(&repository, comparing)?;
    let (head, base) = (commits.tip.clone(), commits.base.clone());
    let root = |own| Root::of(operator, own);
    let sides = Sides::read(&repository, commits, comparing, root)?;
    let (history, mut findings) = sides.history(&repository)?;
    findings.extend(sides.rewritten(&repository, comparing)?);
    let Judged {
        findings: judged,
        standing,
        root,
    } = judge(Change {
        before: [&sides.base, &sides.fork],
        head: &sides.head,
        root: &sides.root,
        history: &history,
        now,
    });
    findings.extend(judged);
    Ok(Changed {
        root,
        survey: survey(&sides, findings, &standing),
        secrets: sides.root.file.servers,
        head,
        base,
    })
}

fn survey(
    sides: &Sides,
    findings: Vec<Finding>,
    standing: &BTreeMap<RepoPath, Standing>,
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
                let mut one = surveyed(&sides.head, path, lockfile, *standing);
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

fn surveyed(head: &Side, path: &RepoPath, lockfile: &Lockfile, standing: Standing) -> Surveyed {
    let place = companion_path(Path::new(&path.text()));
    let at = RepoPath::new(place.to_string_lossy().into_owned());
    let bytes = head.snapshot.files.get(&at).and_then(Content::bytes);
    Surveyed {
        shown: path.untrusted(),
        companion: Companion::Blob(place, bytes.cloned()),
        lockfile: lockfile.clone(),
        contact: standing.contact,
        bearing: match standing.touched {
            Touched::ByChange => Bearing::Decides,
            Touched::Not => Bearing::Told,
        },
    }
}
