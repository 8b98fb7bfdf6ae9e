//! Members of a sealed document → [`Lockfile`]: each member has the shape the page gives.
//!
//! Obeys Lockfile v1 (Format) and design §2 (extended pins). Only shapes are read here;
//! whether the parts agree is for `lockfile`.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::fault::{LockfileFault, Problem};
use super::lockfile::{LockedTool, MemberLines, Server};
use super::members::Members;
use super::pins::{Extended, InstructionsPin, PinnedTool};
use super::signature::read_signatures;
use super::{Digest, Lockfile, ScanRecord, ServerInfo, ServerUrl};
use crate::untrusted::Untrusted;

pub(super) fn read_sealed(
    root: &Members<'_>,
    seal: Digest,
    sealed: String,
) -> Result<Lockfile, LockfileFault> {
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
        scan: root.find("scan_at_approval").and_then(ScanRecord::read),
        extended,
        seal,
        sealed: sealed.into(),
        signatures: read_signatures(root)?,
        companion: None,
        lines: read_lines(root)?,
    })
}

fn read_lines(root: &Members<'_>) -> Result<MemberLines, LockfileFault> {
    let instructions = match root.find("extended") {
        Some(_) => {
            let extended = root.inner("extended")?;
            let pinned = extended.find("instructions_sha256");
            pinned.map(|_| extended.line_of("instructions_sha256"))
        }
        None => None,
    };
    Ok(MemberLines {
        url: root.inner("server")?.line_of("url"),
        tools: root.line_of("tools"),
        instructions,
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
    let pins = read_pins(extended)?;
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
    let instructions_sha256 = read_instructions_pin(extended)?;
    let audience = extended.text_or_null("audience")?;
    Ok(Extended {
        tools: pins,
        instructions_sha256,
        headers,
        secret_headers,
        audience,
    })
}

/// `extended.tools`, sorted by name.
fn read_pins(extended: &Members<'_>) -> Result<Vec<PinnedTool>, LockfileFault> {
    let mut pins = Vec::new();
    for tool in extended.each("tools")? {
        pins.push(PinnedTool {
            name: tool.text("name")?,
            sha256: tool.digest("sha256")?,
        });
    }
    pins.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(pins)
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
