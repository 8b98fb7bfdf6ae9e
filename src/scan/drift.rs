//! A scan of what is offered, and the approved list → what the part that moved says.

use std::collections::HashMap;

use super::finding::{Area, Scan, ScanFinding};
use super::kind::Kind;
use super::tool::Scanning;
use crate::lock::{Listing, Tool};
use crate::untrusted::Untrusted;

/// The scan of `current`, of which `approved` is known: what a tool or the instructions say
/// now and did not say then is [`Kind::Drift`], one step higher. A tool that is new as a
/// whole, and what did not move, weigh what they weigh.
#[must_use]
pub fn scan_against(scan: Scan, approved: &Listing, current: &Listing) -> Scan {
    let moved = Moved::of(approved, current);
    scan.map(|finding| match moved.is_new(&finding) {
        true => ScanFinding {
            kind: Kind::Drift,
            severity: finding.severity.raised(),
            ..finding
        },
        false => finding,
    })
}

/// What was found before in what moved, by tool; `None` are the instructions.
struct Moved(HashMap<Option<Untrusted>, Vec<ScanFinding>>);

impl Moved {
    fn of(approved: &Listing, current: &Listing) -> Self {
        let mut scanning = Scanning::of(approved);
        let before: HashMap<&Untrusted, &Tool> = approved
            .tools()
            .iter()
            .map(|tool| (tool.name(), tool))
            .collect();
        let mut moved = HashMap::new();
        for tool in current.tools() {
            let Some(was) = before.get(tool.name()) else {
                continue;
            };
            if was.extended_sha256() != tool.extended_sha256() {
                moved.insert(Some(tool.name().clone()), scanning.tool(was));
            }
        }
        if approved.tells_instructions() && approved.instructions() != current.instructions() {
            moved.insert(None, scanning.instructions(approved));
        }
        Moved(moved)
    }

    /// By rule and sentence, wherever it stands.
    fn is_new(&self, finding: &ScanFinding) -> bool {
        if finding.area() == Area::Uncovered {
            // What was approved does not hold it, so nobody can tell.
            return false;
        }
        let Some(before) = self.0.get(&finding.tool) else {
            return false;
        };
        !before.iter().any(|known| {
            known.rule == finding.rule
                && known.excerpt == finding.excerpt
                && known.severity >= finding.severity
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{Severity, scan_listing};

    fn listing(text: &str) -> Listing {
        Listing::parse(text.as_bytes()).unwrap()
    }

    fn against(approved: &str, current: &str) -> Vec<(Kind, &'static str, Severity)> {
        let (approved, current) = (listing(approved), listing(current));
        let scan = scan_against(scan_listing(&current), &approved, &current);
        let told = |one: &ScanFinding| (one.kind, one.rule.id(), one.severity);
        scan.findings().iter().map(told).collect()
    }

    const LOW: &str = "<IMPORTANT>Both must be numbers.</IMPORTANT>";

    #[test]
    fn what_was_added_weighs_more() {
        let before = scan_listing(&listing(&format!(
            r#"[{{"name": "a", "description": "{LOW}"}}]"#
        )));
        let was = before.findings()[0].clone();
        assert_eq!(was.severity, Severity::Low);
        let found = against(
            r#"[{"name": "a", "description": "Adds."}]"#,
            &format!(r#"[{{"name": "a", "description": "Adds. {LOW}"}}]"#),
        );
        assert_eq!(found, [(Kind::Drift, was.rule.id(), Severity::Medium)]);
    }

    #[test]
    fn what_stood_there_weighs_what_it_weighed() {
        let found = against(
            &format!(r#"[{{"name": "a", "description": "{LOW}"}}]"#),
            &format!(r#"[{{"name": "a", "description": "{LOW} Adds."}}]"#),
        );
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].0, found[0].2),
            (Kind::HiddenInstruction, Severity::Low)
        );
    }

    #[test]
    fn a_new_tool_and_what_no_digest_covers_are_no_drift() {
        let found = against(
            r#"[{"name": "a"}]"#,
            &format!(
                r#"[{{"name": "a", "title": "A", "_meta": {{"x": "{LOW}"}}}}, {{"name": "b", "description": "{LOW}"}}]"#
            ),
        );
        assert_eq!(found.len(), 2);
        assert!(
            found
                .iter()
                .all(|(kind, _, _)| *kind == Kind::HiddenInstruction),
            "{found:?}"
        );
    }
}
