//! Paths → the lockfiles below them, each read and verified, and what was found on the way.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use lockgate::check::{Checked, Finding, Outcome, Reason, Rule, Unlisted, explain};
use lockgate::lock::{
    COMPANION_ENDING, Candidate, LOCKFILE_ENDING, Lockfile, LockfileFault, read_candidate,
};
use lockgate::message::Message;
use lockgate::untrusted::Untrusted;
use lockgate::world::discover::{Found, discover};
use lockgate::world::files::{self, Unread};

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
    pub(crate) companion: PathBuf,
    /// What it says.
    pub(crate) lockfile: Lockfile,
}

/// Finds and verifies every lockfile.
pub(crate) fn survey(paths: &[PathBuf]) -> Result<Survey> {
    let found = discover(paths).map_err(|(path, error)| {
        let path = input::shown(&path);
        anyhow!(
            "{path} cannot be searched: {error}\nhint: name a lockfile, or a folder to find them in"
        )
    })?;
    let mut survey = Survey::default();
    found.into_iter().for_each(|one| survey.take(one));
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
        let companion = companion_path(path);
        match with_companion(lockfile.clone(), &companion) {
            Ok(_) => {}
            Err(finding) => self
                .findings
                .push(finding.at(&input::untrusted(&companion), None)),
        }
        self.lockfiles.push(Surveyed {
            shown,
            companion,
            lockfile,
        });
    }

    fn refuse(&mut self, shown: Untrusted, fault: &LockfileFault) {
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
        let unlisted = Unlisted {
            reason: Reason::LockfileRefused,
            detail: detail.to_owned(),
            said: None,
            hint: None,
        };
        self.refused.push(Checked {
            path: shown,
            lockfile: None,
            outcome: Outcome::Unlisted(unlisted),
        });
    }
}

/// The lockfile with its companion listing, if there is one; a bad one is a finding.
pub(crate) fn with_companion(lockfile: Lockfile, companion: &Path) -> Result<Lockfile, Finding> {
    let bytes = match files::read_plain(companion) {
        Ok(bytes) => bytes,
        Err(Unread::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(lockfile);
        }
        Err(unread @ Unread::NotPlain) => return Err(unusable(Rule::NotAPlainFile, &unread)),
        Err(unread) => return Err(unusable(Rule::CompanionRefused, &unread)),
    };
    lockfile.with_companion(&bytes).map_err(|fault| {
        let (sentence, way_out) = explain(&fault);
        Finding {
            line: Some(fault.line),
            ..Finding::new(Rule::CompanionRefused, sentence).hint(way_out)
        }
    })
}

fn unusable(rule: Rule, unread: &Unread) -> Finding {
    Finding::new(
        rule,
        Message::new(format!(
            "the companion listing cannot be read: {}",
            input::cause(unread)
        )),
    )
    .hint("restore the companion listing, or delete it")
}

/// `<name>.mcp-listing.json` for `<name>.mcp-lock.json`, or for `<name>.json`.
pub(crate) fn companion_path(lockfile: &Path) -> PathBuf {
    let name = lockfile.file_name().unwrap_or_default().to_string_lossy();
    let ends = |ending: &str| {
        name.to_ascii_lowercase()
            .ends_with(ending)
            .then(|| name.len() - ending.len())
    };
    let stem = ends(LOCKFILE_ENDING)
        .or(ends(".json"))
        .and_then(|length| name.get(..length))
        .unwrap_or(&name);
    lockfile.with_file_name(format!("{stem}{COMPANION_ENDING}"))
}
