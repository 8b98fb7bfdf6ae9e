//! A file or a URL that a person named → a side to compare.
//!
//! A server is asked as the gate asks it: a lockfile of that very URL on the other side
//! says which headers chose its list, and a secret goes to the origin that was typed.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use lockgate::change::Contact;
use lockgate::check::{Unlisted, explain};
use lockgate::lock::{
    Candidate, Claim, Listing, Lockfile, LockfileFault, ServerUrl, read_candidate,
};
use lockgate::tell;
use lockgate::untrusted::Untrusted;
use lockgate::world::mcp::{Endpoint, Mcp, Settings};
use lockgate::world::signals::interruption;
use lockgate::world::terminal;

use super::companion::{companion_path, with_companion};
use super::endpoint::{self, Credentials};
use super::lock::{no_list, server_url};
use super::person::Ended;
use super::{hash, input};
use crate::header::HeaderSpec;
use crate::settings;

/// What a person named.
pub(super) enum Named {
    /// A file.
    File(PathBuf),
    /// A server's endpoint.
    Server(ServerUrl),
}

/// A side, read.
pub(super) struct Side {
    /// What it is called.
    pub(super) shown: Untrusted,
    /// The server that it is of, where it was asked.
    pub(super) url: Option<ServerUrl>,
    /// What it holds.
    pub(super) given: Given,
}

/// What a side holds.
pub(super) enum Given {
    /// What was approved, with its companion listing where there is one.
    Lockfile(Box<Lockfile>),
    /// What is offered.
    Listing(Listing),
}

/// How sides are read.
pub(super) struct Reading<'a> {
    /// What is done with them, as it is told: `compared`.
    pub(super) deed: &'static str,
    pub(super) reach: Settings,
    pub(super) headers: &'a [HeaderSpec],
}

