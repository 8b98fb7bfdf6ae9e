//! Whatever a server says, what we print holds nothing that cannot be seen or is obeyed.
#![expect(clippy::expect_used, reason = "a test's own data")]

mod common;

use common::{approve, approved, listing};
use lockgate::check::{Checked, Mode, Outcome, Report};
use lockgate::visible::is_unseen;
use lockgate::{Lockfile, compare, tell};
use proptest::prelude::*;
use serde_json::json;

/// Text made of what deceives: controls, bidi, zero width, tags, marks of ours, commands.
fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("word "),
        Just("\n"),
        Just("\r"),
        Just("\t"),
        Just("\u{1b}[2J"),
        Just("\u{7}"),
        Just("\u{85}"),
        Just("\u{200b}"),
        Just("\u{202e}"),
        Just("\u{2066}"),
        Just("\u{2028}"),
        Just("\u{a0}"),
        Just("\u{3164}"),
        Just("\u{e0069}\u{e0067}"),
        Just("\u{e0001}"),
        Just("\u{fe0f}"),
        Just("\u{fff9}"),
        Just("\u{e000}"),
        Just("⟨U+0041⟩"),
        Just("[-"),
        Just("-]"),
        Just("{+"),
        Just("+}"),
        Just("::error::"),
        Just("##[group]"),
        Just("#"),
        Just(":"),
        Just("["),
        Just("✓ unchanged"),
        Just("é世界😀"),
        Just("\"}"),
        Just("\\"),
        Just("`"),
        Just("<img src=x>"),
    ];
    proptest::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

fn report(
    approved_texts: &[String; 4],
    current_texts: &[String; 4],
    companion: Companion,
) -> Report {
    let tools = |[a, b, c, d]: &[String; 4]| {
        let same = "all but some of these words are the very same on either side";
        json!([{"name": "tool", "title": a, "description": b,
            "inputSchema": {"properties": {c: {"description": d, "default": a, "type": [b]}, "e": {"enum": [c, d]}}, "required": [d]},
            "annotations": {"title": d, "readOnlyHint": a.is_empty()}},
            {"name": format!("x{d}"), "description": format!("{same} {b}")}])
    };
    let lockfile = match companion {
        Companion::Committed => approved(&listing(&tools(approved_texts))),
        Companion::Gone => {
            let (text, _) = approve(&listing(&tools(approved_texts)));
            Lockfile::parse(text.as_bytes()).expect("what was written can be read")
        }
    };
    let current = listing(&tools(current_texts)).with_instructions(Some(&current_texts[0]));
    let outcome = Outcome::Compared(compare(&lockfile, &current));
    let path = format!("p{}.json", current_texts[1]).as_str().into();
    let checked = vec![Checked {
        path,
        lockfile: Some(lockfile),
        outcome,
        bearing: lockgate::check::Bearing::Decides,
        scan: None,
    }];
    let checked_at = "2026-10-07T10:45:00Z".parse().expect("a time");
    Report {
        checked_at,
        trigger: lockgate::check::Trigger::Local,
        base: None,
        commit: None,
        mode: Mode::Online,
        signatures: lockgate::check::SignatureCheck::NotChecked,
        approvals: None,
        checked,
        findings: Vec::new(),
        shard: None,
    }
}

/// Is the companion listing at hand?
#[derive(Debug, Clone, Copy)]
enum Companion {
    Committed,
    Gone,
}

/// Does the workflow runner read a line as a command?
fn is_obeyed(line: &str) -> bool {
    line.trim_start().starts_with("::") || line.contains("##[")
}

proptest! {
    #[test]
    fn nothing_unseen_and_nothing_obeyed(approved in [hostile(), hostile(), hostile(), hostile()], current in [hostile(), hostile(), hostile(), hostile()], companion in prop_oneof![Just(Companion::Committed), Just(Companion::Gone)]) {
        let report = report(&approved, &current, companion);
        let text = anstream::adapter::strip_str(&tell::report(&report)).to_string();
        let document = report.document().expect("a report");
        let lines = anstream::adapter::strip_str(&tell::lines(&approved.concat(), &current.concat())).to_string();
        let tools = json!([{"name": current[0], "title": current[1], "description": current[2], "annotations": {"title": current[3]}}]);
        let whole = listing(&tools).with_instructions(Some(&current[3]));
        let whole = anstream::adapter::strip_str(&tell::listing(&whole)).to_string();
        for line in lines.lines().chain(whole.lines()) {
            prop_assert!(!line.chars().any(is_unseen) && !is_obeyed(line), "{line:?}");
            prop_assert!(line.is_empty() || line.starts_with("  "), "{line:?}");
        }
        let Outcome::Compared(comparison) = &report.checked[0].outcome else { unreachable!("it was compared") };
        // The one mark of ours that holds what cannot be seen.
        let page = tell::comparison_in_html(comparison).replace("⚠\u{fe0f}", "⚠");
        prop_assert!(!page.contains("<img") && !page.contains("\n\n"));
        for told in [&text, &document, &page] {
            for line in told.lines() {
                prop_assert!(!line.chars().any(is_unseen), "{line:?}");
                prop_assert!(!is_obeyed(line), "{line:?}");
            }
        }
        // A row of ours starts at the margin; no text from outside gets there.
        let rows = text.lines().filter(|line| line.starts_with(['✓', '✗', '?'])).count();
        prop_assert_eq!(rows, 1);
        let read = lockgate::json::read(document.as_bytes()).expect("JSON");
        prop_assert!(read.root.member("answers").is_some());
    }
}
