//! `docs/scan.md` says of each rule what the rule says of itself.
#![expect(clippy::disallowed_methods, reason = "reads the project's own files")]

use std::path::Path;

use lockgate::scan::{Kind, RULE_SET, ScanRule};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scan.md");
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn the_page_has_every_rule_as_it_is_and_no_other() {
    let page = page();
    let section = page
        .split("\n## ")
        .find(|part| part.starts_with("All rules"));
    let lines = section.unwrap_or_default().lines();
    let rows = lines.filter(|line| line.starts_with("| `"));
    let told: Vec<&str> = rows.collect();
    let expected: Vec<String> = ScanRule::ALL.iter().map(|rule| row(*rule)).collect();
    assert_eq!(told, expected, "\n{}", expected.join("\n"));
}

fn row(rule: ScanRule) -> String {
    let (id, kind, at_most) = (rule.id(), rule.kind().name(), rule.severity().name());
    // A bar ends a cell, in code too.
    let says = rule.says().replace('|', "\\|");
    format!("| `{id}` | {kind} | {at_most} | {says} |")
}

#[test]
fn the_page_names_the_rule_set_and_every_kind() {
    let page = page();
    assert!(page.contains(&format!("rule set {RULE_SET}")));
    let missing = Kind::ALL.iter().filter(|kind| !page.contains(kind.name()));
    assert_eq!(missing.count(), 0);
    for heading in ["## Suppressing a finding", "## When the rules change"] {
        assert!(page.lines().any(|line| line == heading), "{heading}");
    }
}
