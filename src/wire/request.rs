//! [`Request`] → the JSON text that is sent, and the headers that go with it.
//!
//! Obeys MCP, Lifecycle, Tools and Streamable HTTP. [`Method`] holds every method that
//! exists here: no tool can be called, because there is nothing to say it with.

use serde_json::{Value, json};

use super::Version;

/// The header that names the protocol version.
pub const PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// The header that names the session.
pub const SESSION: &str = "mcp-session-id";
/// `Accept`: both forms of answer, which servers demand, in one line.
pub const ACCEPT: &str = "application/json, text/event-stream";

/// Longest session id that is echoed.
const MAX_SESSION_ID: usize = 1024;

/// Everything that can be asked of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `initialize`
    Initialize,
    /// `notifications/initialized`
    Initialized,
    /// `server/discover`
    Discover,
    /// `tools/list`
    ListTools,
}

impl Method {
    /// As it stands on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Method::Initialize => "initialize",
            Method::Initialized => "notifications/initialized",
            Method::Discover => "server/discover",
            Method::ListTools => "tools/list",
        }
    }
}

/// One message to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request<'a> {
    /// Opens a conversation of the legacy era.
    Initialize(Version),
    /// Ends the handshake of the legacy era.
    Initialized,
    /// Asks a server of the modern era who it is.
    Discover(Version),
    /// Asks for one page of tools.
    ListTools {
        /// The version spoken.
        version: Version,
        /// Where the page starts; `None` for the first, `""` is a place.
        cursor: Option<&'a str>,
    },
}

impl Request<'_> {
    /// The method asked for.
    pub fn method(&self) -> Method {
        match self {
            Request::Initialize(_) => Method::Initialize,
            Request::Initialized => Method::Initialized,
            Request::Discover(_) => Method::Discover,
            Request::ListTools { .. } => Method::ListTools,
        }
    }

    /// The message as JSON; a notification has no id.
    pub fn body(&self, id: u64) -> String {
        let method = self.method().name();
        let params = self.params();
        match self {
            Request::Initialized => json!({"jsonrpc": "2.0", "method": method}),
            Request::Initialize(_) | Request::Discover(_) | Request::ListTools { .. } => {
                json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
            }
        }
        .to_string()
    }

    fn params(&self) -> Value {
        match *self {
            Request::Initialize(version) => json!({
                "protocolVersion": version.name(),
                "capabilities": {},
                "clientInfo": client_info(),
            }),
            Request::Initialized => json!({}),
            Request::Discover(version) => json!({"_meta": meta(version)}),
            Request::ListTools { version, cursor } => list_params(version, cursor),
        }
    }
}

fn list_params(version: Version, cursor: Option<&str>) -> Value {
    let mut params = serde_json::Map::new();
    if let Some(cursor) = cursor {
        params.insert("cursor".into(), cursor.into());
    }
    if version.era() == super::Era::Modern {
        params.insert("_meta".into(), meta(version));
    }
    params.into()
}

/// What every request of the modern era carries.
fn meta(version: Version) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version.name(),
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": client_info(),
    })
}

/// The same for every server and every run: a listing may depend on who asks.
fn client_info() -> Value {
    json!({"name": "lockgate", "version": env!("CARGO_PKG_VERSION")})
}

/// The answer to whatever a server asks of us; `id` is its id, as JSON.
pub fn refusal(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"Method not found"}}}}"#
    )
}

/// Is it a session id that may be echoed (MCP, Session Management: visible ASCII)?
pub fn is_session_id(id: &[u8]) -> bool {
    (1..=MAX_SESSION_ID).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(request: Request<'_>, expect: &[&str], never: &[&str]) {
        let body = request.body(7);
        for part in expect {
            assert!(body.contains(part), "{part} in {body}");
        }
        for part in never {
            assert!(!body.contains(part), "no {part} in {body}");
        }
    }

    #[test]
    fn says_what_each_era_demands() {
        let list = |version, cursor| Request::ListTools { version, cursor };
        let legacy = Version::V2025_06_18;
        check(
            Request::Initialize(legacy),
            &[
                r#""id":7"#,
                r#""protocolVersion":"2025-06-18""#,
                r#""capabilities":{}"#,
            ],
            &["_meta"],
        );
        check(
            Request::Initialized,
            &["notifications/initialized"],
            &["id"],
        );
        check(
            Request::Discover(Version::MODERN),
            &[
                "server/discover",
                r#"/protocolVersion":"2026-07-28""#,
                r#"/clientCapabilities":{}"#,
            ],
            &["cursor"],
        );
        check(
            list(legacy, None),
            &[r#""params":{}"#],
            &["_meta", "cursor"],
        );
        check(list(legacy, Some("")), &[r#""cursor":"""#], &["_meta"]);
        check(list(legacy, Some("a\"b")), &[r#""cursor":"a\"b""#], &[]);
        check(
            list(Version::MODERN, None),
            &["/clientInfo", "tools/list"],
            &["cursor"],
        );
    }

    #[test]
    fn session_ids_are_visible_ascii() {
        for (id, good) in [("a-1_Z~", true), ("", false), ("a b", false), ("é", false)] {
            assert_eq!(is_session_id(id.as_bytes()), good, "{id}");
        }
        assert!(!is_session_id(&[b'x'; MAX_SESSION_ID + 1]));
    }
}
