//! What a server answered, where that was no listing: statuses, errors, bodies.

use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderValue};
use url::Url;

use super::fault::{Fault, Refusal, Setback};
use super::{hinted, quoting, unlisted};
use crate::check::{Reason, Unlisted};
use crate::lock::Malformed;
use crate::untrusted::Untrusted;
use crate::wire::{
    self, Body, Code, MAX_CURSOR, MAX_PAGES, MAX_TOOLS, NoHandshake, NoWay, RpcError,
};

/// 401 or 403: with a challenge it is credentials that are wanted.
pub(in super::super) fn denied(status: u16, headers: &HeaderMap) -> Unlisted {
    let challenge = headers.get(header::WWW_AUTHENTICATE);
    if status != 401 && challenge.is_none() {
        return hinted(
            super::status(status),
            "the server may not like the addresses of this network: try a self-hosted runner",
        );
    }
    let detail = format!("the server asks for credentials (HTTP {status})");
    let denied = hinted(
        unlisted(Reason::AuthRequired, detail),
        "name a secret header for this server, or one that is accepted",
    );
    let challenge = challenge.map(|value| String::from_utf8_lossy(value.as_bytes()));
    match challenge.as_deref().and_then(wire::scope) {
        Some(scope) => quoting(denied, scope),
        None => denied,
    }
}

/// Any other status that is no answer.
pub(in super::super) fn status(status: u16) -> Unlisted {
    unlisted(
        Reason::HttpStatus,
        format!("the server answers HTTP {status}"),
    )
}

/// 429 and the like: it may be better in a while.
pub(in super::super) fn busy(status: u16, wait: Option<Duration>) -> Setback {
    let wanted = wait.map(|w| format!(" and asks to wait {} s", w.as_secs()));
    let wanted = wanted.unwrap_or_default();
    let why = match status {
        429 => hinted(
            unlisted(
                Reason::RateLimited,
                format!("the server takes no more requests now (HTTP 429){wanted}"),
            ),
            "ask less often, or at another minute of the hour",
        ),
        other => unlisted(
            Reason::HttpStatus,
            format!("the server answers HTTP {other}{wanted}"),
        ),
    };
    Setback { why, wait }
}

/// Another 4xx, with what it says in JSON-RPC.
pub(in super::super) fn refusal(code: u16, error: Option<RpcError>) -> Refusal {
    let why = match &error {
        Some(error) => rpc_words(error, &format!(" (HTTP {code})")),
        None => status(code),
    };
    Refusal::with_status(Some(code), error.as_ref(), why)
}

/// A JSON-RPC error in place of a result.
pub(in super::super) fn rpc_error(error: &RpcError) -> Refusal {
    Refusal::with_status(None, Some(error), rpc_words(error, ""))
}

fn rpc_words(error: &RpcError, status: &str) -> Unlisted {
    let code = error.code.number().map(|code| format!(" {code}"));
    let code = code.unwrap_or_default();
    let meaning = match error.code {
        Code::UnsupportedVersion => ": it speaks no protocol version that is known here",
        Code::MissingCapability => ": it lists nothing without a capability of the client",
        Code::HeaderMismatch => ": it takes our headers for wrong",
        Code::Other(_) | Code::None => "",
    };
    let detail = format!("the server answers with the JSON-RPC error{code}{status}{meaning}");
    Unlisted {
        said: error.message.clone(),
        ..unlisted(Reason::RpcError, detail)
    }
}

/// A redirect that is not followed.
pub(in super::super) fn redirect(status: u16, to: Option<&Url>, said: Option<String>) -> Unlisted {
    let detail = format!("the server sends us elsewhere (HTTP {status})");
    let redirect = hinted(
        unlisted(Reason::Redirect, detail),
        "if that is where the server is now, approve it under its new URL",
    );
    Unlisted {
        said: to.map(Url::to_string).or(said).map(Untrusted::new),
        ..redirect
    }
}

/// A body whose headers say that it cannot be an answer.
pub(in super::super) fn unreadable(kind: Body, headers: &HeaderMap) -> Refusal {
    let said = |name| {
        let value = headers.get(name).map(HeaderValue::as_bytes);
        String::from_utf8_lossy(value.unwrap_or_default()).into_owned()
    };
    Refusal::of(match kind {
        Body::WebPage => web_page(),
        Body::Encoded => quoting(
            unlisted(
                Reason::NotMcp,
                "a body in an encoding that was not asked for",
            ),
            said(header::CONTENT_ENCODING),
        ),
        Body::OtherCharset => quoting(
            unlisted(Reason::NotMcp, "a body in a character set other than UTF-8"),
            said(header::CONTENT_TYPE),
        ),
        Body::OtherType | Body::Readable(_) => quoting(
            unlisted(
                Reason::NotMcp,
                "a body that is neither JSON nor an event stream",
            ),
            said(header::CONTENT_TYPE),
        ),
    })
}

fn web_page() -> Unlisted {
    hinted(
        unlisted(Reason::NotMcp, "a web page where an answer is due"),
        "it may be a login or an error page: open the URL in a browser, and check its path",
    )
}

/// A body in words.
pub(in super::super) fn plain_text(body: &[u8]) -> Refusal {
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    if text.starts_with('<') {
        return Refusal::of(web_page());
    }
    Refusal::of(quoting(
        unlisted(Reason::NotMcp, "plain text where an answer is due"),
        text,
    ))
}

/// A body that can be read and is no answer of ours.
pub(in super::super) fn not_answered(detail: &str) -> Refusal {
    Refusal::of(unlisted(Reason::NotMcp, detail))
}

/// Plain words where JSON was tried and not found.
pub(in super::super) fn not_answered_by(malformed: Malformed) -> Refusal {
    Refusal::of(Unlisted {
        reason: Reason::NotMcp,
        ..malformed.into()
    })
}

/// A result that opens no conversation.
pub(super) fn no_handshake(fault: &NoHandshake) -> Unlisted {
    let not_mcp = |detail: &str| unlisted(Reason::NotMcp, detail);
    match fault {
        NoHandshake::NoVersion => not_mcp("a handshake that names no protocol version"),
        NoHandshake::OtherVersion(version) => quoting(
            not_mcp("the server chose a protocol version that is not known here"),
            version.as_arrived(),
        ),
        NoHandshake::NotSupported(_) => {
            not_mcp("the server names no protocol version of the modern era that is known here")
        }
        NoHandshake::Malformed(malformed) => Unlisted {
            reason: Reason::NotMcp,
            ..malformed.clone().into()
        },
    }
}

/// The session was lost, opened anew, and lost again.
pub(in super::super) fn twice(why: Unlisted) -> Unlisted {
    let detail = format!("{}, twice: a session opened anew did not help", why.detail);
    Unlisted { detail, ..why }
}

/// The pages do not end, or not soon enough.
pub(in super::super) fn no_way(no_way: NoWay) -> Fault {
    let too_large = |detail| unlisted(Reason::TooLarge, detail);
    Fault::Final(match no_way {
        NoWay::Repeated(cursor) => Malformed::RepeatedCursor(Untrusted::new(cursor.0)).into(),
        NoWay::TooManyPages => too_large(format!("a listing of more than {MAX_PAGES} pages")),
        NoWay::TooManyTools => too_large(format!("a listing of more than {MAX_TOOLS} tools")),
        NoWay::CursorTooLong => too_large(format!(
            "a `nextCursor` of more than {} KiB",
            MAX_CURSOR >> 10
        )),
    })
}
