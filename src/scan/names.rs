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
    let mut alike: HashMap<String, Alike<'_>> = HashMap::new();
    let mut keys = Vec::new();
    for (server, tools) in servers.iter().enumerate() {
        for tool in tools {
            let key = folded(tool.0.as_arrived());
            alike.entry(key.clone()).or_default().add(server, *tool);
            keys.push(key);
        }
    }
    let mut keys = keys.iter();
    let mut of_server = |(server, tools): (usize, &Vec<NamedTool<'_>>)| {
        let each = tools.iter().zip(keys.by_ref());
        each.filter_map(|(tool, key)| alike.get(key)?.elsewhere(server, *tool))
            .collect()
    };
    servers.iter().enumerate().map(&mut of_server).collect()
}

/// The names that are taken for each other, each with its first two servers, which is
/// enough to find another one than any; in the order of the servers.
#[derive(Default)]
struct Alike<'a> {
    all: Vec<(usize, &'a Untrusted)>,
    /// Those that are not plain ASCII.
    strange: Vec<(usize, &'a Untrusted)>,
    tools: HashMap<&'a Untrusted, Spelled>,
}

/// The tools of one name.
#[derive(Default)]
struct Spelled {
    servers: usize,
    /// The first of them, and the first that is another tool.
    firsts: [Option<(usize, Digest)>; 2],
}

impl<'a> Alike<'a> {
    fn add(&mut self, server: usize, tool: NamedTool<'a>) {
        let (name, sha256) = tool;
        let spelled = self.tools.entry(name).or_default();
        spelled.servers += 1;
        if spelled.servers <= 2 {
            self.all.push((server, name));
        }
        if spelled.servers <= 2 && !name.as_arrived().is_ascii() {
            self.strange.push((server, name));
        }
        match &mut spelled.firsts {
            [first @ None, _] => *first = Some((server, sha256)),
            [Some((_, first)), other @ None] if *first != sha256 => *other = Some((server, sha256)),
            [Some(_), _] => {}
        }
    }

    /// Which other server has the name, or one that is taken for it. Of one server each
    /// name stands once, so that another digest is another server's.
    fn elsewhere(&self, server: usize, tool: NamedTool<'_>) -> Option<Elsewhere> {
        let (name, sha256) = tool;
        let lookalikes = match name.as_arrived().is_ascii() {
            true => &self.strange,
            false => &self.all,
        };
        let mut hidden = lookalikes
            .iter()
            .filter(|(other, spelled)| *other != server && *spelled != name);
        let same = self.tools.get(name);
        let (other, rule, severity) = match hidden.next() {
            Some((other, _)) => (*other, ScanRule::ConfusableName, Severity::High),
            None => {
                let mut firsts = same?.firsts.iter().flatten();
                let (other, _) = firsts.find(|(_, digest)| *digest != sha256)?;
                (*other, ScanRule::SameName, Severity::Medium)
            }
        };
        Some(Elsewhere {
            finding: of(tool, rule, severity),
            other,
        })
    }
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
