//! Our SARIF is SARIF: held against the schema, within code scanning's limits, stable.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test's own data"
)]

mod common;
#[path = "told/mod.rs"]
mod told;

use std::collections::BTreeSet;

use lockgate::check::{Finding, Report, Rule};
use lockgate::tell;
use lockgate::untrusted::Untrusted;
use serde_json::Value;
use told::{Told, fleet, ordinary, with_words};

fn document(report: &Report) -> Value {
    serde_json::from_str(&tell::sarif(report)).unwrap()
}

/// The document, held against the schema.
fn valid(report: &Report) -> Value {
    const SCHEMA: &str = "sarif.json";
    let schema = serde_json::from_str(include_str!("sarif/sarif-schema-2.1.0.json")).unwrap();
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.enable_format_assertions();
    compiler.add_resource(SCHEMA, schema).unwrap();
    let index = compiler.compile(SCHEMA, &mut schemas).unwrap();
    let document = document(report);
    let judged = schemas
        .validate(&document, index)
        .map_err(|error| format!("{error:#}"));
    assert_eq!(judged, Ok(()));
    let mut broken = document.clone();
    broken["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(
        schemas.validate(&broken, index).is_err(),
        "the schema judges nothing"
    );
    document
}

fn results(document: &Value) -> &Vec<Value> {
    document["runs"][0]["results"].as_array().unwrap()
}

#[test]
fn every_document_is_valid() {
    valid(&ordinary().report);
    valid(&fleet(40, 3).report);
    valid(&with_words(|text| format!("{text} [x](https://e.example)\u{202e}\n%{{0}} :?#é")).report);
}

#[test]
fn a_result_stands_on_the_line_of_the_tool() {
    let Told { report, .. } = ordinary();
    let document = valid(&report);
    let of = |rule: &str, path: &str| -> Vec<&Value> {
        let is_it = |one: &&Value| {
            let place = &one["locations"][0]["physicalLocation"];
            one["ruleId"] == rule && place["artifactLocation"]["uri"] == path
        };
        results(&document).iter().filter(is_it).collect()
    };
    let changed = of("changed", "linear.mcp-lock.json");
    let lockfile = report.checked.iter().find_map(|one| {
        (one.path.as_arrived() == "linear.mcp-lock.json").then_some(one.lockfile.as_ref())?
    });
    let lockfile = lockfile.unwrap();
    let lines: Vec<u64> = changed
        .iter()
        .map(|one| {
            one["locations"][0]["physicalLocation"]["region"]["startLine"]
                .as_u64()
                .unwrap()
        })
        .collect();
    let line = |name: &str| lockfile.tool(&Untrusted::new(name)).unwrap().line as u64;
    let instructions = lockfile.lines().instructions.unwrap() as u64;
    // modified, instructions, new behind `create_issue`, gone
    assert_eq!(
        lines,
        [
            line("create_issue"),
            instructions,
            line("create_issue"),
            line("list_issues")
        ]
    );
    assert_eq!(of("unreachable", "slow.mcp-lock.json").len(), 1);
    assert_eq!(of("lockfile-refused", "broken.mcp-lock.json").len(), 1);
    assert_eq!(
        of("unreachable", "broken.mcp-lock.json").len(),
        0,
        "a finding tells it"
    );
}

#[test]
fn rules_are_the_rules_and_every_result_names_one() {
    let document = valid(&ordinary().report);
    let rules = document["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap();
    let ids: Vec<&str> = rules
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    let expect: Vec<&str> = ["changed", "unreachable"]
        .into_iter()
        .chain(Rule::ALL.iter().map(|rule| rule.id()))
        .collect();
    assert_eq!(ids, expect);
    for one in results(&document) {
        let index = usize::try_from(one["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(one["ruleId"], ids[index]);
    }
}

#[test]
fn a_fingerprint_is_one_fault_s_and_stays() {
    let prints = |report: &Report| -> Vec<String> {
        let document = document(report);
        let print = |one: &Value| {
            one["partialFingerprints"]["lockgate/v1"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        results(&document).iter().map(print).collect()
    };
    let mut told = ordinary();
    // The same rule twice in one file.
    let twin = told.report.findings[1].clone();
    told.report.findings.push(twin);
    let first = prints(&told.report);
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), first.len());
    // Other lines, another time: the same faults.
    for finding in &mut told.report.findings {
        finding.line = finding.line.map(|line| line + 7);
    }
    told.report.checked_at = "2027-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(prints(&told.report), first);
}

#[test]
fn no_words_of_others_are_a_link() {
    let report = with_words(|text| format!("{text} [click](https://evil.example)")).report;
    let document = valid(&report);
    for one in results(&document) {
        let text = one["message"]["text"].as_str().unwrap();
        assert!(!text.contains("]("), "{text}");
    }
}

#[test]
fn code_scanning_takes_no_more_than_it_can() {
    let mut report = ordinary().report;
    let worst = results(&document(&report)).len();
    let path = Untrusted::new("a.json");
    report.findings.extend((1..30_000).map(|line| {
        Finding::new(Rule::UncoveredSurface, "text that no pin covers").at(&path, Some(line))
    }));
    let document = document(&report);
    assert_eq!(results(&document).len(), 25_000);
    let left_out = format!("{} more results are left out", worst + 29_999 - 25_000);
    let told = &document["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert!(
        told["message"]["text"]
            .as_str()
            .unwrap()
            .starts_with(&left_out),
        "{told}"
    );
    assert_eq!(
        results(&document)[0]["ruleId"],
        "changed",
        "the worst comes first"
    );
}
