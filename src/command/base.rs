//! A file of the work tree → what was approved before: the same file, or server, on base.
//!
//! Obeys design §4: on a person's machine base is the default branch of `origin`; in a
//! repository without remotes it is HEAD. Where base is not known, nothing counts as
//! approved, and everything is shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use lockgate::lock::{Candidate, Claim, Lockfile, claim, read_candidate};
use lockgate::trust::{Moment, TRUST_FILE};
use lockgate::untrusted::Untrusted;
use lockgate::world::files;
use lockgate::world::git::{Entry, EntryKind, ObjectId, Repository};

use super::companion::companion_path;
use super::formerly::formerly;
use super::group::{Held, folder_of};
use super::known::Known;
use super::tip::{Tip, tip};

/// Why there is no base outside of git.
pub(super) const OUTSIDE: &str = "outside of a git repository: all of it is shown";
/// How many blobs are read at once.
const BLOBS: usize = 256;

/// The commit that holds what was approved before.
pub(super) struct Base {
    repository: Repository,
    entries: Vec<Entry>,
    /// The commit, as it is told; why there is none is in `Err`.
    name: Result<String, &'static str>,
    /// Who may approve, where base has a trust file.
    known: Option<Arc<Known>>,
    /// Who may by the work tree's trust file, where that is another.
    next: Option<Arc<Known>>,
}

/// What was approved before, and how that is told.
pub(super) struct Before {
    /// The approved lockfile; `None`: all must be read.
    pub(super) lockfile: Option<Lockfile>,
    /// What it is, or why there is none.
    pub(super) told: String,
}

impl Base {
    /// The base of the repository that a file stands in; `None` outside of one.
    pub(super) fn of(path: &Path) -> Result<Option<Self>> {
        let Some(repository) = Repository::of(folder_of(path)) else {
            return Ok(None);
        };
        let head = repository.commit("HEAD");
        let head = head.ok_or("nothing is committed yet");
        let (entries, name) = match head.and_then(|head| tip(&repository, &head)) {
            Ok(Tip { commit, name }) => {
                let entries = repository.tree(&commit).context("base cannot be read")?;
                let short: String = commit.as_str().chars().take(10).collect();
                (entries, Ok(format!("{short} ({name})")))
            }
            Err(why) => (Vec::new(), Err(why)),
        };
        let mut base = Base {
            repository,
            entries,
            name,
            known: None,
            next: None,
        };
        let trust_file = base.repository.top().join(TRUST_FILE);
        let text = base.blob(&trust_file);
        let next = files::read_plain(&trust_file).ok();
        let read = |text: &[u8]| Arc::new(Known::of(text));
        let next = next.filter(|next| text.as_ref() != Some(next));
        base.known = text.as_deref().map(read);
        base.next = next.as_deref().map(read);
        Ok(Some(base))
    }

