//! A file's name and bytes → is it a lockfile: by content, never by name alone.
//!
//! Obeys design §2 (Discovery): `kind` is compared after parsing, so escapes hide nothing,
//! and a file that holds the kind but does not parse is a fault, not "no lockfile".

use super::fault::LockfileFault;
use super::lockfile::KIND;
use super::{Lockfile, Problem};
use crate::json::{self, Lines};

/// The recommended ending of a lockfile's name.
pub const LOCKFILE_ENDING: &str = ".mcp-lock.json";

/// The ending of a companion listing's name.
pub const COMPANION_ENDING: &str = ".mcp-listing.json";

/// What a file turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Candidate {
    /// A lockfile that can be used.
    Lockfile(Box<Lockfile>),
    /// A lockfile that cannot.
    Refused(LockfileFault),
    /// Something else.
    Other,
}

/// How sure it is that the file should be a lockfile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// A person named it, or its name ends as lockfiles' names do.
    Lockfile,
    /// It is some JSON file.
    AnyJson,
}

/// What the name alone claims: nothing for a name that does not end in `.json`, in any
/// letter case, or that is a companion's.
pub fn claim(name: &str) -> Option<Claim> {
    let name = name.to_ascii_lowercase();
    if name.ends_with(LOCKFILE_ENDING) {
        Some(Claim::Lockfile)
    } else if name.ends_with(".json") && !name.ends_with(COMPANION_ENDING) {
        Some(Claim::AnyJson)
    } else {
        None
    }
}

/// Could these bytes hold the kind, spelled plainly or with escapes?
pub fn may_hold_kind(bytes: &[u8]) -> bool {
    contains(bytes, KIND.as_bytes()) || contains(bytes, b"\\u")
}

/// Reads a file that may be a lockfile.
pub fn read_candidate(claim: Claim, bytes: &[u8]) -> Candidate {
    if claim == Claim::AnyJson {
        match json::read(bytes) {
            Ok(document)
                if document.root.member("kind").and_then(|kind| kind.as_str()) == Some(KIND) => {}
            Err(error) if contains(&unescaped(bytes), KIND.as_bytes()) => {
                return Candidate::Refused(
                    Problem::Json(error).at_line(Lines::of(bytes).line(error.at)),
                );
            }
            Ok(_) | Err(_) => return Candidate::Other,
        }
    }
    match Lockfile::parse(bytes) {
        Ok(lockfile) => Candidate::Lockfile(Box::new(lockfile)),
        Err(fault) => Candidate::Refused(fault),
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    let Some(first) = part.first() else {
        return true;
    };
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = rest.get(at..).unwrap_or_default();
        if rest.starts_with(part) {
            return true;
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    false
}

/// The bytes with each `\u00XX` of an ASCII character undone, for text that is not JSON.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        let escape = rest.get(..6).and_then(ascii_escape);
        plain.push(escape.unwrap_or(*first));
        rest = if escape.is_some() {
            rest.get(6..).unwrap_or_default()
        } else {
            after
        };
    }
    plain
}

fn ascii_escape(six: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(six).ok()?.strip_prefix("\\u00")?;
    u8::from_str_radix(digits, 16).ok().filter(u8::is_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(claim("a/linear.mcp-lock.json"), Some(Claim::Lockfile));
        assert_eq!(claim("A.MCP-LOCK.JSON"), Some(Claim::Lockfile));
        assert_eq!(claim("lock.Json"), Some(Claim::AnyJson));
        assert_eq!(claim("linear.mcp-listing.json"), None);
        assert_eq!(claim("lock.yaml"), None);
    }

    #[test]
    fn the_kind_is_found_however_it_is_spelled() {
        let refused = |text: &str| {
            matches!(
                read_candidate(Claim::AnyJson, text.as_bytes()),
                Candidate::Refused(_)
            )
        };
        assert!(refused(r#"{"kind": "crawlcheck-mcp-lock"}"#));
        assert!(refused(r#"{"kind": "crawlcheck\u002dmcp-lock"}"#));
        assert!(refused(r#"{"k\u0069nd": "crawlcheck-mcp-lock"}"#));
        assert!(refused(r#"{"kind": "crawlcheck-mcp-lock",}"#));
        assert!(refused(r#"{"kind": "\u0063rawlcheck-mcp-lock",}"#));
        assert!(!refused(r#"{"kind": "crawlcheck-mcp-lock-check"}"#));
        assert!(!refused(r#"{"text": "crawlcheck-mcp-lock"}"#));
        assert!(!refused(r#"{"kind": 1}"#));
    }
}
