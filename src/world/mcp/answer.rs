//! HTTP response → the answer in it, whatever form it has.
//!
//! Obeys MCP, Streamable HTTP: an answer is one JSON text or an event of a stream. A fault
//! in the answer to `tools/list` is the listing's; in a handshake it is a refusal.

use reqwest::Response;
use reqwest::header::{self, HeaderValue};

use super::failure::{self, Trouble};
use super::line::Line;
use crate::json::{self, Notice, Value};
use crate::lock::Malformed;
use crate::wire::{self, Answer, Body, Mail, Media, Method};

/// What was asked, and under which id.
pub(super) type Asked = (Method, u64);

/// Nothing but answers to something else.
const STRAY: &str = "an answer to another request than ours";

impl Line {
    /// Finds the answer in a response, whatever form it has.
    pub(super) async fn answer<T>(
        &mut self,
        response: Response,
        asked: Asked,
        take: &mut impl FnMut(&Value<'_>, &[Notice]) -> T,
    ) -> Result<T, Trouble> {
        if asked.0 == Method::Initialize {
            self.open_session(session(&response)?);
        }
        let header = |name| response.headers().get(name).map(HeaderValue::as_bytes);
        let kind = wire::body_kind(
            header(header::CONTENT_TYPE),
            header(header::CONTENT_ENCODING),
        );
        match kind {
            Body::Readable(Media::EventStream) => self.in_events(response, asked, take).await,
            Body::Readable(media @ (Media::Json | Media::Unsaid)) => {
                let body = self.whole(response, asked.0).await?;
                self.in_text(&body, (asked, media), take)
            }
            Body::WebPage | Body::OtherType | Body::OtherCharset | Body::Encoded => {
                Err(failure::unreadable(kind, response.headers()).into())
            }
        }
    }

    /// Finds the answer in one JSON text.
    fn in_text<T>(
        &mut self,
        body: &[u8],
        (asked, media): (Asked, Media),
        take: &mut impl FnMut(&Value<'_>, &[Notice]) -> T,
    ) -> Result<T, Trouble> {
        if body.trim_ascii().is_empty() {
            return Err(failure::not_answered("an empty body where the answer is due").into());
        }
        if media == Media::Unsaid && !could_be_message(body) {
            return Err(failure::plain_text(body).into());
        }
        self.sift(body, asked, |mail, notices| {
            match (mail.answer, mail.unaddressed, mail.strays) {
                (Some(Answer::Result(result)), _, _) => Ok(take(result, notices)),
                (Some(Answer::Error(error)), _, _) | (None, Some(error), _) => {
                    Err(failure::rpc_error(&error).into())
                }
                (None, None, 0) => Err(failure::not_answered("JSON without an answer").into()),
                (None, None, _) => Err(failure::not_answered(STRAY).into()),
            }
        })?
    }

    /// Opens one JSON text, refuses what the server asks in it, and hands on the rest.
    pub(super) fn sift<R>(
        &mut self,
        text: &[u8],
        (method, id): Asked,
        read: impl FnOnce(Mail<'_>, &[Notice]) -> R,
    ) -> Result<R, Trouble> {
        let document = json::read(text).map_err(|e| malformed(method, e.into()))?;
        let mail = wire::open(&document.root, id).map_err(|e| malformed(method, e))?;
        mail.requests.iter().for_each(|id| self.refuse(id));
        Ok(read(mail, &document.notices))
    }
}

/// Can this be a JSON-RPC message? Keep-alive words cannot.
pub(super) fn could_be_message(text: &[u8]) -> bool {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// A fault in a listing is the listing's; in the handshake it is a refusal.
pub(super) fn malformed(method: Method, malformed: Malformed) -> Trouble {
    match method {
        Method::ListTools => Trouble::Final(malformed.into()),
        Method::Initialize | Method::Initialized | Method::Discover => {
            failure::not_answered_by(malformed).into()
        }
    }
}

fn session(response: &Response) -> Result<Option<HeaderValue>, Trouble> {
    match response.headers().get(wire::SESSION) {
        Some(id) if !wire::is_session_id(id.as_bytes()) => {
            Err(failure::not_answered("a session id that is not visible ASCII").into())
        }
        id => Ok(id.cloned()),
    }
}
