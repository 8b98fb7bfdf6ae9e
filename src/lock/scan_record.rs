//! `scan_at_approval`: what a scan said when somebody approved, as plain data.
//!
//! Obeys Lockfile v1 (Format) and design §2: `null` where no scan was made. Other makers
//! write their own kinds and rules there, so what is of another shape is read as no scan,
//! and never refuses a lockfile: it decides nothing that the pins do not hold.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Digest;
use crate::json::Value;
use crate::untrusted::Untrusted;

/// What a scan said, in the words of whoever made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScanRecord {
    /// The highest severity of its findings.
    pub severity: Untrusted,
    /// How many findings there are of each kind.
    pub kinds: BTreeMap<Untrusted, u64>,
    /// The findings.
    pub findings: Vec<RecordedFinding>,
    /// How many more there were than are kept.
    #[serde(skip_serializing_if = "is_zero")]
    pub omitted: u64,
    /// The version of the rules, where they are ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_set: Option<u64>,
}

/// One thing that was found in one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedFinding {
    /// The tool; `None` for the server's instructions and for a listing as a whole.
    pub tool: Option<Untrusted>,
    /// JSON Pointer into the tool, or `/instructions`.
    pub pointer: Untrusted,
    /// What it tries to do.
    pub kind: Untrusted,
    /// The rule that found it.
    pub rule: Untrusted,
    /// How much it weighs.
    pub severity: Untrusted,
    /// Where it was found, in the server's words.
    pub excerpt: Untrusted,
    /// The digest of what it was found in.
    pub sha256: Option<Digest>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl ScanRecord {
    /// Reads the member; `None` for `null` and for what is of another shape.
    pub(crate) fn read(value: &Value<'_>) -> Option<Self> {
        let kinds = value.member("kinds")?.as_object()?.iter();
        let kinds = kinds.map(|kind| Some((kind.name.as_str().into(), kind.value.as_u64()?)));
        let findings = value.member("findings")?.as_array()?.iter();
        Some(ScanRecord {
            severity: text(value, "severity")?,
            kinds: kinds.collect::<Option<_>>()?,
            findings: findings.map(finding).collect::<Option<_>>()?,
            omitted: count(value, "omitted")?.unwrap_or_default(),
            rule_set: count(value, "rule_set")?,
        })
    }
}

fn finding(finding: &Value<'_>) -> Option<RecordedFinding> {
    let sha256 = match maybe(finding, "sha256")? {
        Some(digest) => Some(digest.as_arrived().parse().ok()?),
        None => None,
    };
    Some(RecordedFinding {
        tool: maybe(finding, "tool")?,
        pointer: text(finding, "pointer")?,
        kind: text(finding, "kind")?,
        rule: text(finding, "rule")?,
        severity: text(finding, "severity")?,
        excerpt: text(finding, "excerpt")?,
        sha256,
    })
}

fn text(of: &Value<'_>, name: &str) -> Option<Untrusted> {
    of.member(name)?.as_str().map(Untrusted::new)
}

/// A text that may be absent or `null`; `None` if it is anything else.
fn maybe(of: &Value<'_>, name: &str) -> Option<Option<Untrusted>> {
    match of.member(name) {
        Some(value) if !value.is_null() => value.as_str().map(|text| Some(text.into())),
        Some(_) | None => Some(None),
    }
}

/// A number that may be absent; `None` if it is anything else.
fn count(of: &Value<'_>, name: &str) -> Option<Option<u64>> {
    match of.member(name) {
        Some(value) => value.as_u64().map(Some),
        None => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn read(text: &str) -> Option<ScanRecord> {
        ScanRecord::read(&json::read(text.as_bytes()).unwrap().root)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let record = ScanRecord {
            severity: "high".into(),
            kinds: BTreeMap::from([("secrecy".into(), 1)]),
            findings: vec![RecordedFinding {
                tool: Some("add".into()),
                pointer: "/description".into(),
                kind: "secrecy".into(),
                rule: "hide-from-user".into(),
                severity: "high".into(),
                excerpt: "\u{202e}".into(),
                sha256: Some(Digest::of("x")),
            }],
            omitted: 2,
            rule_set: Some(1),
        };
        assert_eq!(read(&json::print(&record)), Some(record));
    }

    #[test]
    fn what_others_write_is_no_scan_of_ours() {
        let page = r#"{"severity": "none", "kinds": {}, "findings": []}"#;
        assert_eq!(read(page).map(|record| record.rule_set), Some(None));
        for other in [
            "null",
            "[]",
            "{}",
            r#"{"severity": "none", "kinds": {}, "findings": ["x"]}"#,
            r#"{"severity": "none", "kinds": {"a": "b"}, "findings": []}"#,
            r#"{"severity": "none", "kinds": {}, "findings": [], "rule_set": "1"}"#,
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
