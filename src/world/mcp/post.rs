//! [`Request`] → what the server's answer holds, asked again where that is worth it.
//!
//! Obeys design §6: at most 2 retries a server (no connection, a broken one, 429, 502, 503,
//! 504), redirects within the origin only (307, 308), statuses told by name.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use reqwest::Response;
use reqwest::header::{self, HeaderMap};
use url::Url;

use super::failure::{self, Fault, Refusal, Setback, Trouble};
use super::line::Line;
use crate::json::{Notice, Value};
use crate::wire::{self, Request, RetryAfter};

/// The pause before the first retry; it doubles.
const BACKOFF: Duration = Duration::from_millis(150);

/// How long the body of a refusal is waited for.
const SOON: Duration = Duration::from_secs(1);

impl Line {
    /// Asks until there is an answer; `take` takes what it needs out of the `result`.
    pub(super) async fn ask<T>(
        &mut self,
        request: Request<'_>,
        mut take: impl FnMut(&Value<'_>, &[Notice]) -> T,
    ) -> Result<T, Fault> {
        loop {
            let id = self.next_id();
            let setback = match self.once(&request, id, &mut take).await {
                Ok(taken) => return Ok(taken),
                Err(Trouble::Final(unlisted)) => return Err(Fault::Final(unlisted)),
                Err(Trouble::Refused(refusal)) => return Err(Fault::Refused(refusal)),
                Err(Trouble::Setback(setback)) => setback,
            };
            self.pause(setback).await?;
        }
    }

    async fn once<T>(
        &mut self,
        request: &Request<'_>,
        id: u64,
        take: &mut impl FnMut(&Value<'_>, &[Notice]) -> T,
    ) -> Result<T, Trouble> {
        let response = self.send(request, id).await?;
        self.answer(response, (request.method(), id), take).await
    }

    /// Tells the server something that it does not answer.
    pub(super) async fn tell(&mut self, request: Request<'_>) -> Result<(), Fault> {
        loop {
            let setback = match self.send(&request, 0).await {
                Ok(response) => {
                    self.discard(response).await;
                    return Ok(());
                }
                Err(Trouble::Final(unlisted)) => return Err(Fault::Final(unlisted)),
                Err(Trouble::Refused(refusal)) => return Err(Fault::Refused(refusal)),
                Err(Trouble::Setback(setback)) => setback,
            };
            self.pause(setback).await?;
        }
    }

    /// Sends a request and follows redirects within the origin.
    async fn send(&mut self, request: &Request<'_>, id: u64) -> Result<Response, Trouble> {
        let what = format!("the answer to `{}`", request.method().name());
        loop {
            let sent = self.prepare(request, id).send();
            let response = self.patience.wait(&what, sent).await?;
            let response = response.map_err(|error| failure::no_connection(&error))?;
            match response.status().as_u16() {
                200..300 => return Ok(response),
                300..400 => self.url = self.next_url(&response)?,
                status @ (401 | 403) => {
                    return Err(failure::denied(status, response.headers()).into());
                }
                429 | 502..=504 => return Err(setback(&response)),
                400..500 => return Err(self.refusal(response, id).await.into()),
                status => return Err(failure::status(status).into()),
            }
        }
    }

    /// Where a redirect leads, if it may be followed.
    fn next_url(&mut self, response: &Response) -> Result<Url, Trouble> {
        let status = response.status().as_u16();
        let location = response.headers().get(header::LOCATION);
        let said = location.map(|l| String::from_utf8_lossy(l.as_bytes()).into_owned());
        let target = said.as_deref().and_then(|to| self.url.join(to).ok());
        let follow = matches!(status, 307 | 308)
            && target
                .as_ref()
                .is_some_and(|to| is_same_origin(to, &self.url))
            && self.redirects.take().is_some();
        match target {
            Some(target) if follow => Ok(target),
            target => Err(failure::redirect(status, target.as_ref(), said).into()),
        }
    }

    /// Waits before asking again, if there is a try and time left.
    async fn pause(&mut self, setback: Setback) -> Result<(), Fault> {
        let Some(before) = self.retries.take() else {
            return Err(Fault::Final(setback.why));
        };
        let pause = setback
            .wait
            .unwrap_or_else(|| jitter(BACKOFF * 2_u32.pow(before)));
        match self.patience.sleep(pause).await {
            true => Ok(()),
            false => Err(Fault::Final(setback.why)),
        }
    }

    /// What a 4xx says, as far as it says it in JSON-RPC.
    async fn refusal(&mut self, response: Response, id: u64) -> Refusal {
        let status = response.status().as_u16();
        let body = self.short_body(response, SOON).await;
        let document = crate::json::read(&body).ok();
        let mail = document.as_ref().and_then(|d| wire::open(&d.root, id).ok());
        let error = mail.and_then(|mail| match mail.answer {
            Some(wire::Answer::Error(error)) => Some(error),
            Some(wire::Answer::Result(_)) | None => mail.unaddressed,
        });
        failure::refusal(status, error)
    }
}

/// Credentials in a target would be sent as such: not the same.
fn is_same_origin(target: &Url, origin: &Url) -> bool {
    target.origin() == origin.origin()
        && target.username() == origin.username()
        && target.password() == origin.password()
}

fn setback(response: &Response) -> Trouble {
    let wait = wait_of(response.headers());
    failure::busy(response.status().as_u16(), wait).into()
}

#[expect(
    clippy::disallowed_methods,
    reason = "a date in a header means nothing without the time of day"
)]
fn wait_of(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?;
    match wire::retry_after(value.as_bytes(), jiff::Timestamp::now()) {
        RetryAfter::Wait(wait) => Some(wait),
        RetryAfter::Unclear => None,
    }
}

/// Up to twice as long, so that many clients do not ask again at one moment.
fn jitter(pause: Duration) -> Duration {
    let random = RandomState::new().hash_one(()) % 1024;
    pause + pause.mul_f64(random as f64 / 1024.0)
}
