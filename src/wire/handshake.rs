//! result of `initialize` or `server/discover` → [`Listing`], begun.
//!
//! Obeys MCP, Lifecycle (legacy) and Versioning (modern). Believes that a server is of the
//! modern era only when it names our version among those it supports.

use super::rpc::known_versions;
use super::{Era, Version};
use crate::json::Value;
use crate::lock::{Listing, Malformed, ServerInfo, refuse_twins};
use crate::untrusted::Untrusted;

/// Where a server of the modern era says who it is.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The result does not open a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoHandshake {
    /// No `protocolVersion`, or none that is text.
    NoVersion,
    /// A version that is not known here, or not one of this era.
    OtherVersion(Untrusted),
    /// Our version is not among those supported; the known ones that are.
    NotSupported(Vec<Version>),
    /// The result cannot be read in one way only.
    Malformed(Malformed),
}

/// Reads the result of `initialize`.
///
/// # Errors
/// [`NoHandshake`] if the server chose no legacy version that is known: the client should
/// then disconnect (MCP, Version Negotiation).
pub fn initialized(result: &Value<'_>) -> Result<(Version, Listing), NoHandshake> {
    let name = result.member("protocolVersion").and_then(Value::as_str);
    let name = name.ok_or(NoHandshake::NoVersion)?;
    let version = Version::named(name)
        .filter(|version| version.era() == Era::Legacy)
        .ok_or_else(|| NoHandshake::OtherVersion(Untrusted::new(name)))?;
    Ok((
        version,
        begin(version, result, result.member("serverInfo"))?,
    ))
}

/// Reads the result of `server/discover`, asked in `version`.
///
/// # Errors
/// [`NoHandshake`] if `version` is not among those the server supports.
pub fn discovered(result: &Value<'_>, version: Version) -> Result<Listing, NoHandshake> {
    let supported = result.member("supportedVersions").and_then(Value::as_array);
    let supported = known_versions(supported.unwrap_or_default());
    if !supported.contains(&version) {
        return Err(NoHandshake::NotSupported(supported));
    }
    let info = result.member("_meta").and_then(|m| m.member(SERVER_INFO));
    begin(version, result, info)
}

fn begin(
    version: Version,
    result: &Value<'_>,
    info: Option<&Value<'_>>,
) -> Result<Listing, NoHandshake> {
    if let Some(members) = result.as_object() {
        refuse_twins(members, &["instructions"]).map_err(NoHandshake::Malformed)?;
    }
    let instructions = result.member("instructions");
    Listing::begin(version.name(), instructions, info.and_then(server_info))
        .map_err(NoHandshake::Malformed)
}

/// `name` and `version` are what a person reads; one that is missing is empty.
fn server_info(info: &Value<'_>) -> Option<ServerInfo> {
    let text = |name| info.member(name).and_then(Value::as_str);
    let (name, version) = (text("name"), text("version"));
    name.or(version)?;
    Some(ServerInfo {
        name: name.unwrap_or_default().into(),
        version: version.unwrap_or_default().into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing_of(found: Result<Listing, NoHandshake>) -> Result<String, NoHandshake> {
        let listing = found?;
        let text = |part: Option<&Untrusted>| part.map_or("-", Untrusted::as_arrived).to_owned();
        Ok(format!(
            "{} {} {}",
            text(listing.protocol_version()),
            text(listing.server_info().map(|info| &info.name)),
            text(listing.instructions()),
        ))
    }

    fn check_initialize(result: &str, expect: Result<&str, NoHandshake>) {
        let document = crate::json::read(result.as_bytes()).expect("a test's own JSON");
        let found = initialized(&document.root).map(|(_, listing)| listing);
        assert_eq!(listing_of(found), expect.map(str::to_owned), "{result}");
    }

    fn check_discover(result: &str, expect: Result<&str, NoHandshake>) {
        let document = crate::json::read(result.as_bytes()).expect("a test's own JSON");
        let found = discovered(&document.root, Version::MODERN);
        assert_eq!(listing_of(found), expect.map(str::to_owned), "{result}");
    }

    #[test]
    fn initialize_opens_a_known_legacy_version_only() {
        check_initialize(
            r#"{"protocolVersion":"2025-03-26","serverInfo":{"name":"n"},"instructions":"i"}"#,
            Ok("2025-03-26 n i"),
        );
        check_initialize(
            r#"{"protocolVersion":"2024-11-05","serverInfo":[]}"#,
            Ok("2024-11-05 - -"),
        );
        for other in ["2099-01-01", "2026-07-28"] {
            check_initialize(
                &format!(r#"{{"protocolVersion":"{other}"}}"#),
                Err(NoHandshake::OtherVersion(other.into())),
            );
        }
        for none in ["{}", "[]", "null", r#"{"protocolVersion":20250326}"#] {
            check_initialize(none, Err(NoHandshake::NoVersion));
        }
        check_initialize(
            r#"{"protocolVersion":"2025-03-26","instructions":[]}"#,
            Err(NoHandshake::Malformed(Malformed::BadInstructions(
                "an array",
            ))),
        );
    }

    #[test]
    fn discover_opens_the_version_asked_for_only() {
        check_discover(
            r#"{"supportedVersions":["2025-06-18","2026-07-28"],"instructions":"i","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"n","version":"1"}}}"#,
            Ok("2026-07-28 n i"),
        );
        check_discover("{}", Err(NoHandshake::NotSupported(Vec::new())));
        check_discover(
            r#"{"supportedVersions":["2025-06-18","2099-01-01"]}"#,
            Err(NoHandshake::NotSupported(vec![Version::V2025_06_18])),
        );
    }
}
