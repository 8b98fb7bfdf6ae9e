//! What makes two lockfiles speak of one server, and its digest.
//!
//! Obeys design §2 (server identity): URL, headers, names of secret headers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::pins::HeaderPins;
use super::{Digest, ServerUrl};
use crate::json;

/// What makes two lockfiles speak of one server: URL, headers, names of secret headers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The endpoint.
    pub url: ServerUrl,
    /// The headers that choose what the server shows.
    pub headers: HeaderPins,
}

#[derive(Serialize)]
struct IdentityText<'a> {
    url: &'a ServerUrl,
    headers: &'a BTreeMap<String, String>,
    secret_headers: &'a [String],
}

impl Identity {
    /// SHA-256 of the canonical form of `{url, headers, secret_headers}`: the same on every
    /// machine, whatever else a lockfile holds.
    pub fn digest(&self) -> Digest {
        let text = json::canonical_of(&IdentityText {
            url: &self.url,
            headers: &self.headers.headers,
            secret_headers: &self.headers.secret_headers,
        });
        debug_assert!(text.is_ok(), "text has a canonical form: {text:?}");
        Digest::of(text.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, headers: &[(&str, &str)], secret_headers: &[&str], text: &str) {
        let identity = Identity {
            url: ServerUrl::parse(url).unwrap(),
            headers: HeaderPins {
                headers: headers
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
                secret_headers: secret_headers.iter().map(|name| (*name).into()).collect(),
            },
        };
        assert_eq!(identity.digest(), Digest::of(text));
    }

    #[test]
    fn is_of_the_three_members_and_nothing_else() {
        check(
            "https://mcp.example.com/mcp",
            &[],
            &[],
            r#"{"headers":{},"secret_headers":[],"url":"https://mcp.example.com/mcp"}"#,
        );
        check(
            "https://mcp.example.com",
            &[("x-b", "2"), ("x-a", "\u{7f}é\"")],
            &["authorization"],
            "{\"headers\":{\"x-a\":\"\u{7f}é\\\"\",\"x-b\":\"2\"},\"secret_headers\":[\"authorization\"],\"url\":\"https://mcp.example.com\"}",
        );
    }
}
