//! `lockgate sign`: a person reads what a lockfile says, and adds a signature or does not.
//!
//! Obeys design §4: shows base → file by the companion listing, and what the server
//! offers now. The trust file has a file of its own: `sign_trust`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use lockgate::lock::{ScanRecord, listing_digest};
use lockgate::scan::scan_listing;
use lockgate::tell;
use lockgate::trust::TRUST_FILE;
use lockgate::world::mcp::Mcp;

use super::base::{Base, Before, OUTSIDE};
use super::companion::companion_path;
use super::counted::{Counted, listed};
use super::group::Held;
use super::live::Live;
use super::pen::Pen;
use super::person::{Person, refuse};
use super::reading::Reading;
use super::renew::{Signatures, put, read_back};
use super::secrets::Purse;
use super::{check, input, output, sign_trust};
use crate::cli::Sign;
use crate::settings;

pub(super) async fn run(typed: Sign) -> Result<ExitCode> {
    let mut pen = Pen::take(&typed.key.key)?;
    let specs = check::for_origins(&typed.headers)?;
    let is_trust_file = |path: &&PathBuf| path.ends_with(TRUST_FILE);
    let (trust, lockfiles): (Vec<&PathBuf>, Vec<&PathBuf>) =
        typed.files.iter().partition(is_trust_file);
    let held = unsigned(&lockfiles, &pen)?;
    let changes = sign_trust::changes(&trust, &pen)?;
    if held.is_empty() && changes.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let person = Person::at_the_terminal()?;
    let reach = settings::reach(&typed.reach);
    let purse = Purse::of(&specs, &reach.allow_private_hosts);
    let mcp = (!typed.offline).then(|| Mcp::new(reach.clone()));
    for change in &changes {
        change.ask(&person, &pen).await?;
    }
    let mut read = Vec::new();
    for one in held {
        let seat = (&person, &pen);
        read.push(Read::of(one, seat, mcp.as_ref().map(|mcp| (mcp, &purse))).await?);
    }
    pen.unlock(&person).await?;
    let (mut files, mut told) = (Vec::new(), String::new());
    for change in &changes {
        files.push(change.signed(&pen).await?);
        told.push_str(&change.told(&pen));
    }
    let mut ink = Signatures::with(&pen);
    for one in &read {
        files.push(one.signed(&mut ink, &mut told).await?);
    }
    put(files)?;
    output::text(&told)?;
    Ok(ExitCode::SUCCESS)
}

/// A lockfile that somebody has read and said yes to.
struct Read {
    held: Held,
    before: Before,
    counted: Counted,
}

/// The lockfiles that this key has not signed yet.
fn unsigned(paths: &[&PathBuf], pen: &Pen) -> Result<Vec<Held>> {
    let mut held = Vec::new();
    for path in paths {
        let one = Held::read(path)?;
        match one.is_signed_by(pen.public()) {
            true => already(&one, pen)?,
            false => held.push(one),
        }
    }
    Ok(held)
}

fn already(held: &Held, pen: &Pen) -> Result<()> {
    output::text(&format!(
        "`{}` is signed already with {}: nothing was changed\n",
        held.shown.in_terminal(),
        pen.shown()
    ))
}

fn moved(held: &Held) -> anyhow::Error {
    refuse(&format!(
        "`{}` changed while it was read: nothing was signed\nhint: run this again",
        held.shown.in_terminal()
    ))
}

impl Read {
    /// Shows base → file, then what the server says now, and asks.
    async fn of(
        held: Held,
        (person, pen): (&Person, &Pen),
        asking: Option<(&Mcp, &Purse<'_>)>,
    ) -> Result<Self> {
        let base = Base::of(&held.path)?;
        let counted = Counted::of(base.as_ref());
        person.show(&format!(
            "{}  {}\n{}",
            held.shown.in_terminal(),
            held.lockfile.server().url.untrusted().in_terminal(),
            counted.standing(pen)
        ))?;
        let live = match asking {
            Some((mcp, purse)) => {
                let secrets = purse.open(&held.lockfile, base.as_ref(), person);
                Live::of(&held, mcp, &secrets.await?).await?
            }
            None => Live::offline(),
        };
        let before = match &base {
            Some(base) => base.before(&held),
            None => Before::nothing(OUTSIDE.to_owned()),
        };
        let read = Read {
            held,
            before,
            counted,
        };
        read.ask(live, person, pen).await?;
        Ok(read)
    }

    async fn ask(&self, live: Live, person: &Person, pen: &Pen) -> Result<()> {
        let lockfile = &self.held.lockfile;
        let listing = self.held.listing().or(live.same);
        let listing = listing.ok_or_else(|| nothing_to_show(&self.held))?;
        self.held.demand_honest(&listing)?;
        let reading = Reading::of(std::slice::from_ref(&self.before), &listing);
        let scan = scan_listing(&listing);
        person.show(&format!(
            "  {}\n{}\n{}\n{}\n",
            reading.told(),
            tell::scan(&scan),
            reading.whole(),
            live.told
        ))?;
        let question = format!(
            "{}, listing digest {}\n  {}, approved at {}\n{}{}  {}\nsign this lockfile?",
            tell::counted(lockfile.tools().len(), "tool"),
            listing_digest(lockfile.tools_sha256(), lockfile.extended())?,
            self.signatures(),
            lockfile.approved_at(),
            self.held.asides(&ScanRecord::from(&scan)),
            self.approvals(pen),
            pen.told(self.counted.by_base())
        );
        person.confirms(&question).await
    }

    /// How many signatures stand in it, and whose they are as far as that is known.
    fn signatures(&self) -> String {
        let count = self.held.lockfile.signatures().len();
        let names = self.counted.signers(&self.held.lockfile, &self.before);
        match (count, names.is_empty()) {
            (0, _) => "not signed by anybody yet".to_owned(),
            (_, true) => format!("{} so far", tell::counted(count, "signature")),
            (_, false) => format!(
                "{} so far, by {}",
                tell::counted(count, "signature"),
                listed(&names)
            ),
        }
    }

    /// How many approvals there are once this pen has signed.
    fn approvals(&self, pen: &Pen) -> String {
        let names = self.counted.signers(&self.held.lockfile, &self.before);
        let names = self.counted.with(names, pen.public());
        let each = std::iter::once((&self.held.shown, names));
        match self.counted.is_by_any() {
            true => self.counted.each("with this signature: ", each),
            false => String::new(),
        }
    }

    /// The lockfile's text with the new signature; says what was done.
    async fn signed(
        &self,
        ink: &mut Signatures<'_>,
        told: &mut String,
    ) -> Result<(PathBuf, String)> {
        if !self.held.is_as_read() {
            return Err(moved(&self.held));
        }
        let text = ink.signed(&self.held.bytes).await?;
        let names = self
            .counted
            .signers(&read_back(text.as_bytes())?, &self.before);
        told.push_str(&format!("signed: {}\n", input::shown(&self.held.path)));
        let each = std::iter::once((&self.held.shown, names));
        told.push_str(&self.counted.each("", each));
        Ok((self.held.path.clone(), text))
    }
}

fn nothing_to_show(held: &Held) -> anyhow::Error {
    anyhow!(
        "`{}` holds digests only, and its companion listing {} does not hold what they pin: there is nothing to show, so nothing is signed\nhint: restore the companion listing, or use `lockgate approve`, which asks the server",
        held.shown.in_terminal(),
        input::shown(&companion_path(&held.path))
    )
}
