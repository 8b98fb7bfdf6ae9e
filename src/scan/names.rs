//! Name collision: tools of one server, or of several, that are taken for each other.

use std::collections::{BTreeMap, HashMap};

use super::finding::ScanFinding;
use super::fold::folded;
use super::kind::Severity;
use super::rule::ScanRule;
use crate::lock::{Digest, Tool};
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
        tools.into_iter().map(move |tool| {
            let named = (tool.name(), tool.sha256());
            of(named, ScanRule::ConfusableName, severity)
        })
    });
    confused.collect()
}

/// A tool of a server: its name and its digest.
pub type NamedTool<'a> = (&'a Untrusted, Digest);

/// A name that another server's tool has, or one that is taken for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// What was found.
    pub finding: ScanFinding,
    /// The first other server that has it, by its place in what was given.
    pub other: usize,
}

/// Names that tools of more than one server have: what was found of each server, in the
/// order of the servers. Tools that are the same to a letter are no collision.
pub fn taken_elsewhere(servers: &[Vec<NamedTool<'_>>]) -> Vec<Vec<Elsewhere>> {
    let mut owners: HashMap<String, Vec<(usize, NamedTool<'_>)>> = HashMap::new();
    for (server, tools) in servers.iter().enumerate() {
        for tool in tools {
            let alike = owners.entry(folded(tool.0.as_arrived())).or_default();
            alike.push((server, *tool));
        }
    }
    let of_server = |(server, tools): (usize, &Vec<NamedTool<'_>>)| {
        let taken = |tool: &NamedTool<'_>| {
            let alike = owners.get(&folded(tool.0.as_arrived()))?;
            elsewhere(server, *tool, alike)
        };
        tools.iter().filter_map(taken).collect()
    };
    servers.iter().enumerate().map(of_server).collect()
}

fn elsewhere(
    server: usize,
    (name, sha256): NamedTool<'_>,
    alike: &[(usize, NamedTool<'_>)],
) -> Option<Elsewhere> {
    let others = || alike.iter().filter(|(other, _)| *other != server);
    let is_hidden = |other: &Untrusted| {
        other != name && !(other.as_arrived().is_ascii() && name.as_arrived().is_ascii())
    };
    let hidden = others().find(|(_, (other, _))| is_hidden(other));
    let same = || others().find(|(_, (other, digest))| *other == name && *digest != sha256);
    let (other, rule, severity) = match hidden {
        Some((other, _)) => (*other, ScanRule::ConfusableName, Severity::High),
        None => (same()?.0, ScanRule::SameName, Severity::Medium),
    };
    Some(Elsewhere {
        finding: of((name, sha256), rule, severity),
        other,
    })
}

fn of((name, sha256): NamedTool<'_>, rule: ScanRule, severity: Severity) -> ScanFinding {
    ScanFinding {
        tool: Some(name.clone()),
        pointer: "/name".into(),
        kind: rule.kind(),
        rule,
        severity,
        excerpt: name.clone(),
        sha256: Some(sha256),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(servers: &[&[(&str, &str)]]) -> Vec<Vec<(&'static str, usize)>> {
        let owned = |tools: &&[(&str, &str)]| -> Vec<(Untrusted, Digest)> {
            let tools = tools.iter();
            tools
                .map(|(name, text)| ((*name).into(), Digest::of(text)))
                .collect()
        };
        let owned: Vec<Vec<_>> = servers.iter().map(owned).collect();
        let named: Vec<Vec<NamedTool<'_>>> = owned
            .iter()
            .map(|tools| tools.iter().map(|(name, sha256)| (name, *sha256)).collect())
            .collect();
        let told = |found: Vec<Elsewhere>| {
            let found = found.into_iter();
            found
                .map(|one| (one.finding.rule.id(), one.other))
                .collect()
        };
        taken_elsewhere(&named).into_iter().map(told).collect()
    }

    #[test]
    fn one_name_of_two_servers() {
        let found = rules(&[&[("search", "a"), ("add", "x")], &[("search", "b")]]);
        assert_eq!(found, [vec![("same-name", 1)], vec![("same-name", 0)]]);
    }

    #[test]
    fn the_same_tool_of_two_servers_is_no_collision() {
        assert_eq!(rules(&[&[("search", "a")], &[("search", "a")]]), [[], []]);
    }

    #[test]
    fn a_name_that_is_taken_for_another_server_s() {
        let found = rules(&[&[("search", "a")], &[("s\u{435}arch", "b")]]);
        assert_eq!(found, [[("confusable-name", 1)], [("confusable-name", 0)]]);
    }
}
