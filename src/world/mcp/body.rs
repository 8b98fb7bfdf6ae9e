//! HTTP body → the answer in it, read no further and no longer than needed.
//!
//! Obeys MCP, Streamable HTTP: an answer is one JSON text or an event of a stream. Bytes are
//! counted as they arrive; what is not our answer is not kept.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{self, HeaderValue};
use tokio::time::timeout;

use super::failure::{self, Trouble};
use super::line::Line;
use crate::check::Unlisted;
use crate::json::{self, Notice, Value};
use crate::lock::Malformed;
use crate::wire::{self, Answer, Body, Events, Mail, Media, Method};

/// Most bytes of a body that is read for a message only.
const SHORT: usize = 64 << 10;

/// How long a body may take to end when we have what we want of it, so that the connection
/// can be kept.
const GRACE: Duration = Duration::from_millis(20);

/// What was asked, and under which id.
type Asked = (Method, u64);

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
        self.sift(body, asked, |mail, notices| match mail {
            Mail {
                answer: Some(Answer::Result(result)),
                ..
            } => Ok(take(result, notices)),
            Mail {
                answer: Some(Answer::Error(error)),
                ..
            }
            | Mail {
                answer: None,
                unaddressed: Some(error),
                ..
            } => Err(failure::rpc_error(&error).into()),
            Mail {
                answer: None,
                unaddressed: None,
                strays: 0,
                ..
            } => Err(failure::not_answered("JSON that holds no answer").into()),
            Mail {
                answer: None,
                unaddressed: None,
                ..
            } => Err(failure::not_answered("an answer to another request than ours").into()),
        })?
    }

    /// Finds the answer in a stream of events.
    async fn in_events<T>(
        &mut self,
        mut response: Response,
        asked: Asked,
        take: &mut impl FnMut(&Value<'_>, &[Notice]) -> T,
    ) -> Result<T, Trouble> {
        let mut events = Events::new(self.allowance.max());
        let mut found = None;
        while found.is_none() {
            let Some(chunk) = self.chunk(&mut response, asked.0).await? else {
                let last = events.finish();
                found = self.in_batch(last, asked, take)?;
                return found.ok_or_else(stream_ended);
            };
            let batch = events.push(&chunk).map_err(|_| self.too_many_bytes())?;
            found = self.in_batch(batch, asked, take)?;
        }
        let rest = self.rest_of(response, events, asked);
        if let Ok(rest) = timeout(GRACE, rest).await {
            rest?;
        }
        found.ok_or_else(stream_ended)
    }

    /// Reads a stream to its end, in which no second answer may be.
    async fn rest_of(
        &mut self,
        mut response: Response,
        mut events: Events,
        asked: Asked,
    ) -> Result<(), Trouble> {
        while let Ok(Some(chunk)) = self.chunk(&mut response, asked.0).await {
            let batch = events.push(&chunk).map_err(|_| self.too_many_bytes())?;
            if self.in_batch(batch, asked, &mut |_, _| ())?.is_some() {
                return Err(two_answers(asked.0));
            }
        }
        Ok(())
    }

    /// Finds the answer among events that arrived together.
    fn in_batch<T>(
        &mut self,
        events: impl IntoIterator<Item = Vec<u8>>,
        asked: Asked,
        take: &mut impl FnMut(&Value<'_>, &[Notice]) -> T,
    ) -> Result<Option<T>, Trouble> {
        let mut found = None;
        for event in events {
            if !could_be_message(&event) {
                continue;
            }
            let taken = self.sift(&event, asked, |mail, notices| match mail.answer {
                Some(Answer::Result(result)) => Ok(Some(take(result, notices))),
                Some(Answer::Error(error)) => Err(failure::rpc_error(&error).into()),
                None => Ok(None),
            })?;
            match taken {
                Ok(Some(_)) if found.is_some() => return Err(two_answers(asked.0)),
                Ok(Some(taken)) => found = Some(taken),
                Ok(None) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(found)
    }

    /// Opens one JSON text, refuses what the server asks in it, and hands on the rest.
    fn sift<R>(
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

    async fn whole(&mut self, mut response: Response, method: Method) -> Result<Vec<u8>, Trouble> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(&mut response, method).await? {
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// The next bytes of a body, counted.
    async fn chunk(
        &mut self,
        response: &mut Response,
        method: Method,
    ) -> Result<Option<impl AsRef<[u8]> + std::ops::Deref<Target = [u8]> + use<>>, Trouble> {
        let what = format!("the end of the answer to `{}`", method.name());
        let chunk = self.patience.wait(&what, response.chunk()).await?;
        let chunk = chunk.map_err(|error| failure::setback(&error))?;
        let length = chunk.as_ref().map_or(0, |bytes| bytes.len());
        self.allowance.spend(length, &mut self.patience).await?;
        Ok(chunk)
    }

    /// The start of a body that may say why; nothing is lost if it does not come soon.
    pub(super) async fn short_body(&mut self, mut response: Response, soon: Duration) -> Vec<u8> {
        let mut body = Vec::new();
        let reading = async {
            while let Ok(Some(chunk)) = self.chunk(&mut response, Method::Initialized).await
                && body.len() + chunk.len() <= SHORT
            {
                body.extend_from_slice(&chunk);
            }
        };
        let _what_came_will_do = timeout(soon, reading).await;
        body
    }

    /// Reads a body that holds nothing for us, so that the connection can be kept.
    pub(super) async fn discard(&mut self, response: Response) {
        let kind = response.headers().get(header::CONTENT_TYPE);
        let kind = wire::body_kind(kind.map(HeaderValue::as_bytes), None);
        if kind != Body::Readable(Media::EventStream) {
            self.short_body(response, GRACE).await;
        }
    }

    fn too_many_bytes(&self) -> Unlisted {
        failure::too_many_bytes(self.allowance.max())
    }
}

/// Can this be a JSON-RPC message? Keep-alive words cannot.
fn could_be_message(text: &[u8]) -> bool {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
}

fn stream_ended() -> Trouble {
    failure::not_answered("the event stream ended without the answer").into()
}

fn two_answers(method: Method) -> Trouble {
    malformed(method, Malformed::Protocol("two answers to one request"))
}

/// A fault in a listing is the listing's; in the handshake it is a refusal.
fn malformed(method: Method, malformed: Malformed) -> Trouble {
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
