//! Paths and what stands at them → the part of a repository's state that the rules read.
//!
//! Plain data: who fills it is outside of this room.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::lock::{COMPANION_ENDING, LOCKFILE_ENDING, claim, may_hold_kind};
use crate::trust::TRUST_FILE;
use crate::untrusted::Untrusted;

use super::clients::is_config;

/// A path from the repository's root, as git stores it: any bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Vec<u8>);

impl RepoPath {
    /// Takes a path as git stores it.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        RepoPath(bytes.into())
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// As text, for looking at names; never for looking up.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// As text from outside.
    pub fn untrusted(&self) -> Untrusted {
        Untrusted::new(self.text())
    }

    /// The path as a file system that is blind to letter case sees it.
    pub fn folded(&self) -> String {
        self.text().to_lowercase()
    }

    /// Does the path end so, in any letter case?
    pub fn ends_with(&self, ending: &str) -> bool {
        self.folded().ends_with(ending)
    }
}

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A plain file.
    File(Arc<[u8]>),
    /// A symbolic link.
    Link,
    /// A submodule, or some other thing that is no file.
    Submodule,
    /// A file that is too large to be one of ours.
    TooLarge,
    /// A file that the system does not let us read.
    Unreadable,
}

impl Content {
    /// The bytes of a plain file.
    pub fn bytes(&self) -> Option<&Arc<[u8]>> {
        match self {
            Content::File(bytes) => Some(bytes),
            Content::Link | Content::Submodule | Content::TooLarge | Content::Unreadable => None,
        }
    }

    /// Is it the placeholder of a file that is stored elsewhere (LFS)?
    pub fn is_pointer(&self) -> bool {
        self.bytes()
            .is_some_and(|bytes| bytes.starts_with(b"version https://git-lfs."))
    }
}

/// A repository at one moment: what the rules look at, and the names of all else.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// What the rules look at.
    pub files: BTreeMap<RepoPath, Content>,
    /// Every path.
    pub paths: Vec<RepoPath>,
}

/// Must what stands at this path be read at all?
pub fn is_of_interest(path: &RepoPath) -> bool {
    let name = path.text();
    claim(&name).is_some() || is_named_so(path)
}

/// Must these bytes be kept, now that they were read?
pub fn is_kept(path: &RepoPath, content: &Content) -> bool {
    let holds_kind = |bytes: &Arc<[u8]>| may_hold_kind(bytes);
    is_named_so(path) || content.is_pointer() || content.bytes().is_none_or(holds_kind)
}

/// Is the path one of ours by its name alone?
pub(super) fn is_named_so(path: &RepoPath) -> bool {
    path.ends_with(LOCKFILE_ENDING)
        || is_companion(path)
        || is_trust(path)
        || is_gate(path)
        || is_config(path)
}

pub(super) fn is_companion(path: &RepoPath) -> bool {
    path.ends_with(COMPANION_ENDING)
}

/// The trust file or what signs a change of it.
pub(super) fn is_trust(path: &RepoPath) -> bool {
    let folded = path.folded();
    folded == TRUST_FILE || folded.strip_suffix(".sig") == Some(TRUST_FILE)
}

/// Where the gate itself is set up.
pub(super) fn is_gate(path: &RepoPath) -> bool {
    let folded = path.folded();
    folded.starts_with(".github/workflows/") || folded.starts_with(".github/actions/")
}
