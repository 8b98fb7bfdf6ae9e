//! One HTTP client for one server, dropped after use.
//!
//! Obeys design §6: no proxy, no redirect, no retry of its own, no name looked up again.
//! Headers are bounded by the HTTP library: 100 of them, some 400 KiB in all.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use rustls::ClientConfig;

use super::failure;
use crate::check::Unlisted;

/// Makes the client that reaches the host of `url` at these addresses only.
#[expect(
    clippy::disallowed_methods,
    reason = "here is set what must be set for every client"
)]
pub(super) fn client(
    url: &url::Url,
    (addresses, tls): (&[SocketAddr], Arc<ClientConfig>),
    connect: Duration,
) -> Result<reqwest::Client, Unlisted> {
    reqwest::Client::builder()
        .tls_backend_preconfigured(ClientConfig::clone(&tls))
        .http1_only()
        .no_proxy()
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .user_agent(concat!("lockgate/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(connect)
        .resolve_to_addrs(url.host_str().unwrap_or_default(), addresses)
        .build()
        .map_err(|error| failure::internal(&error))
}
