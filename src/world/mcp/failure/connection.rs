//! What failed on the way to a server: names, addresses, TLS, connections, limits.

use std::error::Error;
use std::time::Duration;

use rustls::CertificateError;
use url::Host;

use super::fault::{Setback, Trouble};
use super::{hinted, quoting, unlisted};
use crate::check::{Reason, Unlisted};

pub(in super::super) fn internal(error: &dyn Error) -> Unlisted {
    quoting(
        unlisted(Reason::InternalError, "the client cannot be set up"),
        error.to_string(),
    )
}

pub(in super::super) fn no_host() -> Unlisted {
    unlisted(Reason::Dns, "the URL names no host")
}

pub(in super::super) fn no_address(why: &str) -> Unlisted {
    unlisted(Reason::Dns, format!("the host cannot be looked up: {why}"))
}

pub(in super::super) fn private(host: &Host<&str>, what: &str) -> Unlisted {
    hinted(
        unlisted(Reason::PrivateAddress, format!("the host is {what}")),
        format!("`--allow-private-host {host}` if that is meant"),
    )
}

pub(in super::super) fn not_https(host: &Host<&str>) -> Unlisted {
    hinted(
        unlisted(Reason::Tls, "the URL is not https"),
        format!("use https; for a host of your own `--allow-private-host {host}`"),
    )
}

pub(in super::super) fn no_roots() -> Unlisted {
    hinted(
        unlisted(Reason::Tls, "this machine has no root certificates"),
        "install `ca-certificates`, or name a file of them in `SSL_CERT_FILE`",
    )
}

pub(in super::super) fn timeout(what: &str, after: Duration) -> Unlisted {
    let detail = format!("{what} did not come within {} s", after.as_secs_f32());
    unlisted(Reason::Timeout, detail)
}

pub(in super::super) fn too_many_bytes(max: usize) -> Unlisted {
    let detail = match max >> 20 {
        0 => format!("more than the {max} bytes that a server may send"),
        mebibytes => format!("more than the {mebibytes} MiB that a server may send"),
    };
    unlisted(Reason::TooLarge, detail)
}

/// No connection, or one that broke: it may be better in a while, but TLS will not.
pub(in super::super) fn no_connection(error: &reqwest::Error) -> Trouble {
    let why = broken(error);
    if why.reason == Reason::Tls {
        return Trouble::Final(why);
    }
    Trouble::Setback(Setback { why, wait: None })
}

/// A connection that could not be made, or that broke.
fn broken(error: &reqwest::Error) -> Unlisted {
    if let Some(tls) = cause::<rustls::Error>(error) {
        return quoting(unlisted(Reason::Tls, tls_words(tls)), tls.to_string());
    }
    let why = match cause::<std::io::Error>(error) {
        Some(io) => format!(" ({})", io.kind()),
        None => String::new(),
    };
    if error.is_connect() && error.is_timeout() {
        return unlisted(Reason::Connect, "no connection in time");
    }
    match error.is_connect() {
        true => unlisted(Reason::Connect, format!("no connection{why}")),
        false => unlisted(
            Reason::Connect,
            format!("the connection broke or what came is not HTTP{why}"),
        ),
    }
}

/// The innermost error of this kind among the causes, those inside I/O errors too.
fn cause<'e, T: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e T> {
    let mut found = None;
    let mut next = Some(error);
    while let Some(error) = next {
        found = error.downcast_ref().or(found);
        let io = error.downcast_ref::<std::io::Error>();
        next = match io.and_then(std::io::Error::get_ref) {
            Some(inside) => Some(inside),
            None => error.source(),
        };
    }
    found
}

fn tls_words(error: &rustls::Error) -> &'static str {
    if let rustls::Error::InvalidCertificate(bad) = error {
        return certificate_words(bad);
    }
    if let rustls::Error::InvalidMessage(_) = error {
        return "what answers does not speak TLS";
    }
    if let rustls::Error::PeerIncompatible(_) = error {
        return "the server speaks no TLS that is safe";
    }
    "the TLS handshake failed"
}

fn certificate_words(bad: &CertificateError) -> &'static str {
    if let CertificateError::Expired | CertificateError::ExpiredContext { .. } = bad {
        return "the certificate has expired";
    }
    if let CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } = bad
    {
        return "the certificate is for another name";
    }
    if let CertificateError::UnknownIssuer = bad {
        return "the certificate is by an issuer that this machine does not trust";
    }
    "the certificate is not accepted"
}
