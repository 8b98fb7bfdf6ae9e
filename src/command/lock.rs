//! `lockgate lock`: what a server offers → an unsigned lockfile and its companion listing.
//!
//! Never signs, never overwrites: the list it writes is one that nobody has read yet.

use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use lockgate::Listing;
use lockgate::check::Unlisted;
use lockgate::lock::{Approval, BadUrl, HeaderPins, ScanRecord, ServerUrl};
use lockgate::scan::scan_listing;
use lockgate::untrusted::Untrusted;
use lockgate::wire::address::{is_localhost, not_public};
use lockgate::world::clock;
use lockgate::world::mcp::{Endpoint, Mcp, Settings};
use lockgate::world::signals::interruption;
use url::Host;

use super::person::refuse;
use super::place::Place;
use super::{hash, output};
use crate::cli::Lock;
use crate::header::{HeaderSpec, Source};
use crate::settings;

/// The way out for a URL with a password in it.
const CREDENTIALS: &str = "send credentials as `--header 'Authorization: env:VARIABLE'`";
/// The way out for any other bad URL.
const ENDPOINT: &str = "give the endpoint as `https://host/path`";

pub(super) async fn run(typed: Lock) -> Result<ExitCode> {
    let text = typed
        .server
        .as_deref()
        .or(typed.url.as_deref())
        .unwrap_or_default();
    let reach = settings::reach(&typed.reach);
    let url = server_url("locked", text, &reach)?;
    let specs = settings::headers(&typed.headers)?;
    let place = if typed.dry_run {
        None
    } else {
        Some(Place::begin(typed.output.as_deref(), &url)?)
    };
    let listing = match list(&typed, &url, reach, &specs).await? {
        ControlFlow::Continue(listing) => listing,
        ControlFlow::Break(code) => return Ok(code),
    };
    let scan = scan_listing(&listing);
    let approval = Approval {
        url: &url,
        listing: &listing,
        headers: pins(&specs, &url)?,
        approved_at: clock::now(),
        scan: Some(ScanRecord::from(&scan)),
    };
    let lockfile = approval.lockfile().context("the lockfile cannot be made")?;
    match place {
        Some(place) => {
            let told = place.tell(&approval, &scan);
            place.write(&lockfile, &approval.companion())?;
            output::text(&told)?;
        }
        None => output::document(&lockfile)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The listing to lock, or the exit code where there is none.
async fn list(
    typed: &Lock,
    url: &ServerUrl,
    reach: Settings,
    specs: &[HeaderSpec],
) -> Result<ControlFlow<ExitCode, Listing>> {
    if let Some(path) = &typed.tools {
        return hash::read_listing(path).map(ControlFlow::Continue);
    }
    tokio::select! {
        asked = ask(url, reach, specs) => Ok(match asked? {
            Ok(listing) => ControlFlow::Continue(listing),
            Err(unlisted) => return Err(self::unlisted("locked", url, &unlisted)),
        }),
        // What was begun beside the two places is taken away on the way out.
        signal = interruption() => Ok(ControlFlow::Break(ExitCode::from(signal.exit_code()))),
    }
}

/// Reads the URL and refuses plain http to a host that was not opened.
pub(super) fn server_url(deed: &str, text: &str, reach: &Settings) -> Result<ServerUrl> {
    let shown = Untrusted::new(text);
    let url = ServerUrl::parse(text).map_err(|bad| match bad {
        // A password must not be told again.
        BadUrl::Credentials => anyhow!("the URL cannot be {deed}: {bad}\nhint: {CREDENTIALS}"),
        BadUrl::NotAUrl(_)
        | BadUrl::Scheme
        | BadUrl::Fragment
        | BadUrl::TrailingDot
        | BadUrl::NotNormal(_) => {
            anyhow!(
                "`{}` cannot be {deed}: {bad}\nhint: {ENDPOINT}",
                shown.in_terminal()
            )
        }
    })?;
    let host = url.url().host_str().unwrap_or_default();
    let is_opened = reach
        .allow_private_hosts
        .iter()
        .any(|opened| opened == host);
    if url.url().scheme() == "http" && !is_opened {
        let hint = if is_private(&url) {
            format!("open this private host: `--allow-private-host {host}`")
        } else {
            "use the https endpoint: over plain http anybody on the way can change the tools"
                .to_owned()
        };
        bail!(
            "`{}` cannot be {deed}: it is not https\nhint: {hint}",
            shown.in_terminal()
        );
    }
    Ok(url)
}

/// Is it plain from the URL that the host is this machine or a private one?
fn is_private(url: &ServerUrl) -> bool {
    match url.url().host() {
        Some(Host::Ipv4(v4)) => not_public(v4.into()).is_some(),
        Some(Host::Ipv6(v6)) => not_public(v6.into()).is_some(),
        Some(Host::Domain(name)) => is_localhost(name),
        None => false,
    }
}

async fn ask(
    url: &ServerUrl,
    reach: Settings,
    specs: &[HeaderSpec],
) -> Result<Result<Listing, Unlisted>> {
    let sent = |spec: &HeaderSpec| Ok((spec.name.clone(), settings::header_value(spec)?));
    let headers = specs.iter().map(sent).collect::<Result<_>>()?;
    let endpoint = Endpoint {
        url: url.url().clone(),
        headers,
        protocol_version: None,
    };
    let mcp = Mcp::new(reach);
    let listed = mcp.list_tools(&endpoint).await;
    mcp.farewells().await;
    Ok(listed)
}

/// Tells why a server gave no list; the run ends.
pub(super) fn unlisted(deed: &str, url: &ServerUrl, unlisted: &Unlisted) -> anyhow::Error {
    refuse(&no_list(deed, url, unlisted))
}

/// Why a server gave no list, and the way out.
pub(super) fn no_list(deed: &str, url: &ServerUrl, unlisted: &Unlisted) -> String {
    let hint = unlisted
        .hint
        .as_ref()
        .map(|hint| format!("\nhint: {hint}"))
        .unwrap_or_default();
    let url = url.untrusted();
    let message = unlisted.message();
    format!(
        "`{}` cannot be {deed}: {}: {}{hint}",
        url.in_terminal(),
        unlisted.reason,
        message.in_terminal()
    )
}

/// The header part of the server's identity: values that are no secret, names of the rest.
pub(super) fn pins(specs: &[HeaderSpec], url: &ServerUrl) -> Result<HeaderPins> {
    let mut pins = HeaderPins::default();
    for spec in specs {
        if spec
            .origin
            .as_ref()
            .is_some_and(|origin| *origin != url.origin())
        {
            bail!(
                "`--header` names another origin than `{}`\nhint: leave the origin out",
                url.origin()
            );
        }
        match &spec.value {
            Source::Env(_) => pins.secret_headers.push(spec.name.to_string()),
            Source::Plain(value) => {
                let value = value
                    .to_str()
                    .with_context(|| format!("the value of `{}` is not text", spec.name))?;
                pins.headers.insert(spec.name.to_string(), value.to_owned());
            }
        }
    }
    pins.secret_headers.sort();
    pins.secret_headers.dedup();
    Ok(pins)
}
