//! `lockgate approve`: a person reads what a server offers, and signs it or does not.
//!
//! Obeys design §4 and §7: nothing is signed that was not shown; the list must still be
//! the same when it is signed; all lockfiles of a server are written, or none.

use std::process::ExitCode;

use anyhow::{Result, bail};
use lockgate::Digest;
use lockgate::world::mcp::Mcp;

use super::candidate::{Candidate, Desk};
use super::group::{Group, groups};
use super::pen::Pen;
use super::person::Person;
use super::renew::{demand_writable, write};
use super::secrets::Purse;
use super::{check, output};
use crate::cli::Approve;
use crate::settings;

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
    let reach = settings::reach(&typed.reach);
    let purse = Purse::of(&headers, &reach.allow_private_hosts);
    let mcp = Mcp::new(reach.clone());
    let desk = Desk {
        person: &person,
        pen: &pen,
        purse: &purse,
        mcp: &mcp,
    };
    let approved = read(groups, desk, typed.expect).await?;
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

/// What of these servers' lists was shown, and said yes to.
async fn read(
    groups: Vec<Group>,
    desk: Desk<'_>,
    expected: Option<Digest>,
) -> Result<Vec<Candidate>> {
    let mut approved = Vec::new();
    for group in groups {
        let candidate = Candidate::list(group, desk).await?;
        candidate.expect(expected)?;
        if candidate.is_signed_already(desk.pen)? {
            continue;
        }
        demand_writable(&candidate)?;
        candidate.ask(desk.person, desk.pen).await?;
        approved.push(candidate);
    }
    Ok(approved)
}
