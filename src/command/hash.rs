//! `lockgate hash`: a listing → its digests, without server or key.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use lockgate::Listing;
use lockgate::check::Unlisted;
use lockgate::json;
use lockgate::lock::{Digest, Malformed, PinnedTool};
use serde::Serialize;

use super::{input, output};
use crate::cli::{Format, Hash};

#[derive(Serialize)]
struct Digests {
    count: usize,
    tools_sha256: Digest,
    tools: Vec<PinnedTool>,
}

pub(super) fn run(typed: &Hash) -> Result<ExitCode> {
    let listing = read_listing(&typed.listing)?;
    let pin = |tool: &lockgate::Tool| PinnedTool {
        name: tool.name().clone(),
        sha256: tool.sha256(),
    };
    let tools: Vec<PinnedTool> = listing.tools().iter().map(pin).collect();
    let digests = Digests {
        count: tools.len(),
        tools_sha256: listing.tools_sha256(),
        tools,
    };
    match typed.format {
        Format::Json => output::document(&json::print(&digests))?,
        Format::Text => output::text(&text(&digests))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a listing from a file that a person named.
pub(super) fn read_listing(path: &Path) -> Result<Listing> {
    parse_listing(path, &input::read(path)?)
}

/// Reads a listing from what a file that a person named holds.
pub(super) fn parse_listing(path: &Path, bytes: &[u8]) -> Result<Listing> {
    Listing::parse(bytes).map_err(|malformed| {
        let unlisted = Unlisted::from(malformed.clone());
        let told = format!(
            "{} is not a listing: {}",
            input::shown(path),
            unlisted.message().in_terminal()
        );
        NotAListing { told, malformed }.into()
    })
}

/// A file is not a listing that every reader reads alike.
#[derive(Debug, thiserror::Error)]
#[error("{told}")]
pub(super) struct NotAListing {
    told: String,
    /// What is wrong with it.
    pub(super) malformed: Malformed,
}

fn text(digests: &Digests) -> String {
    let rows = digests
        .tools
        .iter()
        .map(|tool| format!("{}  {}\n", tool.sha256, tool.name.in_terminal()));
    format!(
        "{}  tools_sha256 of {} tools\n{}",
        digests.tools_sha256,
        digests.count,
        rows.collect::<String>()
    )
}
