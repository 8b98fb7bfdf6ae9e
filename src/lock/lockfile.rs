//! bytes → [`Lockfile`]: parsed, and every self-check but the signature passed.
//!
//! Obeys Lockfile v1 (Format) and design §2. There is no other way to make one than to
//! parse it, so a lockfile that is at hand is sealed and agrees with itself.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::fault::{LockfileFault, Problem};
use super::identity::Identity;
use super::members::{self, Members};
use super::pins::{Extended, InstructionsPin};
use super::read_lockfile::read_sealed;
use super::{
    Companion, Digest, Listing, LockfileSignature, ScanRecord, ServerInfo, ServerUrl, tools_sha256,
};
use crate::json::{self, Lines};
use crate::untrusted::Untrusted;

/// The `kind` of a lockfile (Lockfile v1, Format).
pub const KIND: &str = "crawlcheck-mcp-lock";

/// Members outside the seal.
const UNSEALED: [&str; 3] = ["sha256", "signature", "signatures"];

/// A lockfile whose seal holds and whose parts agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lockfile {
    pub(super) server: Server,
    pub(super) approved_at: Timestamp,
    pub(super) tools: Vec<LockedTool>,
    pub(super) tools_sha256: Digest,
    pub(super) descriptions: BTreeMap<Untrusted, Untrusted>,
    pub(super) scan: Option<ScanRecord>,
    pub(super) extended: Option<Extended>,
    pub(super) seal: Digest,
    pub(super) sealed: Box<str>,
    pub(super) signatures: Vec<LockfileSignature>,
    pub(super) companion: Option<Companion>,
    pub(super) lines: MemberLines,
}

/// The lines that members other than tools stand on, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberLines {
    /// `server.url`
    pub url: usize,
    /// `tools`
    pub tools: usize,
    /// `extended.instructions_sha256`, where it is pinned.
    pub instructions: Option<usize>,
}

/// `server`: which server was listed, and what it said of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The endpoint.
    pub url: ServerUrl,
    /// The protocol version that was spoken.
    pub protocol_version: Option<Untrusted>,
    /// `serverInfo`, which proves nothing.
    pub info: Option<ServerInfo>,
}

/// One entry of `tools`, and the line it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedTool {
    /// The approved tool's name.
    pub name: Untrusted,
    /// Its v1 digest.
    pub sha256: Digest,
    /// Its extended digest, where the lockfile has extended pins.
    pub extended_sha256: Option<Digest>,
    /// The line of the file, counted from 1.
    pub line: usize,
}

impl Lockfile {
    /// Reads a lockfile and demands all that design §2 demands but the signature: `kind`,
    /// `v`, seal, `count`, unique names, `tools_sha256`, `descriptions`, extended pins.
    ///
    /// # Errors
    /// [`LockfileFault`] names the line and the problem; the lockfile is of no use then.
    pub fn parse(bytes: &[u8]) -> Result<Self, LockfileFault> {
        let lines = Lines::of(bytes);
        let document = members::read(bytes, &lines)?;
        let root = Members::of_root(&document.root, &lines)?;
        root.demand_kind(KIND)?;
        if root.get("v")?.as_u64() != Some(1) {
            return Err(root.at("v", Problem::Version));
        }
        let seal = root.digest("sha256")?;
        let sealed = json::canonical_without(root.object(), &UNSEALED);
        if Digest::of(&sealed) != seal {
            return Err(root.at("sha256", Problem::Seal));
        }
        let lockfile = read_sealed(&root, seal, sealed)?;
        lockfile.check_tools(&root)?;
        Ok(lockfile)
    }

    /// Which server was listed.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// When it was approved.
    pub fn approved_at(&self) -> Timestamp {
        self.approved_at
    }

    /// The approved tools, sorted by name.
    pub fn tools(&self) -> &[LockedTool] {
        &self.tools
    }

    /// The approved tool of that name.
    pub fn tool(&self, name: &Untrusted) -> Option<&LockedTool> {
        self.tools.get(
            self.tools
                .binary_search_by(|tool| tool.name.cmp(name))
                .ok()?,
        )
    }

    /// `tools_sha256` (Lockfile v1, Hashing 3).
    pub fn tools_sha256(&self) -> Digest {
        self.tools_sha256
    }

    /// The approved description of a tool that has one.
    pub fn description(&self, tool: &Untrusted) -> Option<&Untrusted> {
        self.descriptions.get(tool)
    }

    /// What a scan said at the approval; `None` where none was made, or not by our rules'
    /// shape.
    pub fn scan_at_approval(&self) -> Option<&ScanRecord> {
        self.scan.as_ref()
    }

    /// The extended pins; `None` in a lockfile that has v1's only.
    pub fn extended(&self) -> Option<&Extended> {
        self.extended.as_ref()
    }

    /// The pin of the server's instructions.
    pub fn instructions_pin(&self) -> InstructionsPin {
        self.extended
            .as_ref()
            .map(|pins| pins.instructions_sha256)
            .unwrap_or_default()
    }

    /// The seal: SHA-256 over the canonical form of the document without `sha256`,
    /// `signature` and `signatures`.
    pub fn seal(&self) -> Digest {
        self.seal
    }

    /// What is sealed and signed: the canonical form of the document without `sha256`,
    /// `signature` and `signatures`.
    pub fn sealed(&self) -> &str {
        &self.sealed
    }

    /// The signatures that stand in it, none of them believed yet.
    pub fn signatures(&self) -> &[LockfileSignature] {
        &self.signatures
    }

    /// The server's identity (design §2).
    pub fn identity(&self) -> Identity {
        let headers = self
            .extended
            .as_ref()
            .map(Extended::header_pins)
            .unwrap_or_default();
        Identity {
            url: self.server.url.clone(),
            headers,
        }
    }

    /// The approved tools in full, where a companion listing is at hand.
    pub fn companion(&self) -> Option<&Companion> {
        self.companion.as_ref()
    }

    /// Where its members stand, for messages about them.
    pub fn lines(&self) -> MemberLines {
        self.lines
    }

    /// The approved list whole, where a companion listing holds all of it.
    pub fn listing(&self) -> Option<Listing> {
        let listing = self.companion.as_ref()?.listing(self.instructions_pin());
        (listing.tools().len() == self.tools.len()).then_some(listing)
    }

    /// The self-checks over all tools at once.
    fn check_tools(&self, root: &Members<'_>) -> Result<(), LockfileFault> {
        if root.get("count")?.as_u64() != u64::try_from(self.tools.len()).ok() {
            return Err(root.at("count", Problem::Count));
        }
        let twins = self.tools.windows(2).find_map(|pair| match pair {
            [first, second] if first.name == second.name => Some(first.line.max(second.line)),
            _ => None,
        });
        if let Some(line) = twins {
            let name = self
                .tools
                .iter()
                .find(|tool| tool.line == line)
                .map(|tool| tool.name.clone());
            return Err(Problem::DuplicateName(name.unwrap_or_default()).at_line(line));
        }
        if tools_sha256(self.tools.iter().map(|tool| tool.sha256)) != self.tools_sha256 {
            return Err(root.at("tools_sha256", Problem::ToolsSha256));
        }
        let stray = self
            .descriptions
            .keys()
            .find(|name| self.tool(name).is_none());
        match stray {
            Some(name) => Err(root.at("descriptions", Problem::UnknownDescription(name.clone()))),
            None => Ok(()),
        }
    }
}
