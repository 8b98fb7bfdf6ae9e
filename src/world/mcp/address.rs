//! URL → the addresses that may be connected to.
//!
//! Obeys design §6: https and public addresses only, but for hosts that were allowed. Names
//! are looked up once and every answer is checked; literals are checked before anything is
//! sent. A packet never goes to an address that was not checked here.

use std::net::{IpAddr, SocketAddr};

use tokio::time::timeout;
use url::{Host, Url};

use super::patience::Patience;
use super::{Settings, failure};
use crate::check::Unlisted;
use crate::wire::address::{is_localhost, not_public};

/// Looks the host up, unless it is an address, and checks what it finds.
///
/// # Errors
/// `private-address`, `tls` for plain http, `dns`, `timeout`.
pub(super) async fn reachable(
    url: &Url,
    settings: &Settings,
    patience: &mut Patience,
) -> Result<Vec<SocketAddr>, Unlisted> {
    let host = url.host().ok_or_else(failure::no_host)?;
    let allowed = is_allowed(&host, &settings.allow_private_hosts);
    if !allowed {
        check_literal(&host)?;
    }
    match url.scheme() {
        "https" => {}
        "http" if allowed => {}
        _ => return Err(failure::not_https(&host)),
    }
    let addresses = look_up(&host, url, (settings, patience)).await?;
    if addresses.is_empty() {
        return Err(failure::no_address("it has no address"));
    }
    let private = addresses.iter().find_map(|a| not_public(a.ip()));
    match private {
        Some(what) if !allowed => Err(failure::private(&host, what)),
        Some(_) | None => Ok(addresses),
    }
}

/// Is the host one that was allowed by name (or by address, with or without brackets)?
fn is_allowed(host: &Host<&str>, allowed: &[String]) -> bool {
    let bare = |name: &str| {
        let name = name.trim_matches(['[', ']']);
        name.trim_end_matches('.').to_ascii_lowercase()
    };
    let host = bare(&host.to_string());
    allowed.iter().any(|name| bare(name) == host)
}

/// Refuses what needs no look-up to be known as private.
fn check_literal(host: &Host<&str>) -> Result<(), Unlisted> {
    let what = match host {
        Host::Domain(name) if is_localhost(name) => Some("this machine"),
        Host::Domain(_) => None,
        Host::Ipv4(v4) => not_public(IpAddr::V4(*v4)),
        Host::Ipv6(v6) => not_public(IpAddr::V6(*v6)),
    };
    match what {
        Some(what) => Err(failure::private(host, what)),
        None => Ok(()),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "every answer is checked by `reachable`"
)]
async fn look_up(
    host: &Host<&str>,
    url: &Url,
    (settings, patience): (&Settings, &Patience),
) -> Result<Vec<SocketAddr>, Unlisted> {
    let port = url.port_or_known_default().unwrap_or_default();
    let name = match host {
        Host::Ipv4(v4) => return Ok(vec![SocketAddr::new(IpAddr::V4(*v4), port)]),
        Host::Ipv6(v6) => return Ok(vec![SocketAddr::new(IpAddr::V6(*v6), port)]),
        Host::Domain(name) => *name,
    };
    let asked = timeout(settings.connect, tokio::net::lookup_host((name, port)));
    match patience.wait("the address of the host", asked).await? {
        Ok(Ok(found)) => Ok(found.collect()),
        Ok(Err(error)) => Err(failure::no_address(&error.to_string())),
        Err(_) => Err(failure::no_address("no answer in time")),
    }
}
