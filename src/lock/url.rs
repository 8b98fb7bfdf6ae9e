//! Text → [`ServerUrl`]: an endpoint in normal form, so that equal servers compare equal.
//!
//! Obeys design §2 (server identity) and §6. Two spellings of one URL are one trap: what
//! is approved must be what is dialled, to the letter.

use std::fmt;

use url::Url;

use crate::untrusted::Untrusted;

/// The URL of an MCP endpoint: `https` (or `http`, which only an allowed private host may
/// use), in the URL standard's normal form, without user name, password or fragment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerUrl {
    spelled: String,
    url: Url,
}

/// Why a text is no server URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadUrl {
    /// No URL at all; what the URL standard says.
    NotAUrl(url::ParseError),
    /// Another scheme than `https` or `http`.
    Scheme,
    /// A user name or password stands in it.
    Credentials,
    /// A `#fragment`, which is never sent.
    Fragment,
    /// A host that ends in a dot, which TLS and DNS take differently.
    TrailingDot,
    /// Not in normal form; this is.
    NotNormal(Untrusted),
}

impl fmt::Display for BadUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadUrl::NotAUrl(error) => write!(f, "not a URL: {error}"),
            BadUrl::Scheme => f.write_str("the scheme is neither https nor http"),
            BadUrl::Credentials => f.write_str("a user name or password stands in it"),
            BadUrl::Fragment => f.write_str("a fragment (`#…`) stands in it"),
            BadUrl::TrailingDot => f.write_str("the host name ends in a dot"),
            BadUrl::NotNormal(normal) => {
                write!(f, "not in normal form, which is `{}`", normal.in_terminal())
            }
        }
    }
}

impl std::error::Error for BadUrl {}

impl ServerUrl {
    /// Reads a URL as it stands in a lockfile or on the command line.
    ///
    /// # Errors
    /// [`BadUrl`] says what is wrong, and what the normal form would be.
    pub fn parse(text: &str) -> Result<Self, BadUrl> {
        let url = Url::parse(text).map_err(BadUrl::NotAUrl)?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(BadUrl::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadUrl::Credentials);
        }
        if url.fragment().is_some() {
            return Err(BadUrl::Fragment);
        }
        if url.host_str().is_some_and(|host| host.ends_with('.')) {
            return Err(BadUrl::TrailingDot);
        }
        let bare_host = url.path() == "/" && url.as_str().strip_suffix('/') == Some(text);
        if url.as_str() != text && !bare_host {
            return Err(BadUrl::NotNormal(Untrusted::new(url.as_str())));
        }
        Ok(ServerUrl {
            spelled: text.to_owned(),
            url,
        })
    }

    /// The URL to dial.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The URL as it was spelled: for looking up, comparing and writing.
    pub fn as_str(&self) -> &str {
        &self.spelled
    }

    /// The URL as text from outside.
    pub fn untrusted(&self) -> Untrusted {
        Untrusted::new(&self.spelled)
    }

    /// The origin (scheme, host, port) that secrets are bound to.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

impl serde::Serialize for ServerUrl {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.spelled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: Result<(), &str>) {
        let found = ServerUrl::parse(text)
            .map(|_| ())
            .map_err(|error| error.to_string());
        match (&found, expect) {
            (Ok(()), Ok(())) => {}
            (Err(message), Err(part)) => assert!(message.contains(part), "{text}: {message}"),
            _ => panic!("{text}: {found:?}"),
        }
    }

    #[test]
    fn rows() {
        check("https://mcp.example.com/mcp", Ok(()));
        check("https://mcp.example.com", Ok(()));
        check("https://mcp.example.com/", Ok(()));
        check("http://127.0.0.1:8080/mcp?x=1", Ok(()));
        check("mcp.example.com", Err("not a URL"));
        check("ftp://example.com/", Err("scheme"));
        check("https:example.com", Err("https://example.com/"));
        check("https://EXAMPLE.com/", Err("normal form"));
        check("https://example.com:443/", Err("normal form"));
        check("https://ex%61mple.com/", Err("normal form"));
        check("https:\\\\example.com\\mcp", Err("normal form"));
        check("https://example.com/a/../b", Err("normal form"));
        check("https://exa\u{200b}mple.com/", Err("normal form"));
        check("https://0x7f.1/", Err("https://127.0.0.1/"));
        check(" https://example.com/", Err("normal form"));
        check("https://user@example.com/", Err("user name"));
        check("https://example.com/#x", Err("fragment"));
        check("https://example.com./", Err("dot"));
    }
}
