//! The line to one server: what it costs, where it leads, which session is open.
//!
//! Obeys MCP, Streamable HTTP for the headers of each era. Headers of the operator go to
//! the endpoint's own origin only; the protocol's own cannot be overridden by them.

use std::sync::Arc;

use reqwest::RequestBuilder;
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::Endpoint;
use super::budget::Allowance;
use super::errands::Errands;
use super::patience::Patience;
use crate::wire::{self, Era, Method, Request, Version};

/// Most requests of a server that are answered.
const MAX_REFUSALS: u32 = 16;
/// Most times that something is asked again.
const MAX_RETRIES: u32 = 2;
/// Most redirects within the origin that are followed.
const MAX_REDIRECTS: u32 = 3;
/// The header that names the method, in the modern era.
const METHOD: HeaderName = HeaderName::from_static("mcp-method");

/// One server, while it is being asked.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) url: Url,
    pub(super) patience: Patience,
    pub(super) allowance: Allowance,
    pub(super) retries: Count,
    pub(super) redirects: Count,
    /// The version that the handshake chose; `None` before it.
    pub(super) version: Option<Version>,
    session: Option<HeaderValue>,
    refusals: Count,
    client: reqwest::Client,
    headers: HeaderMap,
    errands: Arc<Errands>,
    last_id: u64,
}

/// How often something may still happen, and how often it did.
#[derive(Debug)]
pub(super) struct Count {
    done: u32,
    max: u32,
}

impl Count {
    fn up_to(max: u32) -> Self {
        Count { done: 0, max }
    }

    /// Counts once more; `None` if that is too often, else how often it was before.
    pub(super) fn take(&mut self) -> Option<u32> {
        let before = self.done;
        self.done += u32::from(before < self.max);
        (before < self.max).then_some(before)
    }
}

impl Line {
    pub(super) fn new(
        client: reqwest::Client,
        endpoint: &Endpoint,
        (patience, allowance, errands): (Patience, Allowance, Arc<Errands>),
    ) -> Self {
        Line {
            url: endpoint.url.clone(),
            patience,
            allowance,
            retries: Count::up_to(MAX_RETRIES),
            redirects: Count::up_to(MAX_REDIRECTS),
            version: None,
            session: None,
            refusals: Count::up_to(MAX_REFUSALS),
            client,
            headers: operators_headers(&endpoint.headers),
            errands,
            last_id: 0,
        }
    }

    /// A new id; none is used twice.
    pub(super) fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// The request, ready to be sent.
    pub(super) fn prepare(&self, request: &Request<'_>, id: u64) -> RequestBuilder {
        self.post(self.headers_for(request), request.body(id))
    }

    /// Refuses what the server asks of us, without waiting.
    pub(super) fn refuse(&mut self, id: &str) {
        if self.refusals.take().is_some() {
            let headers = self.session_headers(self.version);
            self.errands.send(self.post(headers, wire::refusal(id)));
        }
    }

    /// Remembers the session that an answer to `initialize` opened.
    pub(super) fn open_session(&mut self, session: Option<HeaderValue>) {
        self.session = session;
    }

    pub(super) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    /// Forgets a session that the server has forgotten.
    pub(super) fn forget_session(&mut self) {
        self.session = None;
        self.version = None;
    }

    /// Tells the server that the session is over, if there is one, without waiting.
    pub(super) fn leave_session(&mut self) {
        if self.session.is_some() {
            let headers = self.session_headers(self.version);
            let farewell = self.client.delete(self.url.clone()).headers(headers);
            self.errands.send(farewell);
        }
        self.forget_session();
    }

    fn post(&self, mut headers: HeaderMap, body: String) -> RequestBuilder {
        headers.insert(header::ACCEPT, HeaderValue::from_static(wire::ACCEPT));
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json);
        self.client
            .post(self.url.clone())
            .headers(headers)
            .body(body)
    }

    fn headers_for(&self, request: &Request<'_>) -> HeaderMap {
        let version = match *request {
            Request::Initialize(_) => return self.headers.clone(),
            Request::Initialized => self.version,
            Request::Discover(version) | Request::ListTools { version, .. } => Some(version),
        };
        let mut headers = self.session_headers(version);
        if version.is_some_and(|version| version.era() == Era::Modern) {
            headers.insert(METHOD, method_value(request.method()));
        }
        headers
    }

    fn session_headers(&self, version: Option<Version>) -> HeaderMap {
        let mut headers = self.headers.clone();
        if let Some(version) = version {
            let version = HeaderValue::from_static(version.name());
            headers.insert(wire::PROTOCOL_VERSION, version);
        }
        if let Some(session) = &self.session {
            headers.insert(wire::SESSION, session.clone());
        }
        headers
    }
}

fn method_value(method: Method) -> HeaderValue {
    HeaderValue::from_static(method.name())
}

/// What the operator sends along, but for headers that are the protocol's own.
fn operators_headers(headers: &[(HeaderName, HeaderValue)]) -> HeaderMap {
    let ours = [
        header::HOST,
        header::CONNECTION,
        header::CONTENT_LENGTH,
        header::TRANSFER_ENCODING,
        header::ACCEPT_ENCODING,
        METHOD,
        HeaderName::from_static(wire::PROTOCOL_VERSION),
        HeaderName::from_static(wire::SESSION),
    ];
    headers
        .iter()
        .filter(|(name, _)| !ours.contains(name))
        .cloned()
        .collect()
}
