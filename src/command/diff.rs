//! `lockgate diff`: two lockfiles, listings or servers → what moved between them.
//!
//! Shows what the gate would show if the one were approved and the other offered now.

use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use lockgate::check::{Bearing, Checked, Comparison, Outcome};
use lockgate::lock::{Approval, HeaderPins, Listing, Lockfile, ServerUrl};
use lockgate::untrusted::Untrusted;
use lockgate::world::{clock, terminal};
use lockgate::{Verdict, compare, json, tell};

use super::check::for_origins;
use super::diff_side::{Given, Reading, Side, refused};
use super::output;
use crate::cli::{Diff, Format};
use crate::settings;

pub(super) async fn run(typed: &Diff) -> Result<ExitCode> {
    let headers = for_origins(&typed.headers)?;
    let reading = Reading {
        deed: "compared",
        reach: settings::reach(&typed.reach),
        headers: &headers,
    };
    let approved = reading.given(&typed.approved)?;
    let current = reading.given(&typed.current)?;
    reading.demand_asked(&[&approved, &current])?;
    let (approved, current) = reading.sides(&approved, &current).await?;
    let checked = compared(approved, current)?;
    tell(&checked, typed.format)?;
    Ok(match checked.verdict() {
        Verdict::Unchanged => ExitCode::SUCCESS,
        Verdict::Changed | Verdict::Unreachable => ExitCode::FAILURE,
    })
}

fn compared(approved: Side, current: Side) -> Result<Checked> {
    let path = approved.shown.clone();
    let shown = current.shown.clone();
    let url = approved.url.as_ref().or(current.url.as_ref()).cloned();
    let lockfile = approved_lockfile(approved, url)?;
    let current = current.into_listing()?;
    let mut comparison = compare(&lockfile, &current);
    without_untold(&mut comparison, &current, &shown);
    Ok(Checked {
        path,
        lockfile: Some(lockfile),
        outcome: Outcome::Compared(comparison),
        bearing: Bearing::Decides,
        scan: None,
    })
}

/// A file that does not tell instructions does not say that there are none.
fn without_untold(comparison: &mut Comparison, current: &Listing, shown: &Untrusted) {
    if current.tells_instructions() || comparison.instructions.is_none() {
        return;
    }
    comparison.instructions = None;
    terminal::tell(&format!(
        "note: `{}` does not tell the server's instructions, so they are not compared\n",
        shown.in_terminal()
    ));
}

fn tell(checked: &Checked, format: Format) -> Result<()> {
    let Outcome::Compared(comparison) = &checked.outcome else {
        return Ok(());
    };
    match format {
        Format::Text if comparison.verdict() == Verdict::Unchanged => {
            output::text("nothing differs\n")
        }
        Format::Text => output::text(&tell::comparison(comparison)),
        Format::Json => {
            let answer = checked
                .answer(clock::now())
                .context("the answer cannot be made")?;
            output::document(&json::print(&answer))
        }
    }
}

/// The approved side: a lockfile, or a listing taken as if it had been approved.
fn approved_lockfile(side: Side, url: Option<ServerUrl>) -> Result<Lockfile> {
    let shown = side.shown;
    let listing = match side.given {
        Given::Lockfile(lockfile) => return Ok(*lockfile),
        Given::Listing(listing) => listing,
    };
    let url = match url {
        Some(url) => url,
        None => ServerUrl::parse("https://listing.invalid/").map_err(|bad| anyhow!("{bad}"))?,
    };
    let approval = Approval {
        url: &url,
        listing: &listing,
        headers: HeaderPins::default(),
        approved_at: clock::now(),
        scan: None,
    };
    let lockfile = Lockfile::parse(approval.lockfile()?.as_bytes())
        .and_then(|lockfile| lockfile.with_companion(approval.companion().as_bytes()));
    lockfile.map_err(|fault| refused(&shown, &fault))
}
