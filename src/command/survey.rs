//! Paths → the lockfiles below them, each read and verified, and what was found on the way.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use jiff::Timestamp;
use lockgate::change::{Contact, Root, Side, Standing, Subject, Touched, duplicates, stand};
use lockgate::check::{Bearing, Checked, Finding, Outcome, Reason, Rule, Unlisted, explain};
use lockgate::issue::Scope;
use lockgate::lock::{Candidate, Lockfile, LockfileFault, read_candidate};
use lockgate::message::Message;
use lockgate::scan::Scan;
use lockgate::untrusted::Untrusted;
use lockgate::world::discover::{Found, discover};
use lockgate::world::files::Unread;

use super::companion::{Companion, companion_path};
use super::input;

/// What stands in the repository, before any server is asked.
#[derive(Default)]
pub(crate) struct Survey {
    /// Lockfiles that can be used, sorted by path.
    pub(crate) lockfiles: Vec<Surveyed>,
    /// Lockfiles that cannot: their checks are over.
    pub(crate) refused: Vec<Checked>,
    /// What was found on the way.
    pub(crate) findings: Vec<Finding>,
}

/// A lockfile that can be used.
pub(crate) struct Surveyed {
    /// Where it is, as it is told.
    pub(crate) shown: Untrusted,
    /// Where its companion listing would be.
    pub(crate) companion: Companion,
    /// What it says.
    pub(crate) lockfile: Lockfile,
    /// What its server may be sent.
    pub(crate) contact: Contact,
    /// What a block of it means for the run.
    pub(crate) bearing: Bearing,
    /// What the scan said of its companion listing, where a change brings the two.
    pub(crate) scan: Option<Arc<Scan>>,
}

/// Finds and verifies every lockfile.
pub(crate) fn survey(paths: &[PathBuf], root: &Root) -> Result<Survey> {
    let exclude = root.exclude();
    let found = discover(paths).map_err(|(path, error)| {
        let path = input::shown(&path);
        anyhow!(
            "{path} cannot be searched: {error}\nhint: name a lockfile, or a folder to find them in"
        )
    })?;
    let mut survey = Survey::default();
    let is_ours = |one: &Found| {
        !exclude.matches(&input::untrusted(&one.path).as_arrived().replace('\\', "/"))
    };
    found
        .into_iter()
        .filter(is_ours)
        .for_each(|one| survey.take(one));
    Ok(survey)
}

impl Survey {
    fn take(&mut self, found: Found) {
        let shown = input::untrusted(&found.path);
        match found.bytes {
            Ok(bytes) => match read_candidate(found.claim, &bytes) {
                Candidate::Lockfile(lockfile) => self.accept(&found.path, shown, *lockfile),
                Candidate::Refused(fault) => self.refuse(shown, &fault),
                Candidate::Other => {}
            },
            Err(unread) => self.unread(shown, &unread),
        }
    }

    fn accept(&mut self, path: &Path, shown: Untrusted, lockfile: Lockfile) {
        self.admit(Surveyed {
            shown,
            companion: Companion::File(companion_path(path)),
            lockfile,
            contact: Contact::WithSecrets,
            bearing: Bearing::Decides,
            scan: None,
        });
    }

    /// Takes a lockfile that can be used, and tells a companion that cannot.
    pub(crate) fn admit(&mut self, one: Surveyed) {
        self.findings
            .extend(one.companion.check(&one.lockfile).err());
        self.lockfiles.push(one);
    }

    /// Holds every lockfile against the root, where nothing is compared with a base.
    pub(crate) fn stand(mut self, root: &Root, base: &Side, now: Timestamp) -> Self {
        root.verify(self.lockfiles.iter().map(|one| &one.lockfile));
        for one in &mut self.lockfiles {
            let subject = Subject {
                path: &one.shown,
                lockfile: &one.lockfile,
                touched: Touched::Not,
            };
            let (findings, Standing { contact, .. }) = stand(subject, root, base, now);
            self.findings.extend(findings);
            one.contact = contact;
        }
        let named = self.lockfiles.iter().map(|one| (&one.shown, &one.lockfile));
        self.findings.extend(duplicates(named));
        self
    }

    /// Leaves out the lockfiles that are not looked for; the rules have judged them all.
    pub(crate) fn narrow(&mut self, scope: &Scope) {
        self.lockfiles.retain(|one| scope.covers(&one.shown));
        self.refused.retain(|one| scope.covers(&one.path));
    }

    /// Puts the lockfiles that fail a rule with those whose checks are over.
    pub(crate) fn refuse_contact(mut self) -> Self {
        let (refused, left): (Vec<_>, Vec<_>) = std::mem::take(&mut self.lockfiles)
            .into_iter()
            .partition(|one| one.contact == Contact::Refused);
        self.lockfiles = left;
        self.refused.extend(refused.into_iter().map(|one| Checked {
            path: one.shown,
            lockfile: Some(one.lockfile),
            outcome: Outcome::Unlisted(refusal(
                "the lockfile fails a rule, so its server was not asked",
            )),
            bearing: one.bearing,
            scan: one.scan,
        }));
        self
    }

    pub(crate) fn refuse(&mut self, shown: Untrusted, fault: &LockfileFault) {
        let (sentence, way_out) = explain(fault);
        let finding = Finding::new(Rule::LockfileRefused, sentence).hint(way_out);
        self.block(
            shown,
            "the lockfile cannot be used",
            finding,
            Some(fault.line),
        );
    }

    fn unread(&mut self, shown: Untrusted, unread: &Unread) {
        let rule = match unread {
            Unread::NotPlain => Rule::NotAPlainFile,
            Unread::TooLarge | Unread::Io(_) => Rule::Unreadable,
        };
        let hint = match unread {
            Unread::NotPlain => "commit the file itself, not a link to it",
            Unread::TooLarge => "a lockfile is never so large: restore the approved one",
            Unread::Io(_) => "make the file readable",
        };
        let sentence = Message::new(format!(
            "the lockfile cannot be read: {}",
            input::cause(unread)
        ));
        self.block(
            shown,
            "the lockfile cannot be read",
            Finding::new(rule, sentence).hint(hint),
            None,
        );
    }

    fn block(&mut self, shown: Untrusted, detail: &str, finding: Finding, line: Option<usize>) {
        self.findings.push(finding.at(&shown, line));
        self.refused.push(Checked {
            path: shown,
            lockfile: None,
            outcome: Outcome::Unlisted(refusal(detail)),
            bearing: Bearing::Decides,
            scan: None,
        });
    }
}

impl Survey {
    /// A row for what stands where a lockfile is due and cannot be read; a rule told it.
    pub(crate) fn cannot_read(&mut self, shown: Untrusted) {
        self.refused.push(Checked {
            path: shown,
            lockfile: None,
            outcome: Outcome::Unlisted(refusal("the lockfile cannot be read")),
            bearing: Bearing::Decides,
            scan: None,
        });
    }
}

fn refusal(detail: &str) -> Unlisted {
    Unlisted {
        reason: Reason::LockfileRefused,
        detail: detail.to_owned(),
        said: None,
        hint: None,
    }
}
