//! What the answer to `tools/list` says, plainly framed.

use super::Asked;
use super::step::{Step, error, json, response, result};

/// One tool, of name `a`.
pub(crate) const A: &str =
    r#"{"tools":[{"name":"a","description":"héllo 世界","inputSchema":{"type":"object"}}]}"#;

/// Many tools.
pub(crate) fn many(count: usize, filler: usize) -> String {
    let filler = "x".repeat(filler);
    let tool = |n| format!(r#"{{"name":"t{n:05}","description":"{filler}"}}"#);
    let tools: Vec<_> = (0..count).map(tool).collect();
    format!(r#"{{"tools":[{}]}}"#, tools.join(","))
}

/// Answers as the name says; a plain listing if it says nothing.
pub(crate) fn respond(asked: &Asked) -> Vec<Step> {
    if asked.name().starts_with("cursor") {
        return json(&result(asked, &page(asked)));
    }
    if let Some(steps) = lost(asked) {
        return steps;
    }
    match asked.name() {
        "rpc-error" => json(&error(asked, -32603, "")),
        "both" => json(&format!(
            r#"{{"id":{},"result":{A},"error":{{}}}}"#,
            asked.id
        )),
        "envelope-twin" => json(&format!(
            r#"{{"id":{},"result":{A},"Result":{{}}}}"#,
            asked.id
        )),
        "neither" => json(&format!(r#"{{"id":{}}}"#, asked.id)),
        "many" => json(&result(asked, &many(10_001, 0))),
        "large" => json(&result(asked, &many(3_000, 900))),
        name => json(&result(asked, &said(name))),
    }
}

fn said(name: &str) -> String {
    let tool = |members: &str| format!(r#"{{"tools":[{{"name":"a",{members}}}]}}"#);
    match name {
        "duplicate-key" => tool(r#""description":"good","descriptio\u006e":"evil""#),
        "duplicate-name" => r#"{"tools":[{"name":"a"},{"name":"\u0061"}]}"#.into(),
        "lone-surrogate" => tool(r#""description":"\ud800""#),
        "depth" => tool(&format!(r#""x":{}{}"#, "[".repeat(300), "]".repeat(300))),
        "number" => tool(r#""inputSchema":{"maximum":1e400}"#),
        "case-variant" => tool(r#""Description":"x""#),
        "tools-null" => r#"{"tools":null}"#.into(),
        "tools-twin" => r#"{"tools":[],"Tools":[{"name":"a"}]}"#.into(),
        "name-long" => {
            let name = "x".repeat(1 << 20);
            format!(r#"{{"tools":[{{"name":"{name}"}},{{"name":"{name}"}}]}}"#)
        }
        "tools-absent" => "{}".into(),
        "tools-none" => r#"{"tools":[]}"#.into(),
        "tool-number" => r#"{"tools":[1]}"#.into(),
        "tool-nameless" => r#"{"tools":[{"description":"x"}]}"#.into(),
        "result-null" => "null".into(),
        "syntax" => r#"{"tools":[}"#.into(),
        "x-mcp-header" => {
            tool(r#""inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":""}}}"#)
        }
        _ => A.into(),
    }
}

fn page(asked: &Asked) -> String {
    let page = |next: &str| A.replacen(']', &format!("],\"nextCursor\":{next}"), 1);
    let last = A.replace(r#""a""#, r#""b""#);
    let cursor = asked.cursor.as_deref();
    match (asked.name(), cursor) {
        ("cursor-one", None) => page("\"1\""),
        ("cursor-null", _) => page("null"),
        ("cursor-number", _) => page("2"),
        ("cursor-repeats", _) => page("\"same\""),
        ("cursor-cycle", Some("1")) => page("\"2\""),
        ("cursor-cycle", _) => page("\"1\""),
        ("cursor-grows", _) => page(&format!("\"{}\"", asked.nth)),
        ("cursor-empty-once", None) | ("cursor-empty-always", _) => page("\"\""),
        ("cursor-long", _) => page(&format!("\"{}\"", "x".repeat(9 << 10))),
        _ => last,
    }
}

/// Sessions that are lost: at once or at the second page, once or always, in both statuses.
fn lost(asked: &Asked) -> Option<Vec<Step>> {
    let refused = |status| Some(response(status, "", &error(asked, -32001, "")));
    let new_session = asked.header("mcp-session-id") != Some("s1");
    match asked.name() {
        "lost-once" if !new_session => refused(404),
        "lost-once-400" if !new_session => refused(400),
        "lost-always" => refused(404),
        "lost-at-page-2" if !new_session && asked.cursor.is_some() => refused(404),
        "lost-at-page-2" => {
            let letter = if new_session { "new" } else { "old" };
            let place = if asked.cursor.is_some() { 2 } else { 1 };
            let next = if asked.cursor.is_some() {
                "null"
            } else {
                "\"2\""
            };
            let tools = format!(r#"[{{"name":"{letter}{place}"}}]"#);
            let page = format!(r#"{{"tools":{tools},"nextCursor":{next}}}"#);
            Some(json(&result(asked, &page)))
        }
        _ => None,
    }
}
