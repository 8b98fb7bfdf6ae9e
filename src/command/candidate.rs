//! A server's lockfiles → the list it offers now, which somebody is about to approve.
//!
//! Obeys design §4: shown whole, asked for piece by piece, and listed again before it is
//! signed.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use lockgate::Digest;
use lockgate::change::Contact;
use lockgate::lock::{Extended, HeaderPins, Listing, ServerUrl, listing_digest};
use lockgate::tell;
use lockgate::world::mcp::{Endpoint, Mcp};

use super::base::{Base, Before, OUTSIDE};
use super::counted::Counted;
use super::group::{Group, Held};
use super::pen::Pen;
use super::person::{Person, refuse, until_told_to_stop};
use super::reading::{Reading, Scopes};
use super::renew::{Deed, deeds, mend};
use super::scanned::Scanned;
use super::secrets::{Purse, SCOPES};
use super::{endpoint, lock, output, secrets};

/// A server's list that somebody is about to approve.
pub(super) struct Candidate {
    pub(super) group: Group,
    pub(super) listing: Listing,
    pub(super) headers: HeaderPins,
    /// What was approved before, for each lockfile.
    pub(super) before: Vec<Before>,
    /// What is to be done to each lockfile.
    pub(super) deeds: Vec<Deed>,
    /// Whose approvals count.
    pub(super) counted: Counted,
    /// What the scan says of the listing.
    pub(super) scanned: Scanned,
    digest: Digest,
    endpoint: Endpoint,
    /// What is told of the secret headers that were sent.
    secrets: String,
}

/// What a person works with at a run.
#[derive(Clone, Copy)]
pub(super) struct Desk<'a> {
    pub(super) person: &'a Person,
    pub(super) pen: &'a Pen,
    pub(super) purse: &'a Purse<'a>,
    pub(super) mcp: &'a Mcp,
}

impl Candidate {
    /// Says what this signature will be worth, and asks the server.
    pub(super) async fn list(group: Group, desk: Desk<'_>) -> Result<Self> {
        let Some(first) = group.lockfiles.first() else {
            bail!("no lockfile was named");
        };
        let url = &group.identity.url;
        let base = Base::of(&first.path)?;
        let counted = Counted::of(base.as_ref());
        let shown = url.untrusted();
        let standing = counted.standing(desk.pen);
        let head = format!("{}\n{standing}", shown.in_terminal());
        desk.person.show(&head)?;
        let opened = desk.purse.open(&first.lockfile, base.as_ref(), desk.person);
        let secrets = opened.await?;
        let endpoint = endpoint::of(
            &first.lockfile,
            &secrets.credentials(),
            Contact::WithSecrets,
        );
        let endpoint = endpoint.map_err(|unlisted| lock::unlisted("approved", url, &unlisted))?;
        let listing = listed(desk.mcp, &endpoint, url).await?;
        let sent = secrets.headers(url);
        let headers = match first.lockfile.extended() {
            Some(pins) => pins.header_pins(),
            None => lock::pins(&sent, url)?,
        };
        let pins = Extended::of(&listing, headers.clone());
        let before = before(&group, base.as_ref());
        Ok(Candidate {
            scanned: Scanned::of(&before, &listing),
            digest: listing_digest(listing.tools_sha256(), Some(&pins))?,
            before,
            deeds: deeds(&group, &listing, desk.pen.public())?,
            secrets: secrets::told(&sent, &headers.secret_headers),
            group,
            listing,
            headers,
            counted,
            endpoint,
        })
    }

    /// Refuses any list but the one that was referred to.
    pub(super) fn expect(&self, expected: Option<Digest>) -> Result<()> {
        match expected {
            Some(expected) if expected != self.digest => Err(refuse(&format!(
                "{} offers the list {}, and `--expect` names {expected}: nothing was signed\nhint: read what it offers now with `lockgate check`; the list that was reviewed is gone",
                self.url(),
                self.digest
            ))),
            Some(_) | None => Ok(()),
        }
    }

    /// Is nothing left for this pen to sign? Says so, and mends what is not signed.
    pub(super) fn is_signed_already(&self, pen: &Pen) -> Result<bool> {
        let is_done = |deed: &Deed| matches!(deed, Deed::Mend | Deed::Nothing);
        if !self.deeds.iter().all(is_done) {
            return Ok(false);
        }
        let mended = mend(self)?;
        let changed = match mended.is_empty() {
            true => "nothing was changed",
            false => "only companion listings were",
        };
        output::text(&format!(
            "{}: this list is signed already with {}: {changed}\n{mended}{}",
            self.url(),
            pen.shown(),
            self.approvals("", pen)
        ))?;
        Ok(true)
    }

    /// Shows the list and asks for each difference, and at last for all of it.
    pub(super) async fn ask(&self, person: &Person, pen: &Pen) -> Result<()> {
        let reading = Reading::of(&self.before, &self.listing);
        person.show(&self.head(&reading, pen))?;
        person.show(&tell::scan(&self.scanned.shown))?;
        let question = format!("\n{}sign this list?", self.foot(pen));
        match reading.is_approved_by(person).await? {
            true => person.confirms(&question).await,
            false => Err(person.declined()?),
        }
    }

    fn head(&self, reading: &Reading, pen: &Pen) -> String {
        let mut head = format!("  {}\n", reading.told());
        if let Some(info) = self.listing.server_info() {
            head.push_str(&format!(
                "  it says it is {} {}\n",
                info.name.in_terminal(),
                info.version.in_terminal()
            ));
        }
        head.push_str(&self.secrets);
        if reading.scopes() == Scopes::Likely && !self.secrets.is_empty() {
            head.push_str(&format!("  {SCOPES}\n"));
        }
        if self.counted.is_by_any() {
            head.push_str(&self.approvals("with this signature: ", pen));
        }
        head
    }

    /// Each lockfile, what is to be done to it, and what was approved before.
    pub(super) fn each(&self) -> impl Iterator<Item = ((&Held, &Deed), &Before)> {
        let lockfiles = self.group.lockfiles.iter().zip(&self.deeds);
        lockfiles.zip(&self.before)
    }

    /// How many approvals there are once this pen has signed.
    fn approvals(&self, words: &str, pen: &Pen) -> String {
        let each = self.each().map(|((held, deed), before)| {
            let names = match deed {
                Deed::Renew => BTreeSet::new(),
                Deed::Append | Deed::Mend | Deed::Nothing => {
                    self.counted.signers(&held.lockfile, before)
                }
            };
            (&held.shown, self.counted.with(names, pen.public()))
        });
        self.counted.each(words, each)
    }

    fn foot(&self, pen: &Pen) -> String {
        let lockfiles: String = self
            .each()
            .map(|((held, deed), _)| {
                let asides = match deed {
                    Deed::Append => held.asides(&self.scanned.record),
                    Deed::Renew | Deed::Mend | Deed::Nothing => String::new(),
                };
                format!("  {}  {}\n{asides}", held.shown.in_terminal(), deed.told())
            })
            .collect();
        format!(
            "{} of {}\n{lockfiles}  listing digest {}\n  {}\n",
            tell::counted(self.listing.tools().len(), "tool"),
            self.url(),
            self.digest,
            pen.told(self.counted.by_base())
        )
    }

    /// Lists once more: what is signed must be what was shown.
    pub(super) async fn demand_the_same(&self, mcp: &Mcp) -> Result<()> {
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
