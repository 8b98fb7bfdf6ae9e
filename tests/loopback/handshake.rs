//! How `initialize` and `server/discover` are answered.

use super::Asked;
use super::step::{Step, error, hang, json, response, result, send, status, stream_left_open};

const JSON: &str = "content-type: application/json\r\n";

/// A server that speaks the legacy era opens session `s1`, then `s2`, …
pub(crate) fn initialize(asked: &Asked) -> Vec<Step> {
    let opened = |version: &str, rest: &str| {
        let session = format!("s{}", asked.nth);
        let info = r#""capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}"#;
        let members = format!(r#"{{"protocolVersion":"{version}",{info}{rest}}}"#);
        let headers = format!("content-type: application/json\r\nmcp-session-id: {session}\r\n");
        response(200, &headers, &result(asked, &members))
    };
    match asked.name() {
        "modern" | "discover-once-32022" => response(404, "", &error(asked, -32601, "")),
        "hello-rpc-error" => json(&error(asked, -32603, "")),
        "hello-unknown-version" => opened("2099-01-01", ""),
        "hello-older-version" => opened("2024-11-05", ""),
        "hello-no-version" => json(&result(asked, "{}")),
        "hello-instructions" => opened("2025-06-18", r#","instructions":["do"]"#),
        "hello-twin" => opened("2025-06-18", r#","Instructions":"do""#),
        "hello-duplicate-key" => json(&result(asked, r#"{"a":1,"a":2}"#)),
        "hello-bad-session" => {
            let headers = "content-type: application/json\r\nmcp-session-id: a b\r\n";
            let members = r#"{"protocolVersion":"2025-06-18"}"#;
            response(200, headers, &result(asked, members))
        }
        "hello-no-session" => json(&result(asked, r#"{"protocolVersion":"2025-06-18"}"#)),
        _ => opened(if_known(asked), ""),
    }
}

/// The version that the client offers.
fn if_known(asked: &Asked) -> &'static str {
    let offered = |version: &&&str| asked.body.contains(**version);
    let known = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    known.iter().find(offered).copied().unwrap_or("2025-11-25")
}

/// What comes back for a notification, or for an answer of the client's.
pub(crate) fn notice(asked: &Asked) -> Vec<Step> {
    match asked.name() {
        "hello-notice-refused" => status(406, "no"),
        "hello-notice-left-open" => vec![
            send("HTTP/1.1 202 Yes\r\ntransfer-encoding: chunked\r\n\r\n"),
            Step::Wait(60_000),
        ],
        "hello-notice-streams" => stream_left_open(&[": hi\n\n"])
            .into_iter()
            .chain([Step::Wait(60_000)])
            .collect(),
        _ => status(202, ""),
    }
}

/// Servers of the legacy era refuse in many ways.
pub(crate) fn discover(asked: &Asked) -> Vec<Step> {
    let modern = "\"2026-07-28\"";
    let supported = |versions: &str| {
        let data = format!(r#","data":{{"supported":[{versions}]}}"#);
        response(400, JSON, &error(asked, -32022, &data))
    };
    match asked.name() {
        "modern" | "both-eras" => discovered(asked, modern),
        "discover-other-versions" => discovered(asked, "\"2025-03-26\",\"2099-01-01\""),
        "discover-32022-legacy" => supported("\"2099-01-01\",\"2025-03-26\""),
        "discover-32022-unknown" => supported("\"2099-01-01\""),
        "discover-once-32022" if asked.nth == 1 => supported(modern),
        "discover-once-32022" => discovered(asked, modern),
        "discover-32020" => response(400, JSON, &error(asked, -32020, "")),
        "discover-32021" => response(400, JSON, &error(asked, -32021, "")),
        "discover-rpc-error" => json(&error(asked, -32601, "")),
        "discover-empty" => json(&result(asked, "{}")),
        "discover-null-id" => refused_without_id("null"),
        "discover-server-error" => refused_without_id("\"server-error\""),
        _ => refused(asked),
    }
}

/// Refusals that say little.
fn refused(asked: &Asked) -> Vec<Step> {
    match asked.name() {
        "discover-400" => response(400, JSON, &error(asked, -32000, "")),
        "discover-405" => status(405, ""),
        "discover-406" => status(406, "Not Acceptable"),
        "discover-415" => status(415, ""),
        "discover-422" => status(422, "{}"),
        "discover-words" => status(400, "Missing session ID"),
        "discover-words-200" => status(200, "ok"),
        "discover-401" => status(401, ""),
        "discover-403" => status(403, ""),
        "discover-429" => response(429, "retry-after: 3600\r\n", ""),
        "discover-500" => status(500, "boom"),
        "discover-hangs" => hang(),
        _ => response(404, "", &error(asked, -32601, "")),
    }
}

fn refused_without_id(id: &str) -> Vec<Step> {
    let said = r#""error":{"code":-32600,"message":"Bad Request"}"#;
    let body = format!(r#"{{"jsonrpc":"2.0","id":{id},{said}}}"#);
    response(400, JSON, &body)
}

fn discovered(asked: &Asked, versions: &str) -> Vec<Step> {
    let info = r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"odd","version":"2"}}"#;
    let members = format!(r#"{{"resultType":"complete","supportedVersions":[{versions}],{info}}}"#);
    json(&result(asked, &members))
}
