//! A lockfile to hold tests against, and ways to change and seal it again.
#![allow(
    dead_code,
    clippy::expect_used,
    reason = "each test file uses its part"
)]

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signer as _, SigningKey};
use lockgate::json;
use lockgate::lock::{Approval, Digest, HeaderPins, Listing, Lockfile, ServerUrl};
use lockgate::trust::{KeyState, PublicKey, Role, Scheme, TrustedKey};
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
    listing_with(tools, "Ask first.")
}

/// Likewise, with these instructions.
pub(crate) fn listing_with(tools: &Value, instructions: &str) -> Listing {
    let text = serde_json::json!({"tools": tools, "instructions": instructions}).to_string();
    Listing::parse(text.as_bytes()).expect("a test's own listing")
}

/// The texts of lockfile and companion for a listing.
pub(crate) fn approve(listing: &Listing) -> (String, String) {
    let url = "https://mcp.example.com/mcp";
    approve_at(url, listing, "2026-10-07T10:45:00Z")
}

/// Likewise, of that server and at that time.
pub(crate) fn approve_at(url: &str, listing: &Listing, at: &str) -> (String, String) {
    let approval = Approval {
        url: &ServerUrl::parse(url).expect("a test's own URL"),
        listing,
        headers: HeaderPins::default(),
        approved_at: at.parse().expect("a test's own time"),
        scan: None,
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

/// A key of a test's own; never use it for anything else.
pub(crate) fn signer(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

/// The public half of [`signer`].
pub(crate) fn public(seed: u8) -> PublicKey {
    PublicKey::of_bytes(signer(seed).verifying_key().as_bytes()).expect("a test's own key")
}

/// An approver's key in use that has no end.
pub(crate) fn trusted(name: &str, seed: u8) -> TrustedKey {
    TrustedKey {
        name: name.to_owned(),
        role: Role::Approver,
        key: public(seed),
        scheme: Scheme::Dsse,
        state: KeyState::Active,
        not_after: None,
    }
}

/// A signature's entry in `signatures`.
pub(crate) fn entry(seed: u8, message: &[u8]) -> Value {
    let signature = BASE64_STANDARD.encode(signer(seed).sign(message).to_bytes());
    serde_json::json!({"key_id": public(seed).id().to_string(), "signature": signature})
}

/// The lockfile with the signatures of these keys: the first one in `signature`.
pub(crate) fn signed(lockfile: &str, seeds: &[u8]) -> String {
    let sealed = Lockfile::parse(lockfile.as_bytes()).expect("a test's own lockfile");
    let message = Scheme::Dsse.message(sealed.sealed());
    let mut document: Value = serde_json::from_str(lockfile).expect("a test's own lockfile");
    if let Some((first, more)) = seeds.split_first() {
        document["signature"] = entry(*first, &message)["signature"].clone();
        document["signatures"] = more.iter().map(|seed| entry(*seed, &message)).collect();
    }
    json::print(&document)
}
