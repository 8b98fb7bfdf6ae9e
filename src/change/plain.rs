//! Head's paths → those of ours that are no plain files, or not only one.
//!
//! Obeys design §5 (`not-a-plain-file`): a link, a submodule, an LFS pointer, more than
//! 8 MiB, a twin but for letter case, a work tree that reads otherwise than the blob.

use std::collections::{BTreeMap, BTreeSet};

use super::RepoPath;
use super::globs::Globs;
use super::side::Side;
use super::snapshot::{Content, Snapshot, is_named_so};
use crate::check::{Finding, Rule};
use crate::message::Message;

/// Everything of ours in `head` that is not one plain file.
pub(super) fn not_plain(before: [&Side; 2], head: &Side, exclude: &Globs) -> Vec<Finding> {
    let ours = |path: &RepoPath| {
        let was_one = || before.iter().any(|side| side.lockfiles.contains_key(path));
        let is_one = head.lockfiles.contains_key(path) || is_named_so(path) || was_one();
        is_one && !exclude.matches(&path.text())
    };
    let files = head.snapshot.files.iter().filter(|(path, _)| ours(path));
    let strange =
        files.filter_map(|(path, content)| Some(finding(path, is_strange(content)?.into())));
    strange.chain(twins(&head.snapshot, ours)).collect()
}

fn is_strange(content: &Content) -> Option<&'static str> {
    match content {
        Content::Link => Some("it is a symbolic link"),
        Content::Submodule => Some("it is a submodule or a folder"),
        Content::TooLarge => Some("it is larger than 8 MiB"),
        Content::Unreadable => Some("it cannot be read"),
        Content::File(_) if content.is_pointer() => {
            Some("it is a pointer to a file that is stored elsewhere (LFS)")
        }
        Content::File(_) => None,
    }
}

/// Paths that are one path where letter case is not told apart, one of them ours.
fn twins(head: &Snapshot, ours: impl Fn(&RepoPath) -> bool) -> Vec<Finding> {
    let guarded: BTreeSet<String> = head
        .files
        .keys()
        .filter(|path| ours(path))
        .map(RepoPath::folded)
        .collect();
    let mut alike: BTreeMap<String, Vec<&RepoPath>> = BTreeMap::new();
    for path in &head.paths {
        let folded = path.folded();
        if guarded.contains(&folded) {
            alike.entry(folded).or_default().push(path);
        }
    }
    let pairs = alike.values().filter_map(|paths| match paths.as_slice() {
        [first, second, ..] => Some((first, second)),
        _ => None,
    });
    pairs
        .map(|(first, second)| {
            let message = Message::new("its path differs only in letter case from ")
                .theirs(&first.untrusted());
            finding(second, message)
        })
        .collect()
}

/// Files of ours whose bytes in the work tree are not those of the commit, line ends apart.
pub fn rewritten(
    committed: &Side,
    work_tree: &Snapshot,
    edited: &BTreeSet<Vec<u8>>,
) -> Vec<Finding> {
    let ours = |path: &RepoPath| is_named_so(path) || committed.lockfiles.contains_key(path);
    let differs = |path: &RepoPath, content: &Content| {
        let (Some(blob), Some(file)) = (content.bytes(), work_tree.files.get(path)) else {
            return false;
        };
        let file = file.bytes().map(|bytes| &bytes[..]).unwrap_or_default();
        unix(blob) != unix(file)
    };
    let files = committed.snapshot.files.iter();
    files
        .filter(|(path, content)| ours(path) && !edited.contains(path.as_bytes()) && differs(path, content))
        .map(|(path, _)| finding(path, "the work tree reads otherwise than the blob: an attribute (`.gitattributes`) rewrites it".into()))
        .collect()
}

fn unix(bytes: &[u8]) -> Vec<u8> {
    let ends = |pair: &[u8]| pair == b"\r\n";
    let mut plain = bytes.to_vec();
    if bytes.windows(2).any(ends) {
        plain = bytes
            .iter()
            .enumerate()
            .filter(|(at, byte)| **byte != b'\r' || bytes.get(at + 1) != Some(&b'\n'))
            .map(|(_, byte)| *byte)
            .collect();
    }
    plain
}

fn finding(path: &RepoPath, message: Message) -> Finding {
    Finding::new(Rule::NotAPlainFile, message)
        .hint("commit the file itself, under one name, as it is read")
        .at(&path.untrusted(), None)
}
