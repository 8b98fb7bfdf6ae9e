//! Lockfile or listing → listing digest: what a reviewer refers to (design §2).
//!
//! And the members that a new approval could not carry on, because nobody here knows
//! what they mean.

use serde::Serialize;

use super::members::{self, Members};
use super::{Digest, Extended, LockfileFault};
use crate::json::{self, Lines, ReadError};
use crate::untrusted::Untrusted;

#[derive(Serialize)]
struct Reviewed<'a> {
    tools_sha256: Digest,
    extended: Option<&'a Extended>,
}

/// SHA-256 of the canonical form of `{tools_sha256, extended}`, `extended` without
/// `audience`, `null` where there is none.
///
/// # Errors
/// [`ReadError`] as [`json::canonical_of`].
pub fn listing_digest(
    tools_sha256: Digest,
    extended: Option<&Extended>,
) -> Result<Digest, ReadError> {
    let extended = extended.map(|pins| Extended {
        audience: None,
        ..pins.clone()
    });
    let reviewed = Reviewed {
        tools_sha256,
        extended: extended.as_ref(),
    };
    json::canonical_of(&reviewed).map(Digest::of)
}

/// The sealed members of a lockfile that this version does not know, as JSON Pointers.
///
/// # Errors
/// [`LockfileFault`] if the text is no lockfile.
pub fn unknown_members(bytes: &[u8]) -> Result<Vec<Untrusted>, LockfileFault> {
    const ROOT: [&str; 13] = [
        "kind",
        "v",
        "server",
        "approved_at",
        "tools_sha256",
        "count",
        "tools",
        "descriptions",
        "scan_at_approval",
        "extended",
        "sha256",
        "signature",
        "signatures",
    ];
    let lines = Lines::of(bytes);
    let document = members::read(bytes, &lines)?;
    let root = Members::of_root(&document.root, &lines)?;
    let mut unknown = strangers("", &root, &ROOT);
    let server = root.inner("server")?;
    unknown.extend(strangers(
        "/server",
        &server,
        &["url", "protocol_version", "info"],
    ));
    for tool in root.each("tools")? {
        unknown.extend(strangers("/tools/…", &tool, &["name", "sha256"]));
    }
    unknown.dedup();
    Ok(unknown)
}

fn strangers(at: &str, members: &Members<'_>, known: &[&str]) -> Vec<Untrusted> {
    members
        .names()
        .filter(|name| !known.contains(name))
        .map(|name| Untrusted::new(format!("{at}/{name}")))
        .collect()
}
