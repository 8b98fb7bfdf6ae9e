//! One request, sent: asked again where that is safe, and not where it is not.

use std::time::Duration;

use http_body_util::BodyExt as _;
use octocrab::Octocrab;
use serde::Serialize;
use tokio::time::timeout;
use url::Url;

use super::access::Access;
use super::failure::{Failure, Kind};
use super::reply::Reply;
use super::rhythm::Pace;
use super::{GitHub, failure};
use crate::untrusted::Untrusted;

/// Most bytes of an answer: 100 issues of the longest bodies there are.
const MOST_BYTES: usize = 32 << 20;

/// What a request is about: it says what a refusal means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// Whose the token is.
    Token,
    /// The repository and its issues as a whole.
    Repository,
    /// One issue.
    Issue,
}

/// A request, as it is sent.
pub(super) struct Request {
    method: Method,
    route: String,
    body: serde_json::Value,
    about: About,
}

#[derive(Clone, Copy)]
enum Method {
    Get,
    Post,
    Patch,
    /// A question to GraphQL, which changes nothing.
    Query,
}

impl Method {
    fn is_write(self) -> bool {
        match self {
            Method::Get | Method::Query => false,
            Method::Post | Method::Patch => true,
        }
    }

    /// Is it the same when it is done twice?
    fn may_be_twice(self) -> bool {
        match self {
            Method::Get | Method::Patch | Method::Query => true,
            Method::Post => false,
        }
    }
}

impl Request {
    pub(super) fn get(route: String, about: About) -> Self {
        let (method, body) = (Method::Get, serde_json::Value::Null);
        Request {
            method,
            route,
            body,
            about,
        }
    }

    pub(super) fn post(
        route: String,
        body: &impl Serialize,
        about: About,
    ) -> Result<Self, Failure> {
        Request::with(Method::Post, route, body, about)
    }

    pub(super) fn query(text: &str) -> Self {
        Request {
            method: Method::Query,
            route: "/graphql".to_owned(),
            body: serde_json::json!({ "query": text }),
            about: About::Token,
        }
    }

    pub(super) fn patch(
        route: String,
        body: &impl Serialize,
        about: About,
    ) -> Result<Self, Failure> {
        Request::with(Method::Patch, route, body, about)
    }

    fn with(
        method: Method,
        route: String,
        body: &impl Serialize,
        about: About,
    ) -> Result<Self, Failure> {
        let body = serde_json::to_value(body).map_err(|_| Failure::of(Kind::NotJson))?;
        Ok(Request {
            method,
            route,
            body,
            about,
        })
    }
}

/// A client without a retry and without redirects: their features are not compiled in.
pub(super) fn client(base: &Url, access: &Access, pace: &Pace) -> Result<Octocrab, Failure> {
    #[expect(clippy::disallowed_methods, reason = "the one place that makes one")]
    let builder = Octocrab::builder()
        .base_uri(base.as_str())
        .map_err(|error| failure::setup(&error))?;
    builder
        .personal_token(access.token())
        .set_connect_timeout(Some(pace.request.min(Duration::from_secs(10))))
        .set_read_timeout(Some(pace.request))
        .set_write_timeout(Some(pace.request))
        .build()
        .map_err(|error| failure::setup(&error))
}

impl GitHub {
    /// Sends; sends again while no answer comes, if twice is the same as once, and else only
    /// if GitHub says that it did not take it. A write waits for its turn each time.
    pub(super) async fn ask(&mut self, request: Request) -> Result<Reply, Failure> {
        let mut attempt = 1;
        loop {
            if request.method.is_write() {
                self.rhythm.write().await;
            }
            let failure = match self.send(&request).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let is_passing = failure.kind == Kind::Limited
                || (request.method.may_be_twice() && failure.may_have_happened());
            if !is_passing || !self.rhythm.again(attempt, failure.wait).await {
                return Err(failure);
            }
            attempt += 1;
        }
    }

    /// Waits before a look at what may have happened.
    pub async fn settle(&mut self) {
        self.rhythm.again(1, None).await;
    }

    async fn send(&self, request: &Request) -> Result<Reply, Failure> {
        let exchange = timeout(self.rhythm.request(), self.exchange(request));
        let reply = exchange
            .await
            .unwrap_or_else(|_| Err(Failure::of(Kind::Timeout)))?;
        reply.accepted(request.about)
    }

    async fn exchange(&self, request: &Request) -> Result<Reply, Failure> {
        let route = request.route.as_str();
        let sent = match request.method {
            Method::Get => self.client._get(route).await,
            Method::Post => self.client._post(route, Some(&request.body)).await,
            Method::Patch => self.client._patch(route, Some(&request.body)).await,
            Method::Query => self.graphql._post(route, Some(&request.body)).await,
        };
        let mut response = sent.map_err(|error| failure::no_answer(&error))?;
        let mut body = Vec::new();
        while let Some(frame) = response.body_mut().frame().await {
            let frame = frame.map_err(|error| failure::no_answer(&error))?;
            if let Some(bytes) = frame.data_ref() {
                if body.len() + bytes.len() > MOST_BYTES {
                    return Err(Failure::of(Kind::TooLarge));
                }
                body.extend_from_slice(bytes);
            }
        }
        let header = |name: &str| {
            let value = response.headers().get(name)?;
            Some(Untrusted::new(String::from_utf8_lossy(value.as_bytes())))
        };
        Ok(Reply {
            status: response.status().as_u16(),
            retry_after: header("retry-after"),
            remaining: header("x-ratelimit-remaining"),
            reset: header("x-ratelimit-reset"),
            link: header("link"),
            body,
        })
    }
}
