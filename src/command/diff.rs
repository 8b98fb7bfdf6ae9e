//! `lockgate diff`: two listings or lockfiles → which words moved between them.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use lockgate::check::{Bearing, Checked, Outcome, explain};
use lockgate::lock::{Approval, Candidate, Claim, HeaderPins, Lockfile, ServerUrl, read_candidate};
use lockgate::untrusted::Untrusted;
use lockgate::world::{clock, terminal};
use lockgate::{Listing, Verdict, compare, json, tell};

use super::companion::{companion_path, with_companion};
use super::{hash, input, output};
use crate::cli::{Diff, Format};

pub(super) fn run(typed: &Diff) -> Result<ExitCode> {
    let approved = approved(&typed.approved)?;
    let current = current(&typed.current)?;
    let comparison = compare(&approved, &current);
    let verdict = comparison.verdict();
    match typed.format {
        Format::Text if verdict == Verdict::Unchanged => output::text("nothing differs\n")?,
        Format::Text => output::text(&tell::comparison(&comparison))?,
        Format::Json => {
            let path = input::untrusted(&typed.approved);
            let checked = Checked {
                path,
                lockfile: Some(approved),
                outcome: Outcome::Compared(comparison),
                bearing: Bearing::Decides,
            };
            let answer = checked
                .answer(clock::now())
                .context("the answer cannot be made")?;
            output::document(&json::print(&answer))?;
        }
    }
    Ok(match verdict {
        Verdict::Unchanged => ExitCode::SUCCESS,
        Verdict::Changed | Verdict::Unreachable => ExitCode::FAILURE,
    })
}

/// The approved side: a lockfile, or a listing taken as if it had been approved.
fn approved(path: &Path) -> Result<Lockfile> {
    let bytes = input::read(path)?;
    match read_candidate(Claim::AnyJson, &bytes) {
        Candidate::Lockfile(lockfile) => Ok(with_its_companion(*lockfile, path)),
        Candidate::Refused(fault) => Err(refused(path, &fault)),
        Candidate::Other => as_approved(&hash::parse_listing(path, &bytes)?),
    }
}

/// The current side: a listing, or the tools that a lockfile's companion holds.
fn current(path: &Path) -> Result<Listing> {
    let bytes = input::read(path)?;
    match read_candidate(Claim::AnyJson, &bytes) {
        Candidate::Other => hash::parse_listing(path, &bytes),
        Candidate::Refused(fault) => Err(refused(path, &fault)),
        Candidate::Lockfile(_) => {
            let companion = companion_path(path);
            let cause = || {
                format!(
                    "the lockfile {} holds digests only; its companion listing is needed",
                    input::shown(path)
                )
            };
            let bytes = input::read(&companion).with_context(cause)?;
            hash::parse_listing(&companion, &bytes)
        }
    }
}

fn with_its_companion(lockfile: Lockfile, path: &Path) -> Lockfile {
    with_companion(lockfile.clone(), &companion_path(path)).unwrap_or_else(|finding| {
        terminal::tell(&tell::findings(&[finding]));
        lockfile
    })
}

fn as_approved(listing: &Listing) -> Result<Lockfile> {
    let url = ServerUrl::parse("https://listing.invalid/").map_err(|bad| anyhow!("{bad}"))?;
    let approval = Approval {
        url: &url,
        listing,
        headers: HeaderPins::default(),
        approved_at: clock::now(),
    };
    let lockfile = Lockfile::parse(approval.lockfile()?.as_bytes())
        .and_then(|lockfile| lockfile.with_companion(approval.companion().as_bytes()));
    lockfile.map_err(|fault| refused(Path::new("-"), &fault))
}

pub(super) fn refused(path: &Path, fault: &lockgate::lock::LockfileFault) -> anyhow::Error {
    let (sentence, way_out) = explain(fault);
    let path: Untrusted = input::untrusted(path);
    anyhow!(
        "`{}`:{}: {}\nhint: {}",
        path.in_terminal(),
        fault.line,
        sentence.in_terminal(),
        way_out.in_terminal()
    )
}
