//! Lockfiles and companions that must not be used, each with the one problem it has.
#![expect(clippy::panic, reason = "a helper of tests")]

mod common;

use common::{approve, listing, resealed, tools};
use lockgate::Lockfile;
use lockgate::check::explain;
use lockgate::json::Reason;
use lockgate::lock::Problem;
use serde_json::{Value, json};

fn fault(text: &str) -> Problem {
    match Lockfile::parse(text.as_bytes()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(fault) => {
            let (sentence, way_out) = explain(&fault);
            assert!(
                !sentence.in_terminal().to_string().is_empty()
                    && !way_out.in_terminal().to_string().is_empty()
            );
            fault.problem
        }
    }
}

fn changed(change: impl FnOnce(&mut Value)) -> Problem {
    fault(&resealed(&approve(&listing(&tools())).0, change))
}

fn shape(change: impl FnOnce(&mut Value)) -> String {
    let problem = changed(change);
    let Problem::Shape { pointer, .. } = problem else {
        panic!("{problem:?}");
    };
    pointer
}

#[test]
fn what_was_written_is_read_back() {
    let (text, _) = approve(&listing(&tools()));
    let lockfile = Lockfile::parse(text.as_bytes()).unwrap();
    assert_eq!(lockfile.tools().len(), 3);
    assert_eq!(lockfile.tools_sha256(), listing(&tools()).tools_sha256());
    assert_eq!(lockfile.tools()[1].line, 18);
    assert!(text.ends_with("}\n"));
    let order = [
        "\"kind\"",
        "\"v\"",
        "\"server\"",
        "\"approved_at\": \"2026-10-07T10:45:00.000Z\"",
        "\"tools_sha256\"",
        "\"count\"",
        "\"tools\"",
        "\"descriptions\"",
        "\"scan_at_approval\": null",
        "\"extended\"",
        "\"sha256\"",
        "\"signature\": null",
    ];
    let places: Vec<usize> = order
        .iter()
        .map(|member| {
            text.find(&format!("\n  {member}"))
                .unwrap_or_else(|| panic!("{member}"))
        })
        .collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn layout_and_signature_are_outside_the_seal() {
    let (text, _) = approve(&listing(&tools()));
    let compact = serde_json::from_str::<Value>(&text).unwrap().to_string();
    let signature = format!("\"signature\":\"{}==\",\"signatures\":[]", "A".repeat(86));
    let signed = compact.replace("\"signature\":null", &signature);
    let seal = |text: &str| Lockfile::parse(text.as_bytes()).unwrap().seal();
    assert_eq!(seal(&text), seal(&compact));
    assert_eq!(seal(&text), seal(&signed));
}

#[test]
fn rows() {
    let (text, _) = approve(&listing(&tools()));
    assert!(matches!(fault(""), Problem::Json(error) if error.reason == Reason::Syntax));
    assert!(
        matches!(fault("<<<<<<< HEAD"), Problem::Json(error) if error.reason == Reason::Syntax)
    );
    assert!(
        matches!(fault(&text[..text.len() / 2]), Problem::Json(error) if error.reason == Reason::Syntax)
    );
    assert!(
        matches!(fault(&text.replacen("\"v\": 1", "\"v\": 1, \"\\u0076\": 1", 1)), Problem::Json(error) if error.reason == Reason::DuplicateKey)
    );
    assert_eq!(fault("[]"), Problem::NotAnObject("an array"));
    assert_eq!(fault("{}"), Problem::Kind(None));
    assert_eq!(
        fault(&text.replacen("crawlcheck-mcp-lock", "other", 1)),
        Problem::Kind(Some("other".into()))
    );
    assert_eq!(
        fault(&text.replacen("\"v\": 1", "\"v\": 2", 1)),
        Problem::Version
    );
    assert_eq!(
        fault(&text.replacen("\"v\": 1", "\"v\": 1.0", 1)),
        Problem::Version
    );
    assert_eq!(
        fault(&text.replacen("in the team", "in the teams", 1)),
        Problem::Seal
    );
    assert_eq!(changed(|d| d["count"] = json!(2)), Problem::Count);
    assert_eq!(changed(|d| d["count"] = json!(-3)), Problem::Count);
    assert_eq!(
        changed(|d| d["tools_sha256"] = json!("0".repeat(64))),
        Problem::ToolsSha256
    );
    assert_eq!(
        changed(|d| d["tools"][0]["sha256"] = json!("0".repeat(64))),
        Problem::ToolsSha256
    );
    assert_eq!(
        changed(|d| d["descriptions"]["x"] = json!("y")),
        Problem::UnknownDescription("x".into())
    );
    assert_eq!(
        changed(|d| d["extended"]["tools"][0]["name"] = json!("x")),
        Problem::ExtendedTools
    );
    assert_eq!(
        changed(|d| d["extended"]["resources"] = json!([])),
        Problem::UnknownPin("resources".into())
    );
    assert!(matches!(
        changed(|d| d["server"]["url"] = json!("https://EXAMPLE.com/")),
        Problem::Url(..)
    ));
    let short = compact_signature(&text, "AAAA");
    assert!(matches!(fault(&short), Problem::Shape { pointer, .. } if pointer == "/signature"));
    let gone = |d: &mut Value| drop(d.as_object_mut().unwrap().remove("count"));
    assert_eq!(changed(gone), Problem::Missing("/count".to_owned()));
    let twice = |d: &mut Value| {
        d["tools"][1]["name"] = d["tools"][0]["name"].clone();
        d["descriptions"] = json!({});
        d["extended"]["tools"][1]["name"] = d["tools"][0]["name"].clone();
    };
    assert_eq!(
        changed(twice),
        Problem::DuplicateName("create_issue".into())
    );
}

fn compact_signature(text: &str, signature: &str) -> String {
    text.replace(
        "\"signature\": null",
        &format!("\"signature\": \"{signature}\""),
    )
}

#[test]
fn shapes() {
    assert_eq!(shape(|d| d["server"] = json!("x")), "/server");
    assert_eq!(shape(|d| d["server"]["url"] = json!(1)), "/server/url");
    assert_eq!(shape(|d| d["tools"] = json!({})), "/tools");
    assert_eq!(
        shape(|d| d["tools"][2]["sha256"] = json!("ABC")),
        "/tools/2/sha256"
    );
    assert_eq!(shape(|d| d["tools"][2] = json!(1)), "/tools");
    assert_eq!(
        shape(|d| d["descriptions"]["create_issue"] = json!(null)),
        "/descriptions/create_issue"
    );
    assert_eq!(
        shape(|d| d["approved_at"] = json!("2026-10-07T10:45:00+02:00")),
        "/approved_at"
    );
    assert_eq!(
        shape(|d| d["approved_at"] = json!("yesterday")),
        "/approved_at"
    );
    assert_eq!(shape(|d| d["extended"] = json!(null)), "/extended");
    assert_eq!(
        shape(|d| d["extended"]["headers"] = json!({"X-A": "1"})),
        "/extended/headers"
    );
    assert_eq!(
        shape(|d| d["extended"]["instructions_sha256"] = json!("")),
        "/extended/instructions_sha256"
    );
}

#[test]
fn members_that_v1_does_not_know_stay_in_the_seal() {
    let (text, _) = approve(&listing(&tools()));
    let more = resealed(&text, |d| d["comment"] = json!({"by": "alice"}));
    assert!(Lockfile::parse(more.as_bytes()).is_ok());
    assert_eq!(fault(&more.replacen("alice", "mallory", 1)), Problem::Seal);
}

#[test]
fn no_flipped_bit_leaves_another_lockfile() {
    let (text, _) = approve(&listing(&tools()));
    let seal = Lockfile::parse(text.as_bytes()).unwrap().seal();
    let mut accepted = 0;
    for at in 0..text.len() {
        for bit in [0, 1, 5] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            if let Ok(lockfile) = Lockfile::parse(&bytes) {
                assert_eq!(lockfile.seal(), seal, "byte {at} bit {bit}");
                accepted += 1;
            }
        }
    }
    // White space between tokens, and the name of the empty `signature`.
    assert!(accepted < 200, "{accepted}");
}

