//! bytes → [`Lockfile`]: parsed, and every self-check but the signature passed.
//!
//! Obeys Lockfile v1 (Format) and design §2. There is no other way to make one than to
//! parse it, so a lockfile that is at hand is sealed and agrees with itself.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::fault::{LockfileFault, Problem};
use super::members::{self, Members};
use super::pins::{Extended, HeaderPins, InstructionsPin, PinnedTool};
use super::{Companion, Digest, ServerInfo, ServerUrl, tools_sha256};
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
    pub(super) extended: Option<Extended>,
    pub(super) seal: Digest,
    pub(super) companion: Option<Companion>,
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

/// What makes two lockfiles speak of one server: URL, headers, names of secret headers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The endpoint.
    pub url: ServerUrl,
    /// The headers that choose what the server shows.
    pub headers: HeaderPins,
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
        if Digest::of(json::canonical_without(root.object(), &UNSEALED)) != seal {
            return Err(root.at("sha256", Problem::Seal));
        }
        let lockfile = read_sealed(&root, seal)?;
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

fn read_sealed(root: &Members<'_>, seal: Digest) -> Result<Lockfile, LockfileFault> {
    let mut tools = read_tools(root)?;
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    let extended = match root.find("extended") {
        Some(_) => Some(read_extended(&root.inner("extended")?, &mut tools)?),
        None => None,
    };
    Ok(Lockfile {
        server: read_server(&root.inner("server")?)?,
        approved_at: read_time(root)?,
        tools,
        tools_sha256: root.digest("tools_sha256")?,
        descriptions: read_texts(&root.inner("descriptions")?)?,
        extended,
        seal,
        companion: None,
    })
}

fn read_tools(root: &Members<'_>) -> Result<Vec<LockedTool>, LockfileFault> {
    let read = |tool: Members<'_>| {
        Ok(LockedTool {
            name: tool.text("name")?,
            sha256: tool.digest("sha256")?,
            extended_sha256: None,
            line: tool.line_of("name"),
        })
    };
    root.each("tools")?.into_iter().map(read).collect()
}

fn read_server(server: &Members<'_>) -> Result<Server, LockfileFault> {
    let url = server.text("url")?;
    let url = ServerUrl::parse(url.as_arrived())
        .map_err(|error| server.at("url", Problem::Url(url.clone(), error)))?;
    let info = match server.find("info") {
        Some(value) if !value.is_null() => {
            let info = server.inner("info")?;
            Some(ServerInfo {
                name: info.text("name")?,
                version: info.text("version")?,
            })
        }
        Some(_) | None => None,
    };
    Ok(Server {
        url,
        protocol_version: server.text_or_null("protocol_version")?,
        info,
    })
}

/// RFC 3339 in UTC, as `2026-10-07T10:45:00.000Z`.
fn read_time(root: &Members<'_>) -> Result<Timestamp, LockfileFault> {
    let text = root.text("approved_at")?;
    let utc = text
        .as_arrived()
        .strip_suffix('Z')
        .and_then(|_| text.as_arrived().parse().ok());
    utc.ok_or_else(|| {
        root.shape(
            "approved_at",
            "a time in UTC such as `2026-10-07T10:45:00.000Z`",
        )
    })
}

fn read_texts(object: &Members<'_>) -> Result<BTreeMap<Untrusted, Untrusted>, LockfileFault> {
    object
        .names()
        .map(|name| Ok((Untrusted::new(name), object.text(name)?)))
        .collect()
}

/// Reads the extended pins and puts each tool's digest beside its v1 digest.
fn read_extended(
    extended: &Members<'_>,
    tools: &mut [LockedTool],
) -> Result<Extended, LockfileFault> {
    const KNOWN: [&str; 5] = [
        "audience",
        "headers",
        "instructions_sha256",
        "secret_headers",
        "tools",
    ];
    if let Some(name) = extended.names().find(|name| !KNOWN.contains(name)) {
        return Err(extended.at(name, Problem::UnknownPin(Untrusted::new(name))));
    }
    let read = |tool: Members<'_>| {
        Ok(PinnedTool {
            name: tool.text("name")?,
            sha256: tool.digest("sha256")?,
        })
    };
    let mut pins: Vec<PinnedTool> = extended
        .each("tools")?
        .into_iter()
        .map(read)
        .collect::<Result<_, _>>()?;
    pins.sort_by(|a, b| a.name.cmp(&b.name));
    if !pins
        .iter()
        .map(|pin| &pin.name)
        .eq(tools.iter().map(|tool| &tool.name))
    {
        return Err(extended.at("tools", Problem::ExtendedTools));
    }
    for (tool, pin) in tools.iter_mut().zip(&pins) {
        tool.extended_sha256 = Some(pin.sha256);
    }
    let (headers, secret_headers) = read_headers(extended)?;
    Ok(Extended {
        tools: pins,
        instructions_sha256: read_instructions_pin(extended)?,
        headers,
        secret_headers,
        audience: extended.text_or_null("audience")?,
    })
}

fn read_instructions_pin(extended: &Members<'_>) -> Result<InstructionsPin, LockfileFault> {
    match extended.find("instructions_sha256") {
        None => Ok(InstructionsPin::NotPinned),
        Some(value) if value.is_null() => Ok(InstructionsPin::None),
        Some(_) => extended
            .digest("instructions_sha256")
            .map(InstructionsPin::Sha256),
    }
}

type Headers = (BTreeMap<String, String>, Vec<String>);

fn read_headers(extended: &Members<'_>) -> Result<Headers, LockfileFault> {
    let mut headers = BTreeMap::new();
    let plain = extended.inner("headers")?;
    for name in plain.names() {
        headers.insert(name.to_owned(), plain.text(name)?.as_arrived().to_owned());
    }
    let secret: BTreeSet<String> = extended.texts("secret_headers")?.into_iter().collect();
    let is_normal =
        |name: &String| !name.is_empty() && !name.bytes().any(|byte| byte.is_ascii_uppercase());
    if !headers.keys().chain(&secret).all(is_normal)
        || headers.keys().any(|name| secret.contains(name))
    {
        return Err(extended.shape(
            "headers",
            "header names in lower case, each in one of the two lists",
        ));
    }
    Ok((headers, secret.into_iter().collect()))
}
