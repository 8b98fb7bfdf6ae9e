//! The members of a tool that a digest covers → its canonical form and both digests.
//!
//! Obeys Lockfile v1, Hashing 1 and 2, and design §2 (extended pins): the one place where
//! a tool is hashed.

use sha2::{Digest as _, Sha256};

use super::Digest;
use super::twins::is_twin;
use crate::json;
use crate::untrusted::Untrusted;

/// The members that a digest covers, in canonical order: first the four that v1 hashes.
pub(super) const COVERED: [&str; 6] = [
    "annotations",
    "description",
    "inputSchema",
    "name",
    "outputSchema",
    "title",
];
/// Where `name` stands among them.
pub(super) const NAME: usize = 3;
/// How many of them v1 hashes.
pub(super) const HASHED_BY_V1: usize = 4;

pub(super) type Covered<T> = [Option<T>; COVERED.len()];

/// Picks the covered members, and one that some readers would take for another of them.
/// Both sides are in canonical order, so one walk finds all.
pub(super) fn covered<'n, T>(
    members: impl Iterator<Item = (&'n str, T)>,
) -> (Covered<T>, Option<&'n str>) {
    let mut rest = members.peekable();
    let mut twin = None;
    let mut look = |(name, _): (&'n str, T)| {
        twin = twin.or(Some(name).filter(|name| is_twin(name, &COVERED)));
    };
    let covered = COVERED.map(|covered| {
        while let Some(other) = rest.next_if(|(name, _)| *name < covered) {
            look(other);
        }
        rest.next_if(|(name, _)| *name == covered)
            .map(|(_, member)| member)
    });
    rest.for_each(look);
    (covered, twin)
}

/// The text that a canonical form is of, if it is one of a string.
pub(super) fn text_of(form: &str) -> Option<Untrusted> {
    let document = json::read_own(form.as_bytes()).ok()?;
    document.root.as_str().map(Untrusted::new)
}

/// Writes the canonical form once and takes both digests on the way.
pub(super) fn pin(forms: &Covered<&str>) -> (Box<str>, Digest, Digest) {
    let named = COVERED
        .iter()
        .zip(forms)
        .map(|(name, form)| (*name, form.unwrap_or("null")));
    let length = named
        .clone()
        .map(|(name, form)| name.len() + form.len() + 4)
        .sum::<usize>()
        + 1;
    let mut written = String::with_capacity(length);
    let mut named = named;
    for (name, form) in named.by_ref().take(HASHED_BY_V1) {
        write_member(name, form, &mut written);
    }
    let hasher = Sha256::new_with_prefix(&written);
    let sha256 = Digest::of_hasher(hasher.clone().chain_update("}"));
    let hashed_by_v1 = written.len();
    for (name, form) in named {
        write_member(name, form, &mut written);
    }
    written.push('}');
    let rest = written.get(hashed_by_v1..).unwrap_or_default();
    let extended_sha256 = Digest::of_hasher(hasher.chain_update(rest));
    (written.into(), sha256, extended_sha256)
}

fn write_member(name: &str, form: &str, to: &mut String) {
    to.push_str(if to.is_empty() { "{\"" } else { ",\"" });
    to.push_str(name);
    to.push_str("\":");
    to.push_str(form);
}
