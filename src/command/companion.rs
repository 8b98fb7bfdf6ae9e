//! A lockfile's companion listing: where it is, and what it adds to the lockfile.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lockgate::check::{Finding, Rule, explain};
use lockgate::lock::{COMPANION_ENDING, LOCKFILE_ENDING, Lockfile, LockfileFault};
use lockgate::message::Message;
use lockgate::world::files::{self, Unread};

use super::input;

/// The way out also where a run of `approve` was stopped between the two files.
const ANEW: &str = "; `lockgate approve` writes it anew";

/// Where a companion listing is.
pub(crate) enum Companion {
    /// In the file system, or nowhere.
    File(PathBuf),
    /// In a commit, or nowhere.
    Blob(PathBuf, Option<Arc<[u8]>>),
}

impl Companion {
    /// The lockfile with it, if there is one; a bad one is a finding.
    pub(crate) fn beside(&self, lockfile: Lockfile) -> Result<Lockfile, Finding> {
        match self.bytes()? {
            Some(bytes) => lockfile
                .with_companion(&bytes)
                .map_err(|fault| self.placed(refused(&fault))),
            None => Ok(lockfile),
        }
    }

    /// What is wrong with it, if it is there and anything is.
    pub(crate) fn check(&self, lockfile: &Lockfile) -> Result<(), Finding> {
        match self.bytes()? {
            Some(bytes) => lockfile
                .check_companion(&bytes)
                .map_err(|fault| self.placed(refused(&fault))),
            None => Ok(()),
        }
    }

    fn bytes(&self) -> Result<Option<Arc<[u8]>>, Finding> {
        match self {
            Companion::File(path) => read(path).map_err(|finding| self.placed(finding)),
            Companion::Blob(_, bytes) => Ok(bytes.clone()),
        }
    }

    fn placed(&self, finding: Finding) -> Finding {
        let (Companion::File(path) | Companion::Blob(path, _)) = self;
        let line = finding.line;
        finding.at(&input::untrusted(path), line)
    }
}

/// The lockfile with the companion listing of that path, if there is one.
pub(crate) fn with_companion(lockfile: Lockfile, companion: &Path) -> Result<Lockfile, Finding> {
    Companion::File(companion.to_owned()).beside(lockfile)
}

fn read(companion: &Path) -> Result<Option<Arc<[u8]>>, Finding> {
    match files::read_plain(companion) {
        Ok(bytes) => Ok(Some(bytes.into())),
        Err(Unread::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(unread @ Unread::NotPlain) => Err(unusable(Rule::NotAPlainFile, &unread)),
        Err(unread) => Err(unusable(Rule::CompanionRefused, &unread)),
    }
}

fn refused(fault: &LockfileFault) -> Finding {
    let (sentence, way_out) = explain(fault);
    Finding {
        line: Some(fault.line),
        ..Finding::new(Rule::CompanionRefused, sentence).hint(way_out.ours(ANEW))
    }
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
