//! `lockgate approve`: a person reads what a server offers, and signs it or does not.
//!
//! Obeys design §4 and §7: nothing is signed that was not shown; the list must still be
//! the same when it is signed; all lockfiles of a server are written, or none.

use std::process::ExitCode;

use anyhow::{Result, bail};
use lockgate::Digest;
use lockgate::change::Contact;
use lockgate::lock::{Extended, HeaderPins, Listing, ServerUrl, listing_digest};
use lockgate::tell;
use lockgate::world::mcp::{Endpoint, Mcp};

use super::base::{Base, Before, OUTSIDE};
use super::endpoint::Credentials;
use super::group::{Group, groups};
use super::known::Known;
use super::pen::Pen;
use super::person::{Person, refuse, until_told_to_stop};
use super::reading::{Reading, Scopes};
use super::renew::{Deed, deeds, write};
use super::{check, endpoint, lock, output};
use crate::cli::Approve;
use crate::header::{HeaderSpec, Source};
use crate::settings;

/// A server's list that somebody is about to approve.
pub(super) struct Candidate {
    pub(super) group: Group,
    pub(super) listing: Listing,
    pub(super) headers: HeaderPins,
    /// What was approved before, for each lockfile.
    pub(super) before: Vec<Before>,
    /// What is to be done to each lockfile.
    pub(super) deeds: Vec<Deed>,
    /// Who may approve, as far as that is known.
    known: Option<Known>,
    digest: Digest,
    endpoint: Endpoint,
}

pub(super) async fn run(typed: Approve) -> Result<ExitCode> {
    let mut pen = Pen::take(&typed.key.key)?;
    let headers = check::for_origins(&typed.headers)?;
    let groups = groups(&typed.lockfiles)?;
    if typed.expect.is_some() && groups.len() > 1 {
        bail!(
            "`--expect` is about one list, and these are lockfiles of {} servers\nhint: approve one server after the other",
            groups.len()
        );
    }
    let person = Person::at_the_terminal()?;
    let mcp = Mcp::new(settings::reach(&typed.reach));
    let mut approved = Vec::new();
    for group in groups {
        let candidate = Candidate::list(group, &mcp, (&headers, &pen)).await?;
        candidate.expect(typed.expect)?;
        if candidate.is_signed_already(&pen)? {
            continue;
        }
        candidate.ask(&person, (&headers, &pen)).await?;
        approved.push(candidate);
    }
    if approved.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    pen.unlock(&person).await?;
    for candidate in &approved {
        candidate.demand_the_same(&mcp).await?;
    }
    let told = write(&approved, &pen).await?;
    mcp.farewells().await;
    output::text(&told)?;
    Ok(ExitCode::SUCCESS)
}

impl Candidate {
    async fn list(group: Group, mcp: &Mcp, (specs, pen): (&[HeaderSpec], &Pen)) -> Result<Self> {
        let Some(first) = group.lockfiles.first() else {
            bail!("no lockfile was named");
        };
        let url = &group.identity.url;
        let endpoint = endpoint::of(
            &first.lockfile,
            &Credentials::typed(specs),
            Contact::TypedSecrets,
        );
        let endpoint = endpoint.map_err(|unlisted| lock::unlisted("approved", url, &unlisted))?;
        let listing = listed(mcp, &endpoint, url).await?;
        let headers = match first.lockfile.extended() {
            Some(pins) => pins.header_pins(),
            None => lock::pins(&for_origin(specs, url), url)?,
        };
        let pins = Extended::of(&listing, headers.clone());
        let digest = listing_digest(listing.tools_sha256(), Some(&pins))?;
        let base = Base::of(&first.path)?;
        let before = before(&group, base.as_ref());
        let deeds = deeds(&group, &listing, pen.public())?;
        Ok(Candidate {
            group,
            listing,
            headers,
            before,
            deeds,
            known: base.and_then(|base| base.known().cloned()),
            digest,
            endpoint,
        })
    }

    /// Refuses any list but the one that was referred to.
    fn expect(&self, expected: Option<Digest>) -> Result<()> {
        match expected {
            Some(expected) if expected != self.digest => Err(refuse(&format!(
                "{} offers the list {}, and `--expect` names {expected}: nothing was signed\nhint: read what it offers now with `lockgate check`; the list that was reviewed is gone",
                self.url(),
                self.digest
            ))),
            Some(_) | None => Ok(()),
        }
    }

