//! Text → [`HeaderSpec`]: a header as it is asked for on the command line.
//!
//! Obeys design §4 (Secrets): a secret is named by its environment variable, goes to one
//! origin, and its value is never written anywhere. Pure: the value is looked up elsewhere.

use std::fmt;

use reqwest::header::{HeaderName, HeaderValue};

/// A header that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeaderSpec {
    /// The origin it is for, where one was named.
    pub(crate) origin: Option<String>,
    /// Its name, in lower case.
    pub(crate) name: HeaderName,
    /// Where its value comes from.
    pub(crate) value: Source,
}

/// Where a header's value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// An environment variable: the value is a secret.
    Env(String),
    /// The command line or a lockfile: the value is no secret.
    Plain(HeaderValue),
}

/// Why a header cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadHeader {
    /// No colon between a name and a value.
    NoColon,
    /// No header name.
    Name,
    /// A value that no header can have.
    Value,
    /// A header that belongs to the protocol, not to whoever asks.
    Reserved,
    /// A header that carries secrets, with its value in the open.
    SecretInTheOpen,
    /// Something before the name that is no origin.
    Origin,
}

impl fmt::Display for BadHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadHeader::NoColon => "has no `: ` between name and value",
            BadHeader::Name => "has no valid header name",
            BadHeader::Value => "has a value that no header can have",
            BadHeader::Reserved => "names a header that lockgate sets itself",
            BadHeader::SecretInTheOpen => "puts a secret in the open",
            BadHeader::Origin => "does not begin with an origin such as `https://mcp.example.com`",
        })
    }
}

impl BadHeader {
    /// The way out.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            BadHeader::NoColon | BadHeader::Name | BadHeader::Value => {
                "write `--header 'Name: env:VARIABLE'`, or `'Name: value'` for what is no secret"
            }
            BadHeader::Reserved => "leave it out",
            BadHeader::SecretInTheOpen => {
                "put the value into an environment variable and write `env:VARIABLE`"
            }
            BadHeader::Origin => "write `--header 'https://mcp.example.com Name: env:VARIABLE'`",
        }
    }
}

impl HeaderSpec {
    /// Reads `[ORIGIN ]Name: env:VAR` or `[ORIGIN ]Name: value`.
    ///
    /// # Errors
    /// [`BadHeader`] says why it cannot be sent.
    pub(crate) fn parse(text: &str) -> Result<Self, BadHeader> {
        let (origin, header) = match text.split_once(' ') {
            Some((before, after)) if before.contains("://") => (Some(origin(before)?), after),
            Some(_) | None => (None, text),
        };
        let (name, value) = header.split_once(':').ok_or(BadHeader::NoColon)?;
        let name = sendable(name.trim())?;
        let value = match value.trim().strip_prefix("env:") {
            Some(variable) if is_variable(variable) => Source::Env(variable.to_owned()),
            Some(_) => return Err(BadHeader::Value),
            None if carries_secrets(&name) => return Err(BadHeader::SecretInTheOpen),
            None => {
                Source::Plain(HeaderValue::from_str(value.trim()).map_err(|_| BadHeader::Value)?)
            }
        };
        Ok(HeaderSpec {
            origin,
            name,
            value,
        })
    }
}

/// A header name that whoever asks may set.
///
/// # Errors
/// [`BadHeader::Name`] or [`BadHeader::Reserved`].
pub(crate) fn sendable(name: &str) -> Result<HeaderName, BadHeader> {
    const RESERVED: [&str; 11] = [
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "expect",
        "host",
        "proxy-authorization",
        "te",
        "transfer-encoding",
        "upgrade",
    ];
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| BadHeader::Name)?;
    let is_protocol = [
        "mcp-session-id",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
    ]
    .contains(&name.as_str());
    if is_protocol || RESERVED.contains(&name.as_str()) {
        Err(BadHeader::Reserved)
    } else {
        Ok(name)
    }
}

/// Is it a header whose value is a secret wherever it is used?
pub(crate) fn carries_secrets(name: &HeaderName) -> bool {
    let name = name.as_str();
    ["authorization", "cookie"].contains(&name)
        || ["api-key", "apikey", "secret", "token", "password"]
            .iter()
            .any(|part| name.contains(part))
}

fn origin(text: &str) -> Result<String, BadHeader> {
    let url = url::Url::parse(text).map_err(|_| BadHeader::Origin)?;
    let origin = url.origin().ascii_serialization();
    if origin == text.trim_end_matches('/') {
        Ok(origin)
    } else {
        Err(BadHeader::Origin)
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: Result<(Option<&str>, &str), BadHeader>) {
        let found = HeaderSpec::parse(text);
        let found = found
            .as_ref()
            .map(|spec| (spec.origin.as_deref(), spec.name.as_str()))
            .map_err(|error| *error);
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn rows() {
        check("Authorization: env:TOKEN", Ok((None, "authorization")));
        check(
            "https://mcp.example.com Authorization: env:TOKEN",
            Ok((Some("https://mcp.example.com"), "authorization")),
        );
        check(
            "http://127.0.0.1:8080 X-Api-Key: env:TOKEN",
            Ok((Some("http://127.0.0.1:8080"), "x-api-key")),
        );
        check("X-MCP-Toolsets: issues,repos", Ok((None, "x-mcp-toolsets")));
        check(
            "https://mcp.example.com/mcp Authorization: env:TOKEN",
            Err(BadHeader::Origin),
        );
        check("Authorization: Bearer abc", Err(BadHeader::SecretInTheOpen));
        check("X-Api-Key: abc", Err(BadHeader::SecretInTheOpen));
        check("Host: example.com", Err(BadHeader::Reserved));
        check("Mcp-Session-Id: 1", Err(BadHeader::Reserved));
        check("Authorization", Err(BadHeader::NoColon));
        check("Authorization: env:", Err(BadHeader::Value));
        check("Authorization: env:A B", Err(BadHeader::Value));
        check("X-A: a\nb", Err(BadHeader::Value));
        check("b ad: x", Err(BadHeader::Name));
    }
}