    /// The commit, as it is told, or why it is not known.
    pub(super) fn name(&self) -> Result<&str, &'static str> {
        self.name.as_deref().map_err(|why| *why)
    }

    /// Who may approve, where base has a trust file.
    pub(super) fn known(&self) -> Option<&Arc<Known>> {
        self.known.as_ref()
    }

    /// Who may by the work tree's trust file, where that is another than base's.
    pub(super) fn next(&self) -> Option<&Arc<Known>> {
        self.next.as_ref()
    }

    /// What a path holds there: plain files only.
    pub(super) fn blob(&self, path: &Path) -> Option<Vec<u8>> {
        let name = self.inside(path)?;
        let entry = self.entries.iter().find(|entry| entry.path == name)?;
        (entry.kind == EntryKind::File).then_some(())?;
        self.blobs(std::slice::from_ref(&entry.id)).pop()?
    }

    /// What was approved before for the server of a lockfile.
    pub(super) fn before(&self, held: &Held) -> Before {
        let name = match self.name() {
            Ok(name) => name,
            Err(why) => return Before::nothing(format!("{why}: all of it is shown")),
        };
        let there = self.blob(&held.path).and_then(|bytes| lockfile_of(&bytes));
        let server = held.lockfile.identity();
        let moved = there
            .as_ref()
            .is_some_and(|there| there.identity() != server);
        let here = there.map(|there| (held.path.clone(), there));
        let found = formerly(&server, here, || self.lockfiles());
        let found =
            found.map(|(path, lockfile)| with_text(lockfile, self.blob(&companion_path(&path))));
        match found {
            Some(lockfile) => Before::of(lockfile, name, self.known().map(AsRef::as_ref)),
            None if moved => Before::nothing(format!(
                "at {name} this file was the lockfile of another server: all of it is shown"
            )),
            None => Before::nothing(format!(
                "nothing is approved for this server at {name}: all of it is shown"
            )),
        }
    }

    /// Every lockfile that can be used, and where it stands.
    fn lockfiles(&self) -> Vec<(PathBuf, Lockfile)> {
        let is_one = |entry: &&Entry| {
            entry.kind == EntryKind::File && claim(&String::from_utf8_lossy(&entry.path)).is_some()
        };
        let candidates: Vec<&Entry> = self.entries.iter().filter(is_one).collect();
        let mut found = Vec::new();
        for some in candidates.chunks(BLOBS) {
            let ids: Vec<ObjectId> = some.iter().map(|entry| entry.id.clone()).collect();
            for (entry, bytes) in some.iter().zip(self.blobs(&ids)) {
                let name = String::from_utf8_lossy(&entry.path);
                let path = self.repository.top().join(&*name);
                let lockfile = bytes.and_then(|bytes| lockfile_of(&bytes));
                found.extend(lockfile.map(|lockfile| (path, lockfile)));
            }
        }
        found
    }

    fn blobs(&self, ids: &[ObjectId]) -> Vec<Option<Vec<u8>>> {
        self.repository.blobs(ids).unwrap_or_default()
    }

    /// A path from the repository's root, as git stores it.
    fn inside(&self, path: &Path) -> Option<Vec<u8>> {
        let folder = folder_of(path).canonicalize().ok()?;
        let top = self.repository.top().canonicalize().ok()?;
        let inside = folder.join(path.file_name()?);
        let inside = inside.strip_prefix(top).ok()?;
        Some(inside.to_str()?.replace('\\', "/").into_bytes())
    }
}

impl Before {
    /// Nothing was approved, and why that is so.
    pub(super) fn nothing(told: String) -> Self {
        Before {
            lockfile: None,
            told,
        }
    }

    fn of(lockfile: Lockfile, name: &str, known: Option<&Known>) -> Self {
        if lockfile.signatures().is_empty() {
            return Before::nothing(format!(
                "the lockfile at {name} is not signed, so nobody approved it: all of it is shown"
            ));
        }
        let signers = known.map(|known| known.signers(&lockfile, Moment::Approval));
        let by = match signers.map(Vec::from_iter) {
            Some(names) if names.is_empty() => {
                return Before::nothing(format!(
                    "nobody whom `{TRUST_FILE}` names signed the lockfile at {name}: all of it is shown"
                ));
            }
            Some(names) => Untrusted::new(names.join(", ")).in_terminal().to_string(),
            None => "somebody: there is no trust file".to_owned(),
        };
        if lockfile.extended().is_none() {
            return Before::nothing(format!(
                "the lockfile at {name} pins less than what reaches a model: all of it is shown"
            ));
        }
        let at = lockfile.approved_at().to_string();
        let day = at.split('T').next().unwrap_or_default();
        Before {
            told: format!("compared with {name}, approved {day} by {by}"),
            lockfile: Some(lockfile),
        }
    }
}

fn lockfile_of(bytes: &[u8]) -> Option<Lockfile> {
    match read_candidate(Claim::AnyJson, bytes) {
        Candidate::Lockfile(lockfile) => Some(*lockfile),
        Candidate::Refused(_) | Candidate::Other => None,
    }
}

fn with_text(lockfile: Lockfile, companion: Option<Vec<u8>>) -> Lockfile {
    let with = companion.map(|bytes| lockfile.clone().with_companion(&bytes));
    match with {
        Some(Ok(with)) => with,
        Some(Err(_)) | None => lockfile,
    }
}
