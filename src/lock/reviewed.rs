//! Lockfile or listing → listing digest: what a reviewer refers to (design §2).
//!
//! And what else a lockfile seals: a new approval could not carry it on, and whoever
//! signs it must be shown it.

use serde::Serialize;

use super::members::{self, Members};
use super::{Digest, Extended, LockfileFault};
use crate::json::{self, Lines, ReadError, Value};
use crate::untrusted::Untrusted;

/// Members of a lockfile that this version knows.
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

/// A sealed member that says something beside the list: its JSON Pointer and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// Where it stands.
    pub pointer: Untrusted,
    /// What it holds, as JSON.
    pub value: Untrusted,
    /// Does this version know what it means?
    pub is_known: bool,
}

/// What a lockfile seals beside the list, so that whoever signs can be shown it: members
/// that this version does not know, and a scan that is said to have been made.
///
/// # Errors
/// [`LockfileFault`] if the text is no lockfile.
pub fn asides(bytes: &[u8]) -> Result<Vec<Aside>, LockfileFault> {
    let lines = Lines::of(bytes);
    let document = members::read(bytes, &lines)?;
    let root = Members::of_root(&document.root, &lines)?;
    let mut asides = strangers("", &root, &ROOT);
    let server = root.inner("server")?;
    asides.extend(strangers(
        "/server",
        &server,
        &["url", "protocol_version", "info"],
    ));
    if server.find("info").is_some_and(|info| !info.is_null()) {
        let info = server.inner("info")?;
        asides.extend(strangers("/server/info", &info, &["name", "version"]));
    }
    for (index, tool) in root.each("tools")?.iter().enumerate() {
        let at = format!("/tools/{index}");
        asides.extend(strangers(&at, tool, &["name", "sha256"]));
    }
    if root.find("extended").is_some() {
        for (index, tool) in root.inner("extended")?.each("tools")?.iter().enumerate() {
            let at = format!("/extended/tools/{index}");
            asides.extend(strangers(&at, tool, &["name", "sha256"]));
        }
    }
    let scan = root.find("scan_at_approval");
    asides.extend(scan.filter(|scan| !scan.is_null()).map(|scan| Aside {
        is_known: true,
        ..aside("", "scan_at_approval", scan)
    }));
    Ok(asides)
}

fn strangers(at: &str, members: &Members<'_>, known: &[&str]) -> Vec<Aside> {
    members
        .names()
        .filter(|name| !known.contains(name))
        .filter_map(|name| Some(aside(at, name, members.find(name)?)))
        .collect()
}

fn aside(at: &str, name: &str, value: &Value<'_>) -> Aside {
    Aside {
        pointer: Untrusted::new(format!("{at}/{name}")),
        value: Untrusted::new(json::print_line(value)),
        is_known: false,
    }
}
