//! Orders in ten languages are found; statements, mentions and defences are not.
#![expect(clippy::expect_used, reason = "a test's own data")]

use lockgate::Listing;
use lockgate::scan::{Scan, Severity, scan_listing};
use serde_json::json;

const ORDERS: &str = include_str!("scan/orders.tsv");
const STATEMENTS: &str = include_str!("scan/statements.tsv");

/// Scans a sentence: as a tool's description, or after `name: ` as that of a parameter.
fn scan(said: &str) -> Scan {
    let (parameter, description) = match said.split_once(" := ") {
        Some((name, said)) => (
            json!({name: {"type": "string", "description": said}}),
            String::new(),
        ),
        None => (json!({}), said.to_owned()),
    };
    let required: Vec<&String> = parameter
        .as_object()
        .into_iter()
        .flat_map(|object| object.keys())
        .collect();
    let schema = json!({"type": "object", "properties": parameter, "required": required});
    let tools = json!([
        {"name": "helper", "description": format!("Does what it says. {description}"), "inputSchema": schema},
        {"name": "list_items"}, {"name": "create_item"}, {"name": "create_item_v2"},
    ]);
    scan_listing(&Listing::parse(tools.to_string().as_bytes()).expect("a test's own listing"))
}

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

fn told(scan: &Scan) -> String {
    let findings = scan.findings().iter();
    let told = findings.map(|finding| format!("{} {}", finding.severity.name(), finding.rule.id()));
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn every_order_is_found_by_its_rule() {
    let mut missed = Vec::new();
    for row in rows(ORDERS) {
        let [rule, language, sentence] = row.as_slice() else {
            panic!("{row:?}")
        };
        let scan = scan(sentence);
        let is_found = scan
            .findings()
            .iter()
            .any(|finding| finding.rule.id() == *rule && finding.severity >= Severity::Medium);
        if !is_found {
            missed.push(format!("{language} {rule}: {sentence} ({})", told(&scan)));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn no_statement_is_taken_for_an_order() {
    let mut taken = Vec::new();
    for row in rows(STATEMENTS) {
        let [language, sentence] = row.as_slice() else {
            panic!("{row:?}")
        };
        let scan = scan(sentence);
        if scan.severity() >= Severity::Medium {
            taken.push(format!("{language} {sentence} ({})", told(&scan)));
        }
    }
    assert!(taken.is_empty(), "{taken:#?}");
}
