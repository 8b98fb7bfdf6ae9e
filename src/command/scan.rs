//! `lockgate scan`: does what a server hands to a model read like an attack?
//!
//! Ranks what a person should read first, and proves nothing.

use std::process::ExitCode;

use anyhow::Result;
use lockgate::lock::Listing;
use lockgate::scan::{NamedTool, Scan, scan_listing, scan_malformed, taken_elsewhere};
use lockgate::trust::FailsFrom;
use lockgate::untrusted::Untrusted;
use lockgate::{json, tell};
use serde::Serialize;

use super::check::for_origins;
use super::diff_side::{Named, Reading};
use super::hash::NotAListing;
use super::{input, output};
use crate::cli::{self, Format};
use crate::settings;

/// The `kind` of the document.
const SCAN_KIND: &str = "lockgate-scan";

pub(super) async fn run(typed: &cli::Scan) -> Result<ExitCode> {
    let headers = for_origins(&typed.headers)?;
    let reading = Reading {
        deed: "scanned",
        reach: settings::reach(&typed.reach),
        headers: &headers,
    };
    let named: Vec<Named> = typed
        .listings
        .iter()
        .map(|typed| reading.given(typed))
        .collect::<Result<_>>()?;
    reading.demand_asked(&named.iter().collect::<Vec<_>>())?;
    let mut read = Vec::new();
    for one in &named {
        read.push(listing(&reading, one).await?);
    }
    let scans = scans(read);
    tell(&scans, typed.format)?;
    let limit = FailsFrom::from(typed.fail_on);
    let fails = |one: &Scanned| limit.fails(one.scan.severity());
    Ok(match scans.iter().any(fails) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// What one file or server hands to a model, as far as that can be read.
struct Scanned {
    shown: Untrusted,
    listing: Option<Listing>,
    scan: Scan,
}

/// A file that no reader can be sure of is a finding.
async fn listing(reading: &Reading<'_>, named: &Named) -> Result<Scanned> {
    let side = match reading.one(named).await {
        Ok(side) => side,
        Err(error) => {
            let (Some(bad), Named::File(path)) = (error.downcast_ref::<NotAListing>(), named)
            else {
                return Err(error);
            };
            return Ok(Scanned {
                shown: input::untrusted(path),
                listing: None,
                scan: scan_malformed(&bad.malformed),
            });
        }
    };
    let shown = side.shown.clone();
    let listing = side.into_listing()?;
    Ok(Scanned {
        shown,
        scan: scan_listing(&listing),
        listing: Some(listing),
    })
}

/// With the names that several of them have.
fn scans(read: Vec<Scanned>) -> Vec<Scanned> {
    let named: Vec<Vec<NamedTool<'_>>> = read.iter().map(names).collect();
    let found = taken_elsewhere(&named);
    let each = read.into_iter().zip(found);
    each.map(|(one, elsewhere)| Scanned {
        scan: one
            .scan
            .with(elsewhere.into_iter().map(|one| one.finding).collect()),
        ..one
    })
    .collect()
}

fn names(one: &Scanned) -> Vec<NamedTool<'_>> {
    let tools = one.listing.iter().flat_map(Listing::tools);
    tools.map(|tool| (tool.name(), tool.sha256())).collect()
}

#[derive(Serialize)]
struct Document<'a> {
    kind: &'static str,
    v: u8,
    scans: Vec<ScanText<'a>>,
}

#[derive(Serialize)]
struct ScanText<'a> {
    listing: &'a Untrusted,
    #[serde(flatten)]
    scan: &'a Scan,
}

fn tell(scans: &[Scanned], format: Format) -> Result<()> {
    match format {
        Format::Json => {
            let scans = scans.iter().map(|one| ScanText {
                listing: &one.shown,
                scan: &one.scan,
            });
            output::document(&json::print(&Document {
                kind: SCAN_KIND,
                v: 1,
                scans: scans.collect(),
            }))
        }
        Format::Text => scans.iter().try_for_each(|one| {
            let head = match scans.len() {
                1 => String::new(),
                _ => format!("{}\n", one.shown.in_terminal()),
            };
            output::text(&format!("{head}{}", tell::scan(&one.scan)))
        }),
    }
}
