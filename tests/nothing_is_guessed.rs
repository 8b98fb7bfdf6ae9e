//! One member of one tool changed at a time: blocks exactly when the spec page says so.
mod common;

use common::{approve, approved, listing, resealed, tools};
use lockgate::check::Comparison;
use lockgate::{Digest, Lockfile, Verdict, compare, tell};
use serde_json::{Value, json};

/// What a change must come to.
enum Due {
    /// Nothing differs.
    Same,
    /// A v1 reader sees it, in that member of the first tool.
    V1(&'static str),
    /// Only the extended pins see it, in that member.
    Extended(&'static str),
}
use Due::{Extended, Same, V1};

fn compared(change: impl FnOnce(&mut Value)) -> Comparison {
    let mut current = tools();
    change(&mut current);
    compare(&approved(&listing(&tools())), &listing(&current))
}

fn check(what: &str, due: Due, change: impl FnOnce(&mut Value)) {
    let comparison = compared(change);
    let told: Vec<(&str, Vec<&str>)> = comparison
        .modified
        .iter()
        .map(|tool| {
            (
                tool.name.as_arrived(),
                tool.changes
                    .iter()
                    .map(|change| change.field.name())
                    .collect(),
            )
        })
        .collect();
    let (expect, verdict, seen_by_v1) = match due {
        Same => (vec![], Verdict::Unchanged, false),
        V1(field) => (vec![("create_issue", vec![field])], Verdict::Changed, true),
        Extended(field) => (vec![("create_issue", vec![field])], Verdict::Changed, false),
    };
    assert_eq!(told, expect, "{what}");
    assert_eq!(comparison.verdict(), verdict, "{what}");
    assert_eq!(comparison.seen_by_v1(), seen_by_v1, "{what}");
    assert!(
        comparison.added.is_empty()
            && comparison.removed.is_empty()
            && comparison.instructions.is_none(),
        "{what}"
    );
}

#[test]
fn every_member_of_a_tool() {
    check("nothing", Same, |_| {});
    check("description", V1("description"), |t| {
        t[0]["description"] = json!("Create an issue in a team")
    });
    check("description to null", V1("description"), |t| {
        t[0]["description"] = json!(null)
    });
    check("description to number", V1("description"), |t| {
        t[0]["description"] = json!(1)
    });
    check("schema type", V1("inputSchema"), |t| {
        t[0]["inputSchema"]["type"] = json!("array")
    });
    check("schema property", V1("inputSchema"), |t| {
        t[0]["inputSchema"]["properties"]["title"]["maxLength"] = json!(81)
    });
    check("schema enum", V1("inputSchema"), |t| {
        t[0]["inputSchema"]["properties"]["labels"]["items"]["enum"][1] = json!("x")
    });
    check("schema enum order", V1("inputSchema"), |t| {
        t[0]["inputSchema"]["properties"]["labels"]["items"]["enum"] = json!(["idea", "bug"])
    });
    check("schema union", V1("inputSchema"), |t| {
        t[0]["inputSchema"]["properties"]["parent"]["properties"]["id"]["type"][1] = json!("number")
    });
    check("schema key", V1("inputSchema"), |t| {
        t[0]["inputSchema"]["properties"]["extra"] = json!({})
    });
    check("schema required", V1("inputSchema"), |t| {
        t[0]["inputSchema"]["required"] = json!([])
    });
    check("schema null to {}", V1("inputSchema"), |t| {
        t[0]["inputSchema"] = json!({})
    });
    check("schema gone", V1("inputSchema"), |t| {
        drop(t[0].as_object_mut().unwrap().remove("inputSchema"))
    });
    check("annotation", V1("annotations"), |t| {
        t[0]["annotations"]["readOnlyHint"] = json!(true)
    });
    check("annotation null", V1("annotations"), |t| {
        t[0]["annotations"]["readOnlyHint"] = json!(null)
    });
    check("annotation title", V1("annotations"), |t| {
        t[0]["annotations"]["title"] = json!("x")
    });
    check("annotation unknown", V1("annotations"), |t| {
        t[0]["annotations"]["x-vendor"] = json!(1)
    });
    check("annotations gone", V1("annotations"), |t| {
        drop(t[0].as_object_mut().unwrap().remove("annotations"))
    });
    check("title", Extended("title"), |t| {
        t[0]["title"] = json!("Create one issue")
    });
    check("title gone", Extended("title"), |t| {
        drop(t[0].as_object_mut().unwrap().remove("title"))
    });
    check("output schema", Extended("outputSchema"), |t| {
        t[0]["outputSchema"]["properties"]["id"]["type"] = json!("number")
    });
    check("_meta", Same, |t| t[0]["_meta"] = json!({"build": 8}));
    check("icons", Same, |t| t[0]["icons"] = json!([1]));
    check("execution", Same, |t| {
        drop(t[0].as_object_mut().unwrap().remove("execution"))
    });
    check("an unknown member", Same, |t| t[0]["x"] = json!("y"));
    check("order of tools", Same, |t| {
        t.as_array_mut().unwrap().reverse()
    });
}

#[test]
fn absent_is_null_and_nothing_else_is() {
    let row = |approved_member: &str, current_member: &str, verdict: Verdict| {
        let text = |member: &str| {
            format!(r#"{{"instructions": null, "tools": [{{"name": "a"{member}}}]}}"#)
        };
        let parse = |member: &str| lockgate::Listing::parse(text(member).as_bytes()).unwrap();
        let comparison = compare(&approved(&parse(approved_member)), &parse(current_member));
        assert_eq!(
            comparison.verdict(),
            verdict,
            "{approved_member} {current_member}"
        );
    };
    for member in [
        "description",
        "inputSchema",
        "annotations",
        "title",
        "outputSchema",
    ] {
        let with = |value: &str| format!(r#", "{member}": {value}"#);
        row("", &with("null"), Verdict::Unchanged);
        row(&with("null"), "", Verdict::Unchanged);
        for other in ["{}", "[]", "\"\"", "0", "false"] {
            row("", &with(other), Verdict::Changed);
            row(&with("null"), &with(other), Verdict::Changed);
        }
    }
    row(
        r#", "inputSchema": {"a": 1, "b": [1.0, "é"]}"#,
        r#", "inputSchema": {"b":[1,"\u00e9"],"a":1e0}"#,
        Verdict::Unchanged,
    );
}

#[test]
fn tools_that_come_go_and_change_their_name() {
    let comparison = compared(|t| t[1]["name"] = json!("got_issue"));
    assert_eq!(comparison.added[0].name().as_arrived(), "got_issue");
    assert_eq!(comparison.removed[0].name.as_arrived(), "get_issue");
    assert_eq!(comparison.verdict(), Verdict::Changed);
    let comparison = compared(|t| *t = json!([]));
    assert_eq!(comparison.removed.len(), 3);
    assert_eq!(comparison.verdict(), Verdict::Changed);
}

#[test]
fn instructions_block_where_they_are_pinned() {
    let lockfile = approved(&listing(&tools()));
    let now = listing(&tools()).with_instructions(Some("Ask last."));
    let comparison = compare(&lockfile, &now);
    assert_eq!(comparison.verdict(), Verdict::Changed);
    assert!(!comparison.seen_by_v1());
    let change = comparison.instructions.unwrap();
    assert_eq!(
        (
            change.moved[0].removed.as_arrived(),
            change.moved[0].added.as_arrived()
        ),
        ("first", "last")
    );
    assert_eq!(
        compare(&lockfile, &listing(&tools()).with_instructions(None)).verdict(),
        Verdict::Changed
    );
    let without = approved(&listing(&tools()).with_instructions(None));
    assert_eq!(
        compare(&without, &listing(&tools())).verdict(),
        Verdict::Changed
    );
}

#[test]
fn a_lockfile_of_v1_alone_sees_what_v1_sees() {
    let (text, _) = approve(&listing(&tools()));
    let v1_only = resealed(&text, |d| {
        drop(d.as_object_mut().unwrap().remove("extended"))
    });
    let lockfile = Lockfile::parse(v1_only.as_bytes()).unwrap();
    let verdict = |change: fn(&mut Value)| {
        let mut current = tools();
        change(&mut current);
        compare(&lockfile, &listing(&current)).verdict()
    };
    assert_eq!(verdict(|t| t[0]["title"] = json!("x")), Verdict::Unchanged);
    assert_eq!(
        verdict(|t| t[0]["outputSchema"] = json!({})),
        Verdict::Unchanged
    );
    assert_eq!(
        verdict(|t| t[0]["description"] = json!("x")),
        Verdict::Changed
    );
}

#[test]
fn without_a_companion_what_cannot_be_told_is_said() {
    let (text, _) = approve(&listing(&tools()));
    let lockfile = Lockfile::parse(text.as_bytes()).unwrap();
    let told = |change: fn(&mut Value)| {
        let mut current = tools();
        change(&mut current);
        let comparison = compare(&lockfile, &listing(&current));
        let names = |fields: Vec<lockgate::lock::Field>| {
            fields
                .into_iter()
                .map(|field| field.name())
                .collect::<Vec<_>>()
        };
        let tool = &comparison.modified[0];
        (
            names(tool.changes.iter().map(|change| change.field).collect()),
            names(tool.untold.clone()),
        )
    };
    assert_eq!(
        told(|t| t[0]["description"] = json!("x")),
        (vec!["description"], vec![]),
        "the digests say that nothing else moved"
    );
    assert_eq!(
        told(|t| t[0]["annotations"] = json!({})),
        (
            vec![],
            vec!["inputSchema", "annotations", "title", "outputSchema"]
        )
    );
    assert_eq!(
        told(|t| t[0]["title"] = json!("x")),
        (vec![], vec!["title", "outputSchema"])
    );
    // What was not there when it was approved is known, whatever it is now.
    assert_eq!(
        told(|t| {
            t[2]["outputSchema"] = json!({"type": "object"});
            t[2]["annotations"] = json!({"destructiveHint": true});
        }),
        (vec!["outputSchema", "annotations"], vec![])
    );
}

#[test]
fn without_a_companion_every_word_that_may_be_new_is_shown() {
    let (text, _) = approve(&listing(&tools()));
    let lockfile = Lockfile::parse(text.as_bytes()).unwrap();
    let shown = |change: fn(&mut Value)| {
        let mut current = tools();
        change(&mut current);
        tell::comparison(&compare(&lockfile, &listing(&current)))
    };
    let text = shown(|t| {
        t[0]["title"] = json!("FIRST");
        t[0]["description"] = json!("SECOND");
        t[0]["inputSchema"]["properties"]["title"]["description"] = json!("THIRD");
        t[0]["outputSchema"]["properties"]["id"]["description"] = json!("FOURTH");
        t[0]["annotations"]["title"] = json!("FIFTH");
        t[1]["name"] = json!("SIXTH");
        t[1]["description"] = json!("SEVENTH");
    });
    for word in [
        "FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn a_tool_that_another_program_hashed_otherwise_blocks_and_the_cause_is_named() {
    let schema = r#"{"properties":{"9":{"type":"string"},"10":{"type":"string"},"a":{}}}"#;
    let form = |annotations: &str, schema: &str| {
        Digest::of(format!(
            r#"{{"annotations":{annotations},"description":"d","inputSchema":{schema},"name":"a"}}"#
        ))
    };
    let canonical = r#"{"properties":{"10":{"type":"string"},"9":{"type":"string"},"a":{}}}"#;
    let (known, all) = (r#"{"title":"t"}"#, r#"{"title":"t","vendor":1}"#);
    let check = |digest: Digest, name: &str, untold: &[&str]| {
        let current = listing(&json!([{
            "name": "a", "description": "d",
            "inputSchema": serde_json::from_str::<Value>(schema).unwrap(),
            "annotations": {"title": "t", "vendor": 1},
        }]));
        let (text, _) = approve(&current);
        let text = resealed(&text, |d| {
            d.as_object_mut().unwrap().remove("extended");
            d["tools"][0]["sha256"] = json!(digest);
            d["tools_sha256"] = json!(lockgate::lock::tools_sha256([digest]));
        });
        let lockfile = Lockfile::parse(text.as_bytes()).unwrap();
        let comparison = compare(&lockfile, &current);
        assert_eq!(comparison.verdict(), Verdict::Changed, "{name}");
        let tool = &comparison.modified[0];
        assert_eq!(tool.deviation.map(|one| one.name()), Some(name));
        let told: Vec<&str> = tool.untold.iter().map(|field| field.name()).collect();
        assert_eq!(told, untold, "{name}");
        let text = tell::comparison(&comparison);
        assert!(text.contains("the likely cause"), "{text}");
        assert!(text.contains("It blocks all the same"), "{text}");
    };
    check(form(all, schema), "indices-first", &[]);
    check(
        form(known, canonical),
        "known-annotations-only",
        &["annotations"],
    );
    check(
        form(known, schema),
        "indices-first-and-known-annotations-only",
        &["annotations"],
    );
}
