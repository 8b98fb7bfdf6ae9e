//! [`Report`] → SARIF 2.1.0: a result for each thing told at a line of a file.
//!
//! Obeys design §8 and the limits of code scanning (25,000 results, worst first). A
//! fingerprint holds no line and no text, so it stays the same while the fault does.

mod document;

use std::collections::BTreeMap;

use self::document::{
    ArtifactLocation, Driver, Invocation, Location, Log, Notification, PhysicalLocation, Region,
    ReportingConfiguration, ReportingDescriptor, Run, SarifResult, Text, Tool,
};
use super::excerpt::start_of;
use super::points::{Kind, Point, points};
use crate::check::{Level, Report, Rule, Verdict};
use crate::json;
use crate::lock::Digest;
use crate::untrusted::Untrusted;

/// Most results that code scanning takes.
const MOST: usize = 25_000;
/// Most characters of a result's message.
const LONGEST: usize = 2000;

/// The SARIF document, as JSON text.
pub fn sarif(report: &Report) -> String {
    let points = points(report);
    let kinds = kinds();
    let mut seen = BTreeMap::new();
    let results: Vec<SarifResult> = points
        .iter()
        .take(MOST)
        .map(|point| result(point, &kinds, &mut seen))
        .collect();
    let left_out = points.len() - results.len();
    json::print(&Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "lockgate",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: kinds.iter().map(|kind| rule(*kind)).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            invocations: [Invocation {
                execution_successful: true,
                tool_execution_notifications: notifications(left_out),
            }],
            results,
        }],
    })
}

/// Verdicts that block, then every rule, in the order of the documentation.
fn kinds() -> Vec<Kind> {
    let verdicts = [Verdict::Changed, Verdict::Unreachable].map(Kind::Verdict);
    let rules = Rule::ALL.iter().copied().map(Kind::Rule);
    verdicts.into_iter().chain(rules).collect()
}

fn rule(kind: Kind) -> ReportingDescriptor {
    let (level, sentence) = match kind {
        Kind::Rule(rule) => (rule.level(), rule.sentence()),
        Kind::Verdict(Verdict::Changed) => (
            Level::Error,
            "the server answered, and it is not what was approved",
        ),
        Kind::Verdict(Verdict::Unreachable | Verdict::Unchanged) => {
            (Level::Error, "the server gave no listing to compare")
        }
    };
    ReportingDescriptor {
        id: kind.id(),
        short_description: Text::new(sentence),
        default_configuration: ReportingConfiguration {
            level: level.name(),
        },
    }
}

fn result(point: &Point, kinds: &[Kind], seen: &mut BTreeMap<String, usize>) -> SarifResult {
    let text = start_of(&point.text(), LONGEST);
    SarifResult {
        rule_id: point.kind.id(),
        rule_index: kinds.iter().position(|kind| *kind == point.kind),
        level: point.level.name(),
        message: Text::new(without_links(&text)),
        locations: point
            .path
            .iter()
            .map(|path| location(path, point.line))
            .collect(),
        partial_fingerprints: BTreeMap::from([("lockgate/v1", fingerprint(point, seen))]),
    }
}

/// In a message of SARIF `[words](target)` is a link, and nobody's words may be one.
fn without_links(text: &str) -> String {
    text.replace("](", "]⟨U+0028⟩")
}

fn location(path: &Untrusted, line: Option<usize>) -> Location {
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation {
                uri: uri(path.as_arrived()),
                uri_base_id: "%SRCROOT%",
            },
            region: line.map(|line| Region { start_line: line }),
        },
    }
}

/// A relative reference: whatever a URI keeps for itself is escaped.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let escaped = |byte: u8| match byte {
        b'/' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.bytes().map(escaped).collect()
}

/// Kind, file and tool; the second of the same three says that it is one.
fn fingerprint(point: &Point, seen: &mut BTreeMap<String, usize>) -> String {
    let name = |text: &Option<Untrusted>| text.as_ref().map(|text| text.as_arrived().to_owned());
    let what = json::print_line(&(point.kind.id(), name(&point.path), name(&point.tool)));
    let nth = seen.entry(what.clone()).or_default();
    *nth += 1;
    Digest::of(format!("{what}{nth}")).to_string()
}

fn notifications(left_out: usize) -> Vec<Notification> {
    let told = |left_out: usize| Notification {
        level: "warning",
        message: Text::new(format!(
            "{left_out} more results are left out: the report has them"
        )),
    };
    (left_out > 0).then(|| told(left_out)).into_iter().collect()
}
