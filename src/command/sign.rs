//! `lockgate sign`: a person reads what a lockfile says, and adds a signature or does not.
//!
//! Obeys design §4: shows base → file by the companion listing, and what the server
//! offers now. The trust file has a file of its own: `sign_trust`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use lockgate::lock::{Listing, listing_digest};
use lockgate::tell;
use lockgate::trust::TRUST_FILE;
use lockgate::untrusted::Untrusted;
use lockgate::world::files;
use lockgate::world::mcp::Mcp;
use lockgate::{Verdict, compare};

use super::base::{Base, Before, OUTSIDE};
use super::companion::companion_path;
use super::group::Held;
use super::known::Known;
use super::live::Live;
use super::pen::Pen;
use super::person::{Person, refuse};
use super::reading::Reading;
use super::renew::{Signatures, put};
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
    let mcp = (!typed.offline).then(|| Mcp::new(settings::reach(&typed.reach)));
    for change in &changes {
        change.ask(&person, &pen).await?;
    }
    for one in &held {
        let live = match &mcp {
            Some(mcp) => Live::of(one, mcp, &specs).await?,
            None => Live::offline(),
        };
        ask(one, live, (&person, &pen)).await?;
    }
    pen.unlock(&person).await?;
    let mut files = Vec::new();
    for change in &changes {
        files.push(change.signed(&pen).await?);
    }
    files.extend(signed(&held, &pen).await?);
    let told: String = files
        .iter()
        .map(|(path, _)| format!("signed: {}\n", input::shown(path)))
        .collect();
    put(files)?;
    output::text(&told)?;
    Ok(ExitCode::SUCCESS)
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

/// Each lockfile's text with the new signature.
async fn signed(held: &[Held], pen: &Pen) -> Result<Vec<(PathBuf, String)>> {
    let mut ink = Signatures::with(pen);
    let mut files = Vec::new();
    for one in held {
        if !one.is_as_read() {
            return Err(moved(one));
        }
        files.push((one.path.clone(), ink.signed(&one.bytes).await?));
    }
    Ok(files)
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

/// Shows base → file, then what the server says now, and asks.
async fn ask(held: &Held, live: Live, (person, pen): (&Person, &Pen)) -> Result<()> {
    let lockfile = &held.lockfile;
    let listing = listing_of(held).or(live.same);
    let listing = listing.ok_or_else(|| nothing_to_show(held))?;
    held.demand_honest(&listing)?;
    let base = Base::of(&held.path)?;
    let before = match &base {
        Some(base) => base.before(held),
        None => Before::nothing(OUTSIDE.to_owned()),
    };
    let known = base.as_ref().and_then(Base::known);
    let reading = Reading::of(&[before], &listing);
    person.show(&format!(
        "{}  {}\n  {}\n\n{}\n{}\n",
        held.shown.in_terminal(),
        lockfile.server().url.untrusted().in_terminal(),
        reading.told(),
        reading.whole(),
        live.told
    ))?;
    let question = format!(
        "{}, listing digest {}\n  {}, approved at {}\n{}  {}\nsign this lockfile?",
        tell::counted(lockfile.tools().len(), "tool"),
        listing_digest(lockfile.tools_sha256(), lockfile.extended())?,
        signatures(held, known),
        lockfile.approved_at(),
        held.asides(),
        pen.told(known)
    );
    person.confirms(&question).await
}

fn nothing_to_show(held: &Held) -> anyhow::Error {
    anyhow!(
        "`{}` holds digests only, and its companion listing {} does not hold what they pin: there is nothing to show, so nothing is signed\nhint: restore the companion listing, or use `lockgate approve`, which asks the server",
        held.shown.in_terminal(),
        input::shown(&companion_path(&held.path))
    )
}

/// How many signatures stand in it, and whose they are as far as that is known.
fn signatures(held: &Held, known: Option<&Known>) -> String {
    let count = held.lockfile.signatures().len();
    let names = known.map(|known| known.signers(&held.lockfile));
    let names = names.unwrap_or_default();
    match (count, names.is_empty()) {
        (0, _) => "not signed by anybody yet".to_owned(),
        (_, true) => format!("{} so far", tell::counted(count, "signature")),
        (_, false) => {
            let names = Untrusted::new(names.join(", "));
            let count = tell::counted(count, "signature");
            format!("{count} so far, by {}", names.in_terminal())
        }
    }
}

/// What the companion holds, if it is exactly what the lockfile pins.
fn listing_of(held: &Held) -> Option<Listing> {
    let bytes = files::read_plain(&companion_path(&held.path)).ok()?;
    let listing = Listing::parse(&bytes).ok()?;
    (compare(&held.lockfile, &listing).verdict() == Verdict::Unchanged).then_some(listing)
}