#[test]
fn a_companion_that_is_not_what_is_pinned_is_refused() {
    let (text, companion) = approve(&listing(&tools()));
    let refused = |companion: &str| {
        let lockfile = Lockfile::parse(text.as_bytes()).unwrap();
        lockfile
            .with_companion(companion.as_bytes())
            .map(drop)
            .map_err(|fault| fault.problem)
    };
    assert_eq!(refused(&companion), Ok(()));
    let tool = Err(Problem::NotTheApprovedTool("create_issue".into()));
    assert_eq!(
        refused(&companion.replacen("in the team", "in a team", 1)),
        tool
    );
    assert_eq!(
        refused(&companion.replacen("\"title\": \"Create an issue\"", "\"title\": \"x\"", 1)),
        tool
    );
    assert_eq!(
        refused(&companion.replacen("Ask first.", "Ask last.", 1)),
        Err(Problem::NotTheApprovedInstructions)
    );
    assert_eq!(
        refused(&companion.replacen("get_issue", "got_issue", 1)),
        Err(Problem::NotTheApprovedTool("got_issue".into()))
    );
    let mut short: serde_json::Value = serde_json::from_str(&companion).unwrap();
    short["tools"].as_array_mut().unwrap().remove(1);
    assert_eq!(
        refused(&short.to_string()),
        Err(Problem::LacksApprovedTool("get_issue".into()))
    );
    assert_eq!(refused("{}"), Err(Problem::Kind(None)));
}

#[test]
fn what_no_digest_covers_is_dropped_from_a_companion() {
    let (text, companion) = approve(&listing(&tools()));
    let v1_only = resealed(&text, |d| {
        drop(d.as_object_mut().unwrap().remove("extended"))
    });
    let lockfile = Lockfile::parse(v1_only.as_bytes()).unwrap();
    let lockfile = lockfile.with_companion(companion.as_bytes()).unwrap();
    let tool = lockfile
        .companion()
        .unwrap()
        .tool(&"create_issue".into())
        .unwrap();
    assert!(
        tool.canonical()
            .ends_with(r#""outputSchema":null,"title":null}"#),
        "{}",
        tool.canonical()
    );
    assert_eq!(lockfile.companion().unwrap().instructions(), None);
}