impl Reading<'_> {
    /// A file, or a URL: what begins with `https://` or `http://`.
    pub(super) fn given(&self, typed: &Path) -> Result<Named> {
        let text = typed.to_string_lossy();
        let scheme = text
            .split_once("://")
            .map(|(scheme, _)| scheme.to_ascii_lowercase());
        match scheme.as_deref() {
            Some("https" | "http") => server_url(self.deed, &text, &self.reach).map(Named::Server),
            Some(_) | None => Ok(Named::File(typed.to_owned())),
        }
    }

    /// Refuses a header for a server that is not asked: it would be left out unnoticed.
    pub(super) fn demand_asked(&self, sides: &[&Named]) -> Result<()> {
        let origins: Vec<String> = sides.iter().filter_map(|side| side.origin()).collect();
        let stray = |spec: &&HeaderSpec| !spec.origin.iter().any(|origin| origins.contains(origin));
        match self.headers.iter().find(stray) {
            None => Ok(()),
            Some(spec) => bail!(
                "`--header` names the origin `{}`, and no server there was named\nhint: give the origin of a URL that is {}",
                spec.origin.as_deref().unwrap_or_default(),
                self.deed
            ),
        }
    }

    /// Reads both sides; the files first, so that no server is asked in vain.
    pub(super) async fn sides(&self, approved: &Named, current: &Named) -> Result<(Side, Side)> {
        let (approved, current) = (self.file(approved)?, self.file(current)?);
        let mcp = Mcp::new(self.reach.clone());
        let lockfile = match &approved {
            Begun::Read(side) => side.lockfile(),
            Begun::ToAsk(_) => None,
        }
        .cloned();
        let approved = self.asked(approved, None, &mcp).await?;
        let current = self.asked(current, lockfile.as_ref(), &mcp).await?;
        mcp.farewells().await;
        Ok((approved, current))
    }

    /// Reads one side.
    pub(super) async fn one(&self, named: &Named) -> Result<Side> {
        let begun = self.file(named)?;
        let mcp = Mcp::new(self.reach.clone());
        let side = self.asked(begun, None, &mcp).await?;
        mcp.farewells().await;
        Ok(side)
    }

    fn file(&self, named: &Named) -> Result<Begun> {
        let path = match named {
            Named::Server(url) => return Ok(Begun::ToAsk(url.clone())),
            Named::File(path) => path,
        };
        let bytes = input::read(path)?;
        let given = match read_candidate(Claim::AnyJson, &bytes) {
            Candidate::Lockfile(lockfile) => {
                Given::Lockfile(Box::new(with_its_companion(*lockfile, path)))
            }
            Candidate::Refused(fault) => return Err(refused(&input::untrusted(path), &fault)),
            Candidate::Other => Given::Listing(hash::parse_listing(path, &bytes)?),
        };
        Ok(Begun::Read(Side {
            shown: input::untrusted(path),
            url: None,
            given,
        }))
    }

    async fn asked(&self, begun: Begun, of: Option<&Lockfile>, mcp: &Mcp) -> Result<Side> {
        let url = match begun {
            Begun::Read(side) => return Ok(side),
            Begun::ToAsk(url) => url,
        };
        let listed = match self.endpoint(&url, of)? {
            Ok(endpoint) => tokio::select! {
                listed = mcp.list_tools(&endpoint) => listed,
                signal = interruption() => return Err(Ended(signal.exit_code().into()).into()),
            },
            Err(unlisted) => Err(unlisted),
        };
        let listing = listed.map_err(|unlisted| anyhow!(no_list(self.deed, &url, &unlisted)))?;
        Ok(Side {
            shown: url.untrusted(),
            url: Some(url),
            given: Given::Listing(listing),
        })
    }

    /// As the gate would ask, where a lockfile of this very server is the other side.
    fn endpoint(
        &self,
        url: &ServerUrl,
        of: Option<&Lockfile>,
    ) -> Result<Result<Endpoint, Unlisted>> {
        let credentials = Credentials {
            typed: self.headers,
            trusted: &[],
            opened: &self.reach.allow_private_hosts,
        };
        if let Some(lockfile) = of.filter(|lockfile| lockfile.server().url == *url) {
            return Ok(endpoint::of(lockfile, &credentials, Contact::TypedSecrets));
        }
        let here = credentials.for_server(url, Contact::TypedSecrets);
        let headers = here
            .iter()
            .map(|spec| Ok((spec.name.clone(), settings::header_value(spec)?)));
        Ok(Ok(Endpoint {
            url: url.url().clone(),
            headers: headers.collect::<Result<_>>()?,
            protocol_version: None,
        }))
    }
}

/// A side of which the files are read.
enum Begun {
    Read(Side),
    ToAsk(ServerUrl),
}

impl Named {
    fn origin(&self) -> Option<String> {
        match self {
            Named::Server(url) => Some(url.origin()),
            Named::File(_) => None,
        }
    }
}

impl Side {
    fn lockfile(&self) -> Option<&Lockfile> {
        match &self.given {
            Given::Lockfile(lockfile) => Some(lockfile),
            Given::Listing(_) => None,
        }
    }

    /// What it offers: of a lockfile, what its companion listing holds.
    pub(super) fn into_listing(self) -> Result<Listing> {
        match self.given {
            Given::Listing(listing) => Ok(listing),
            Given::Lockfile(lockfile) => lockfile.listing().ok_or_else(|| {
                anyhow!(
                    "`{}` holds digests only, and no companion listing that says what they are of\nhint: commit its `.mcp-listing.json` (`lockgate approve` writes it), or name the server's URL",
                    self.shown.in_terminal()
                )
            }),
        }
    }
}

fn with_its_companion(lockfile: Lockfile, path: &Path) -> Lockfile {
    with_companion(lockfile.clone(), &companion_path(path)).unwrap_or_else(|finding| {
        terminal::tell(&tell::findings(&[finding]));
        lockfile
    })
}

/// Why a lockfile cannot be used, and the way out.
pub(super) fn refused(shown: &Untrusted, fault: &LockfileFault) -> anyhow::Error {
    let (sentence, way_out) = explain(fault);
    anyhow!(
        "`{}`:{}: {}\nhint: {}",
        shown.in_terminal(),
        fault.line,
        sentence.in_terminal(),
        way_out.in_terminal()
    )
}
