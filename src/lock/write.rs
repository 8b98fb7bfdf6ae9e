//! [`Listing`] → the two files of an approval: lockfile and companion listing.
//!
//! Obeys Lockfile v1 (Format) and design §2: members in the order of the page, tools
//! sorted by name, two-space indent, final newline. Never signs.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::companion::COMPANION_KIND;
use super::lockfile::KIND;
use super::pins::{Extended, HeaderPins, PinnedTool, pinned};
use super::{Digest, Listing, ScanRecord, ServerInfo, ServerUrl, Tool};
use crate::json::{self, ReadError, Value};

/// What a lockfile is made of.
#[derive(Debug, Clone)]
pub struct Approval<'a> {
    /// The endpoint that was listed.
    pub url: &'a ServerUrl,
    /// What it offers.
    pub listing: &'a Listing,
    /// The headers it was asked with.
    pub headers: HeaderPins,
    /// When.
    pub approved_at: Timestamp,
    /// What a scan of the listing said; `None` where none was made.
    pub scan: Option<ScanRecord>,
}

/// A lockfile in the order of the spec page.
#[derive(Serialize)]
struct LockfileText<'a> {
    kind: &'static str,
    v: u8,
    server: ServerText<'a>,
    approved_at: String,
    tools_sha256: Digest,
    count: usize,
    tools: Vec<PinnedTool>,
    descriptions: BTreeMap<String, String>,
    scan_at_approval: Option<&'a ScanRecord>,
    extended: Extended,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<Option<()>>,
}

#[derive(Serialize)]
struct ServerText<'a> {
    url: &'a ServerUrl,
    protocol_version: Option<&'a crate::untrusted::Untrusted>,
    info: Option<&'a ServerInfo>,
}

#[derive(Serialize)]
struct CompanionText<'a> {
    kind: &'static str,
    v: u8,
    instructions: Option<&'a crate::untrusted::Untrusted>,
    tools: Vec<ToolText<'a>>,
}

/// A tool with the members that a digest covers; those it does not have are left out.
#[derive(Debug)]
pub(crate) struct ToolText<'a>(pub(crate) &'a Tool);

impl Serialize for ToolText<'_> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        const ORDER: [&str; 6] = [
            "name",
            "title",
            "description",
            "inputSchema",
            "outputSchema",
            "annotations",
        ];
        let document = self.0.members();
        let member = |name| {
            Some((
                name,
                document
                    .root
                    .member(name)
                    .filter(|value| !value.is_null())?,
            ))
        };
        to.collect_map(ORDER.into_iter().filter_map(member))
    }
}

impl Approval<'_> {
    /// The text of an unsigned lockfile, sealed.
    ///
    /// # Errors
    /// [`ReadError`] as [`json::canonical_of`].
    pub fn lockfile(&self) -> Result<String, ReadError> {
        self.lockfile_for(None)
    }

    /// As [`Approval::lockfile`], for an audience that a policy names.
    ///
    /// # Errors
    /// [`ReadError`] as [`json::canonical_of`].
    pub fn lockfile_for(
        &self,
        audience: Option<&crate::untrusted::Untrusted>,
    ) -> Result<String, ReadError> {
        let extended = Extended {
            audience: audience.cloned(),
            ..Extended::of(self.listing, self.headers.clone())
        };
        let mut text = LockfileText {
            kind: KIND,
            v: 1,
            server: self.server(),
            approved_at: spelled(self.approved_at),
            tools_sha256: self.listing.tools_sha256(),
            count: self.listing.tools().len(),
            tools: pinned(self.listing, Tool::sha256),
            descriptions: descriptions(self.listing),
            scan_at_approval: self.scan.as_ref(),
            extended,
            sha256: None,
            signature: None,
        };
        text.sha256 = Some(Digest::of(json::canonical_of(&text)?));
        text.signature = Some(None);
        Ok(json::print(&text))
    }

    /// The text of the companion listing.
    pub fn companion(&self) -> String {
        let tools = self.listing.tools().iter().map(ToolText).collect();
        let instructions = self.listing.instructions();
        json::print(&CompanionText {
            kind: COMPANION_KIND,
            v: 1,
            instructions,
            tools,
        })
    }

    fn server(&self) -> ServerText<'_> {
        let (protocol_version, info) =
            (self.listing.protocol_version(), self.listing.server_info());
        ServerText {
            url: self.url,
            protocol_version,
            info,
        }
    }
}

#[derive(Serialize)]
struct ListingText<'a> {
    instructions: Option<&'a crate::untrusted::Untrusted>,
    tools: Vec<ToolText<'a>>,
}

impl Listing {
    /// All of it that a digest covers, on one line: what [`Listing::parse`] reads back has
    /// the same digests.
    pub fn text(&self) -> String {
        json::print_line(&ListingText {
            instructions: self.instructions(),
            tools: self.tools().iter().map(ToolText).collect(),
        })
    }
}

/// RFC 3339 in UTC with milliseconds.
pub(crate) fn spelled(time: Timestamp) -> String {
    format!("{time:.3}")
}

fn descriptions(listing: &Listing) -> BTreeMap<String, String> {
    let describe = |tool: &Tool| {
        let document = tool.members();
        let text = document
            .root
            .member("description")
            .and_then(Value::as_str)?;
        Some((tool.name().as_arrived().to_owned(), text.to_owned()))
    };
    listing.tools().iter().filter_map(describe).collect()
}
