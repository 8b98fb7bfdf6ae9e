//! [`Endpoint`] → [`Listing`] or [`Unlisted`]: asks a server what it offers now.
//!
//! Obeys design §6. Asks with the four methods of [`Method`](crate::wire::Method) and no other, sends a
//! server's headers to its own origin only, and takes every failure for an answer.

mod address;
mod answer;
mod body;
mod budget;
mod errands;
mod events;
mod failure;
mod handshake;
mod http;
mod line;
mod pages;
mod patience;
mod post;
mod tls;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};

use self::budget::Budget;
use self::errands::Errands;
use self::line::Line;
use self::patience::Patience;
use self::tls::Roots;
use crate::check::Unlisted;
use crate::lock::Listing;

/// A server, as it is to be asked.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Where it is.
    pub url: url::Url,
    /// What is sent along, to this origin only. Secrets are marked sensitive.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The protocol version that was spoken at approval; it is tried first.
    pub protocol_version: Option<String>,
}

/// How patient and how generous the client is.
#[derive(Debug, Clone)]
pub struct Settings {
    /// For one server as a whole.
    pub deadline: Duration,
    /// For looking up a name, and again for one connection with its TLS handshake.
    pub connect: Duration,
    /// Hosts that may have any address and may be asked without TLS.
    pub allow_private_hosts: Vec<String>,
    /// Most bytes that one server may send in all its answers.
    pub max_bytes: usize,
    /// Most bytes that the answers of all servers may hold at one time.
    pub max_bytes_in_flight: usize,
    /// Servers at one host and port that are asked at one time.
    pub per_host: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            deadline: Duration::from_secs(30),
            connect: Duration::from_secs(5),
            allow_private_hosts: Vec::new(),
            max_bytes: 16 << 20,
            max_bytes_in_flight: 256 << 20,
            per_host: 2,
        }
    }
}

/// The client: asks many servers, each as if it were the only one.
#[derive(Debug)]
pub struct Mcp {
    settings: Settings,
    roots: Roots,
    budget: Budget,
    errands: Arc<Errands>,
}

impl Mcp {
    /// A client that has asked nobody yet.
    pub fn new(settings: Settings) -> Self {
        Mcp {
            roots: Roots::default(),
            budget: Budget::new(&settings),
            errands: Arc::default(),
            settings,
        }
    }

    /// Asks a server for its tools, all pages.
    ///
    /// Waiting for a turn (hosts, bytes in flight) does not count against the deadline.
    ///
    /// # Errors
    /// [`Unlisted`] names the reason, in our words and in the server's.
    pub async fn list_tools(&self, endpoint: &Endpoint) -> Result<Listing, Unlisted> {
        self.listing(endpoint).await.map_err(failure::cut)
    }

    /// Waits, for a moment, until the servers have been told that their sessions are over.
    pub async fn farewells(&self) {
        self.errands.wait().await;
    }

    async fn listing(&self, endpoint: &Endpoint) -> Result<Listing, Unlisted> {
        let _turn = self.budget.turn(&endpoint.url).await;
        let mut patience = Patience::new(self.settings.deadline);
        let client = self.client(endpoint, &mut patience).await?;
        let allowance = self.budget.allowance();
        let errands = Arc::clone(&self.errands);
        let mut line = Line::new(client, endpoint, (patience, allowance, errands));
        let listing = pages::list(&mut line, endpoint.protocol_version.as_deref()).await;
        line.leave_session();
        listing
    }

    /// A client that can reach this server and nothing else.
    async fn client(
        &self,
        endpoint: &Endpoint,
        patience: &mut Patience,
    ) -> Result<reqwest::Client, Unlisted> {
        let addresses = address::reachable(&endpoint.url, &self.settings, patience).await?;
        let tls = match endpoint.url.scheme() {
            "https" => self.roots.config().await?,
            _ => tls::without_roots()?,
        };
        http::client(&endpoint.url, (&addresses, tls), self.settings.connect)
    }
}
