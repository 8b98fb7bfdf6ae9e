//! A lockfile to hold tests against, and ways to change and seal it again.
#![allow(
    dead_code,
    clippy::expect_used,
    reason = "each test file uses its part"
)]

use lockgate::json;
use lockgate::lock::{Approval, Digest, HeaderPins, Listing, Lockfile, ServerUrl};
use serde_json::Value;

/// Three tools with every member that a digest covers, and some that none does.
pub(crate) fn tools() -> Value {
    serde_json::json!([
        {
            "name": "create_issue", "title": "Create an issue", "description": "Create an issue in the team",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "title": {"type": "string", "description": "One line", "maxLength": 80},
                    "labels": {"type": "array", "items": {"type": "string", "enum": ["bug", "idea"]}},
                    "parent": {"type": "object", "properties": {"id": {"type": ["string", "null"]}}}
                },
                "required": ["title"]
            },
            "outputSchema": {"type": "object", "properties": {"id": {"type": "string"}}},
            "annotations": {"readOnlyHint": false, "destructiveHint": false, "title": "Create"},
            "_meta": {"build": 7}, "icons": [], "execution": {"taskSupport": "forbidden"}
        },
        {"name": "get_issue", "description": "", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
        {"name": "list_issues", "inputSchema": {"type": "object", "properties": {}}}
    ])
}

/// A listing of `tools` from a server that gave instructions.
pub(crate) fn listing(tools: &Value) -> Listing {
    let text = serde_json::json!({"tools": tools, "instructions": "Ask first."}).to_string();
    Listing::parse(text.as_bytes()).expect("a test's own listing")
}

/// The texts of lockfile and companion for a listing.
pub(crate) fn approve(listing: &Listing) -> (String, String) {
    let url = ServerUrl::parse("https://mcp.example.com/mcp").expect("a test's own URL");
    let approved_at = "2026-10-07T10:45:00Z".parse().expect("a test's own time");
    let approval = Approval {
        url: &url,
        listing,
        headers: HeaderPins::default(),
        approved_at,
    };
    (
        approval.lockfile().expect("a test's own lockfile"),
        approval.companion(),
    )
}

/// The lockfile with its companion.
pub(crate) fn approved(listing: &Listing) -> Lockfile {
    let (lockfile, companion) = approve(listing);
    let lockfile = Lockfile::parse(lockfile.as_bytes()).expect("what was written can be read");
    lockfile
        .with_companion(companion.as_bytes())
        .expect("what was written can be read")
}

/// Changes a lockfile and seals it again, so that only the change is wrong.
pub(crate) fn resealed(lockfile: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut document: Value = serde_json::from_str(lockfile).expect("a test's own lockfile");
    change(&mut document);
    let mut sealed = document.clone();
    if let Some(members) = sealed.as_object_mut() {
        ["sha256", "signature", "signatures"]
            .iter()
            .for_each(|name| drop(members.remove(*name)));
    }
    document["sha256"] = Digest::of(json::canonical_of(&sealed).expect("JSON"))
        .to_string()
        .into();
    document.to_string()
}
