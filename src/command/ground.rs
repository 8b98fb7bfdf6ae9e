//! Where a run stands: the trust file it goes by, and the commit that file is read from.
//!
//! Obeys design §4 (Where it is read): from base, never from the head of a change; on a
//! person's machine from the remote's default branch; an operator's own file stands outside
//! the work tree, and above.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use lockgate::change::{Content, Root, Side};
use lockgate::message::Message;
use lockgate::trust::{TRUST_FILE, TrustFault, TrustFile, explain};
use lockgate::untrusted::Untrusted;
use lockgate::world::git::{EntryKind, ObjectId, Repository};
use lockgate::world::{files, snapshot};

use super::input;
use super::tip::tip;

/// The way out where history is missing.
pub(super) const DEEPEN: &str =
    "fetch the history: `git fetch --unshallow`, or `fetch-depth: 0` for the checkout action";

/// What a run without `--base` goes by.
#[derive(Default)]
pub(super) struct Ground {
    pub(super) root: Root,
    /// What stood on base, where secrets depend on it.
    pub(super) base: Side,
    /// The commit that is checked out, if there is one.
    pub(super) head: Option<ObjectId>,
}

/// Finds the ground of a run that is compared with no base.
pub(super) fn ground(folder: &Path, config: Option<&Path>) -> Result<Ground> {
    let repository = Repository::of(folder);
    let operator = config
        .map(|path| operator(path, repository.as_ref()))
        .transpose()?;
    let Some((repository, head, base)) = with_base(repository)? else {
        let root = Root::of(operator, None);
        return Ok(Ground {
            root,
            ..Ground::default()
        });
    };
    let root = Root::of(operator, own(&repository, &base)?);
    let base = if root.file.servers.is_empty() {
        Side::default()
    } else {
        let mut read = snapshot::of_commits(&repository, &[base])?;
        Side::read(read.pop().unwrap_or_default(), &root.exclude(), &[])
    };
    let head = Some(head);
    Ok(Ground { root, base, head })
}

/// The repository, its head, and the commit that its trust file is read from.
fn with_base(repository: Option<Repository>) -> Result<Option<(Repository, ObjectId, ObjectId)>> {
    let Some(repository) = repository else {
        return Ok(None);
    };
    let Some(head) = repository.commit("HEAD") else {
        return Ok(None);
    };
    let base = match tip(&repository, &head) {
        Ok(tip) => tip.commit,
        Err(why) if repository.entry(&head, TRUST_FILE).is_some() => bail!(
            "`{TRUST_FILE}` is only trusted as it stands on the remote's default branch, and {why}\nhint: git remote set-head origin --auto"
        ),
        Err(_) => head.clone(),
    };
    Ok(Some((repository, head, base)))
}

/// The repository's own trust file, as a commit holds it.
pub(super) fn own(repository: &Repository, commit: &ObjectId) -> Result<Option<TrustFile>> {
    let Some(entry) = repository.entry(commit, TRUST_FILE) else {
        return Ok(None);
    };
    let place = format!("`{TRUST_FILE}` of {}", commit.as_str());
    if entry.kind != EntryKind::File {
        bail!("{place} is no plain file\nhint: commit the file itself");
    }
    let bytes = repository.blobs(&[entry.id])?.pop().flatten();
    let bytes = bytes.ok_or_else(|| anyhow!("{place} cannot be read\nhint: {DEEPEN}"))?;
    parse(&place, &bytes).map(Some)
}

/// The trust file of a side that is at hand already.
pub(super) fn own_of(content: Option<&Content>, commit: &ObjectId) -> Result<Option<TrustFile>> {
    let place = format!("`{TRUST_FILE}` of {}", commit.as_str());
    match content {
        None => Ok(None),
        Some(Content::File(bytes)) => parse(&place, bytes).map(Some),
        Some(Content::Link | Content::Submodule | Content::TooLarge | Content::Unreadable) => {
            bail!("{place} is no plain file\nhint: commit the file itself")
        }
    }
}

/// An operator's file: one that no change of this repository can bring.
pub(super) fn operator(path: &Path, repository: Option<&Repository>) -> Result<TrustFile> {
    let shown = input::shown(path);
    let real = path
        .canonicalize()
        .map_err(|error| anyhow!("{shown} cannot be read: {error}"))?;
    if let Some(repository) = repository
        && is_inside(&real, repository)
    {
        bail!(
            "{shown} stands in this repository, where a change could rewrite it\nhint: keep it outside of the work tree; the repository's own trust file is `{TRUST_FILE}`, and is read from base"
        );
    }
    let bytes = files::read(&real)
        .map_err(|unread| anyhow!("{shown} cannot be read: {}", input::cause(&unread)))?;
    parse(&shown.to_string(), &bytes)
}

/// Inside is what the work tree holds, save another repository that was put into it and
/// that this one does not track.
fn is_inside(real: &Path, repository: &Repository) -> bool {
    let Some(inside) = repository
        .top()
        .canonicalize()
        .ok()
        .and_then(|top| real.strip_prefix(top).ok().map(Path::to_owned))
    else {
        return false;
    };
    let theirs = real.parent().and_then(Repository::of);
    let is_theirs = theirs.is_some_and(|other| other.top() != repository.top());
    let mut above = inside
        .ancestors()
        .filter(|path| !path.as_os_str().is_empty());
    !is_theirs || above.any(|path| repository.tracks_exactly(path))
}

/// Reads a trust file strictly; `place` is what a message calls it.
pub(super) fn parse(place: &str, bytes: &[u8]) -> Result<TrustFile> {
    TrustFile::parse(bytes).map_err(|fault| unusable(place, &fault))
}

fn unusable(place: &str, fault: &TrustFault) -> anyhow::Error {
    let (sentence, way_out): (Message, Message) = explain(fault);
    let line = fault
        .line
        .map(|line| format!(", line {line}"))
        .unwrap_or_default();
    anyhow!(
        "{place}{line}: {}\nhint: {}",
        sentence.in_terminal(),
        way_out.in_terminal()
    )
}

/// Says in a message what a person typed.
pub(super) fn typed(revision: &str) -> String {
    format!("`{}`", Untrusted::new(revision).in_terminal())
}
