//! Name collision: tools of one server, or of several, that are taken for each other.

use std::collections::BTreeMap;

use super::finding::ScanFinding;
use super::fold::folded;
use super::kind::Severity;
use super::rule::ScanRule;
use crate::lock::Tool;
use crate::untrusted::Untrusted;

/// Two names of one server that look alike.
pub(super) fn within(tools: &[Tool]) -> Vec<ScanFinding> {
    let mut alike: BTreeMap<String, Vec<&Tool>> = BTreeMap::new();
    for tool in tools {
        alike
            .entry(folded(tool.name().as_arrived()))
            .or_default()
            .push(tool);
    }
    let groups = alike.into_values().filter(|tools| tools.len() > 1);
    let confused = groups.flat_map(|tools| {
        let severity = match tools.iter().all(|tool| tool.name().as_arrived().is_ascii()) {
            // `read_file` and `read-file`: careless, and seen.
            true => Severity::Low,
            false => Severity::High,
        };
        tools
            .into_iter()
            .map(move |tool| of(tool, ScanRule::ConfusableName, severity))
    });
    confused.collect()
}

/// Names that more than one of the listings has: the findings of each listing.
pub(super) fn across(listings: &[&[Tool]]) -> Vec<Vec<ScanFinding>> {
    let mut owners: BTreeMap<String, BTreeMap<&Untrusted, usize>> = BTreeMap::new();
    for tools in listings {
        for tool in *tools {
            let spelled = owners.entry(folded(tool.name().as_arrived())).or_default();
            *spelled.entry(tool.name()).or_insert(0) += 1;
        }
    }
    let collide = |tool: &Tool| {
        let spelled = owners.get(&folded(tool.name().as_arrived()))?;
        let own = spelled.get(tool.name()).copied().unwrap_or_default();
        let is_hidden =
            spelled.len() > 1 && spelled.keys().any(|name| !name.as_arrived().is_ascii());
        match (is_hidden, own > 1) {
            (true, _) => Some(of(tool, ScanRule::ConfusableName, Severity::High)),
            (false, true) => Some(of(tool, ScanRule::SameName, Severity::Medium)),
            (false, false) => None,
        }
    };
    listings
        .iter()
        .map(|tools| tools.iter().filter_map(collide).collect())
        .collect()
}

fn of(tool: &Tool, rule: ScanRule, severity: Severity) -> ScanFinding {
    ScanFinding {
        tool: Some(tool.name().clone()),
        pointer: "/name".into(),
        kind: rule.kind(),
        rule,
        severity,
        excerpt: tool.name().clone(),
        sha256: Some(tool.sha256()),
    }
}
