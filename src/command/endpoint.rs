//! Lockfile and typed headers → the endpoint to ask, with what may be sent to it.
//!
//! Obeys design §4 (Secrets): a secret goes only to the exact origin that the command
//! line names, never by the word of a lockfile.

use lockgate::check::{Reason, Unlisted};
use lockgate::lock::{Identity, Lockfile};
use lockgate::untrusted::Untrusted;
use lockgate::world::mcp::Endpoint;
use reqwest::header::{HeaderName, HeaderValue};

use crate::header::{HeaderSpec, carries_secrets, sendable};
use crate::settings;

/// The endpoint that a lockfile names; an error is the server's verdict.
pub(crate) fn of(lockfile: &Lockfile, specs: &[HeaderSpec]) -> Result<Endpoint, Unlisted> {
    let Identity { url, headers } = lockfile.identity();
    let mut sent = Vec::new();
    for (name, value) in &headers.headers {
        sent.push(approved_header(name, value)?);
    }
    let origin = url.origin();
    let here: Vec<&HeaderSpec> = specs
        .iter()
        .filter(|spec| spec.origin.as_deref() == Some(&origin))
        .collect();
    for name in &headers.secret_headers {
        let spec = here
            .iter()
            .find(|spec| spec.name.as_str() == name)
            .ok_or_else(|| missing(name, &origin))?;
        sent.push(typed_header(spec)?);
    }
    // A lockfile without extended pins does not say how its listing was asked for.
    if lockfile.extended().is_none() {
        for spec in here {
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

fn missing(name: &str, origin: &str) -> Unlisted {
    let name = Untrusted::new(name);
    let hint = format!(
        "give it as `--header '{origin} {}: env:VARIABLE'`",
        name.in_terminal()
    );
    Unlisted {
        reason: Reason::AuthRequired,
        detail: "approved as listed with a secret header that this run was not given".to_owned(),
        said: Some(name),
        hint: Some(hint),
    }
}
