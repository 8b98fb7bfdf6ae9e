//! Lockfile and typed headers → the endpoint to ask, with what may be sent to it.
//!
//! Obeys design §4 (Secrets): a secret goes only where the command line or base's trust
//! file says, never by the word of a lockfile, and never to a URL that a change brought.

use lockgate::change::Contact;
use lockgate::check::{Reason, Unlisted};
use lockgate::lock::{Identity, Lockfile, ServerUrl};
use lockgate::trust::ServerSecrets;
use lockgate::untrusted::Untrusted;
use lockgate::world::mcp::Endpoint;
use reqwest::header::{HeaderName, HeaderValue};

use crate::header::{HeaderSpec, Source, carries_secrets, sendable};
use crate::settings;

/// What may be sent, and where to.
pub(crate) struct Credentials<'a> {
    /// Headers that the command line names, for one origin each.
    pub(crate) typed: &'a [HeaderSpec],
    /// Headers that the trust file names, for one URL each.
    pub(crate) trusted: &'a [ServerSecrets],
    /// Hosts that may be asked over plain http.
    pub(crate) opened: &'a [String],
}

impl Credentials<'_> {
    /// The headers for a server; a typed one stands before a trusted one.
    pub(super) fn for_server(&self, url: &ServerUrl, contact: Contact) -> Vec<HeaderSpec> {
        let origin = url.origin();
        let typed = if contact >= Contact::TypedSecrets {
            self.typed
        } else {
            &[]
        };
        let mut here: Vec<HeaderSpec> = typed
            .iter()
            .filter(|spec| spec.origin.as_deref() == Some(&origin))
            .cloned()
            .collect();
        let host = url.url().host_str().unwrap_or_default();
        let is_safe = contact == Contact::WithSecrets
            && (url.url().scheme() == "https" || self.opened.iter().any(|open| open == host));
        let trusted = self
            .trusted
            .iter()
            .filter(|server| is_safe && server.url == *url);
        for (name, variable) in trusted.flat_map(|server| &server.headers) {
            match sendable(name) {
                Ok(name) if !here.iter().any(|spec| spec.name == name) => here.push(HeaderSpec {
                    origin: Some(origin.clone()),
                    name,
                    value: Source::Env(variable.clone()),
                }),
                Ok(_) | Err(_) => {}
            }
        }
        here
    }
}

/// The endpoint that a lockfile names; an error is the server's verdict.
pub(crate) fn of(
    lockfile: &Lockfile,
    credentials: &Credentials<'_>,
    contact: Contact,
) -> Result<Endpoint, Unlisted> {
    let Identity { url, headers } = lockfile.identity();
    let mut sent = Vec::new();
    for (name, value) in &headers.headers {
        sent.push(approved_header(name, value)?);
    }
    let here = credentials.for_server(&url, contact);
    for name in &headers.secret_headers {
        let spec = here
            .iter()
            .find(|spec| spec.name.as_str() == name)
            .ok_or_else(|| missing(name, &url.origin(), contact))?;
        sent.push(typed_header(spec)?);
    }
    // A lockfile without extended pins does not say how its listing was asked for.
    if lockfile.extended().is_none() {
        for spec in &here {
            sent.push(typed_header(spec)?);
        }
    }
    let protocol_version = lockfile
        .server()
        .protocol_version
        .as_ref()
        .map(|version| version.as_arrived().to_owned());
    Ok(Endpoint {
        url: url.url().clone(),
        headers: sent,
        protocol_version,
    })
}

fn approved_header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Unlisted> {
    let refused = |detail: String| Unlisted {
        reason: Reason::LockfileRefused,
        detail,
        said: Some(Untrusted::new(name)),
        hint: Some("lock the server again with headers that may be sent".to_owned()),
    };
    let name = sendable(name)
        .map_err(|bad| refused(format!("a header that the lockfile asks for {bad}")))?;
    if carries_secrets(&name) {
        return Err(refused(
            "the lockfile holds the value of a secret header".to_owned(),
        ));
    }
    let value = HeaderValue::from_str(value)
        .map_err(|_| refused("a header value that cannot be sent".to_owned()))?;
    Ok((name, value))
}

fn typed_header(spec: &HeaderSpec) -> Result<(HeaderName, HeaderValue), Unlisted> {
    let value = settings::header_value(spec).map_err(|error| Unlisted {
        reason: Reason::AuthRequired,
        detail: format!("{error:#}"),
        said: None,
        hint: Some("set it, or run where it is set".to_owned()),
    })?;
    Ok((spec.name.clone(), value))
}

fn missing(name: &str, origin: &str, contact: Contact) -> Unlisted {
    let name = Untrusted::new(name);
    let (detail, hint) = match contact {
        Contact::WithSecrets | Contact::TypedSecrets => (
            "approved as listed with a secret header that this run was not given",
            format!(
                "give it as `--header '{origin} {}: env:VARIABLE'`",
                name.in_terminal()
            ),
        ),
        Contact::WithoutSecrets | Contact::Refused => (
            "this URL is new: no secret goes there before base's approvers approved it",
            "an approver reads it and signs it with `lockgate approve`".to_owned(),
        ),
    };
    Unlisted {
        reason: Reason::AuthRequired,
        detail: detail.to_owned(),
        said: Some(name),
        hint: Some(hint),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, contact: Contact, expect: usize) {
        let of = |url: &str| ServerSecrets {
            url: ServerUrl::parse(url).unwrap(),
            headers: [("x-key".to_owned(), "LOCKGATE_KEY".to_owned())].into(),
        };
        let credentials = Credentials {
            typed: &[],
            trusted: &[
                of("https://mcp.example.com/mcp"),
                of("http://mcp.example.com/mcp"),
                of("http://127.0.0.1:9/mcp"),
            ],
            opened: &["127.0.0.1".to_owned()],
        };
        let sent = credentials.for_server(&ServerUrl::parse(url).unwrap(), contact);
        assert_eq!(sent.len(), expect, "{url}");
    }

    #[test]
    fn a_trusted_header_goes_to_its_very_url_and_over_https() {
        let with = Contact::WithSecrets;
        check("https://mcp.example.com/mcp", with, 1);
        check("http://127.0.0.1:9/mcp", with, 1);
        check("http://mcp.example.com/mcp", with, 0);
        check("https://mcp.example.com/other", with, 0);
        check("https://mcp.example.com:8443/mcp", with, 0);
        check("https://mcp.example.com.evil.example/mcp", with, 0);
        check("https://mcp.example.com/mcp", Contact::TypedSecrets, 0);
        check("https://mcp.example.com/mcp", Contact::WithoutSecrets, 0);
    }
}