    fn is_signed_already(&self, pen: &Pen) -> Result<bool> {
        let is_done = self.deeds.iter().all(|deed| *deed == Deed::Nothing);
        if is_done {
            output::text(&format!(
                "{}: this list is signed already with {}: nothing was changed\n",
                self.url(),
                pen.shown()
            ))?;
        }
        Ok(is_done)
    }

    /// Shows the list and asks for each difference, and at last for all of it.
    async fn ask(&self, person: &Person, (specs, pen): (&[HeaderSpec], &Pen)) -> Result<()> {
        let reading = Reading::of(&self.before, &self.listing);
        person.show(&self.head(&reading, specs))?;
        let question = format!("\n{}sign this list?", self.foot(pen));
        match reading.is_approved_by(person).await? {
            true => person.confirms(&question).await,
            false => Err(person.declined()?),
        }
    }

    fn head(&self, reading: &Reading, specs: &[HeaderSpec]) -> String {
        let mut head = format!("{}\n  {}\n", self.url(), reading.told());
        if let Some(info) = self.listing.server_info() {
            head.push_str(&format!(
                "  it says it is {} {}\n",
                info.name.in_terminal(),
                info.version.in_terminal()
            ));
        }
        for name in &self.headers.secret_headers {
            let spec = specs.iter().find(|spec| spec.name.as_str() == name);
            if let Some(Source::Env(variable)) = spec.map(|spec| &spec.value) {
                head.push_str(&format!(
                    "  listed with the secret header `{name}`: CI will list with its own {variable}: make sure it has the same scopes\n"
                ));
            }
        }
        if reading.scopes() == Scopes::Likely && !self.headers.secret_headers.is_empty() {
            head.push_str(
                "  only whole tools came or went: a token with other scopes is a likely cause\n",
            );
        }
        head
    }

    fn foot(&self, pen: &Pen) -> String {
        let lockfiles: String = self
            .group
            .lockfiles
            .iter()
            .zip(&self.deeds)
            .map(|(held, deed)| {
                let asides = match deed {
                    Deed::Append => held.asides(),
                    Deed::Renew | Deed::Nothing => String::new(),
                };
                format!("  {}  {}\n{asides}", held.shown.in_terminal(), deed.told())
            })
            .collect();
        format!(
            "{} of {}\n{lockfiles}  listing digest {}\n  {}\n",
            tell::counted(self.listing.tools().len(), "tool"),
            self.url(),
            self.digest,
            pen.told(self.known.as_ref())
        )
    }

    /// Lists once more: what is signed must be what was shown.
    async fn demand_the_same(&self, mcp: &Mcp) -> Result<()> {
        let url = &self.group.identity.url;
        let now = listed(mcp, &self.endpoint, url).await?;
        let pins = Extended::of(&now, self.headers.clone());
        if listing_digest(now.tools_sha256(), Some(&pins))? != self.digest {
            return Err(refuse(&format!(
                "the list of {} moved while it was read: nothing was signed\nhint: run this again, and read what it offers now; a list that moves by the minute is worth a question to whoever runs the server",
                self.url()
            )));
        }
        match self.group.lockfiles.iter().find(|held| !held.is_as_read()) {
            Some(held) => Err(refuse(&format!(
                "`{}` changed while the list was read: nothing was signed\nhint: run this again",
                held.shown.in_terminal()
            ))),
            None => Ok(()),
        }
    }

    /// The server's URL, as it is told.
    pub(super) fn url(&self) -> String {
        self.group
            .identity
            .url
            .untrusted()
            .in_terminal()
            .to_string()
    }
}

async fn listed(mcp: &Mcp, endpoint: &Endpoint, url: &ServerUrl) -> Result<Listing> {
    let listed = until_told_to_stop(mcp.list_tools(endpoint)).await?;
    listed.map_err(|unlisted| lock::unlisted("approved", url, &unlisted))
}

fn before(group: &Group, base: Option<&Base>) -> Vec<Before> {
    let of = |held| match base {
        Some(base) => base.before(held),
        None => Before::nothing(OUTSIDE.to_owned()),
    };
    group.lockfiles.iter().map(of).collect()
}

fn for_origin(specs: &[HeaderSpec], url: &ServerUrl) -> Vec<HeaderSpec> {
    let is_here = |spec: &&HeaderSpec| spec.origin.as_deref() == Some(&url.origin());
    specs.iter().filter(is_here).cloned().collect()
}
