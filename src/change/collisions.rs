//! Lockfiles of several servers → tools that have one name, or are taken for each other.
//!
//! Obeys design §3 (name-collision): a model that sees two servers calls one of the two. Of
//! one server only the first lockfile tells it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::approved::is_approved;
use super::root::Root;
use super::suspicion::{because, way_out};
use super::weighing::{Standing, Weighing};
use crate::check::{Bearing, Checked, Finding, Level, Rule};
use crate::lock::{Identity, Lockfile};
use crate::message::Message;
use crate::scan::{Elsewhere, NamedTool, ScanFinding, taken_elsewhere};
use crate::trust::Moment;
use crate::untrusted::Untrusted;

/// Most names that one sentence tells.
const TOLD: usize = 5;

type Server<'a> = (&'a Checked, &'a Lockfile);

/// Tells the names, one finding for each server and standing.
pub(super) fn collisions(checked: &[Checked], root: &Root, now: Timestamp) -> Vec<Finding> {
    let mut first: BTreeMap<Identity, Server<'_>> = BTreeMap::new();
    let mut in_order: Vec<Server<'_>> = checked
        .iter()
        .filter_map(|one| Some((one, one.lockfile.as_ref()?)))
        .collect();
    in_order.sort_by_key(|(one, _)| &one.path);
    for one in in_order {
        first.entry(one.1.identity()).or_insert(one);
    }
    let mut servers: Vec<Server<'_>> = first.into_values().collect();
    servers.sort_by_key(|(one, _)| &one.path);
    if servers.len() < 2 {
        return Vec::new();
    }
    let named: Vec<Vec<NamedTool<'_>>> = servers.iter().map(names).collect();
    let found = taken_elsewhere(&named);
    let weighing = Weighing { root, now };
    let each = servers.iter().zip(&found);
    let due = each.filter(|((one, _), found)| one.bearing == Bearing::Decides && !found.is_empty());
    due.flat_map(|(server, found)| tell(*server, found, &servers, &weighing))
        .collect()
}

fn names<'a>((_, lockfile): &Server<'a>) -> Vec<NamedTool<'a>> {
    let tools = lockfile.tools().iter();
    tools.map(|tool| (&tool.name, tool.sha256)).collect()
}

fn tell(
    server: Server<'_>,
    found: &[Elsewhere],
    servers: &[Server<'_>],
    weighing: &Weighing<'_>,
) -> Vec<Finding> {
    let unless = match is_approved(server.1, weighing.root, Moment::Approval) {
        true => Standing::NewerRules,
        false => Standing::ByPolicy,
    };
    let mut alike: Vec<(Level, Standing<'_>, Vec<&Elsewhere>)> = Vec::new();
    for elsewhere in found {
        let finding = &elsewhere.finding;
        let standing = weighing.suppression(finding).unwrap_or(unless);
        let Some(level) = weighing.level(finding.severity, standing) else {
            continue;
        };
        let mut groups = alike.iter_mut();
        match groups.find(|(as_much, other, _)| (*as_much, *other) == (level, standing)) {
            Some((.., group)) => group.push(elsewhere),
            None => alike.push((level, standing, vec![elsewhere])),
        }
    }
    let told = alike.iter();
    told.filter_map(|(level, standing, group)| {
        let first = &group.first()?.finding;
        let message = sentence(group, servers).then(why(*standing));
        Some(finding(server, first, message, *standing).level(*level))
    })
    .collect()
}

fn finding(
    (one, lockfile): Server<'_>,
    first: &ScanFinding,
    message: Message,
    standing: Standing<'_>,
) -> Finding {
    let tool = first.tool.as_ref().and_then(|name| lockfile.tool(name));
    Finding::new(Rule::NameCollision, message)
        .hint(way_out(first, standing))
        .at(&one.path, tool.map(|tool| tool.line))
}

/// Who signed one server's list has not seen the other's.
fn why(standing: Standing<'_>) -> Message {
    match standing {
        Standing::Suppressed(_) | Standing::Ended(_) => because(standing),
        Standing::ByPolicy | Standing::Signed | Standing::NewerRules | Standing::LeftOut => {
            Message::default()
        }
    }
}

fn sentence(group: &[&Elsewhere], servers: &[Server<'_>]) -> Message {
    let mut message = Message::new(match group.len() {
        1 => "a tool has another server's name: ".to_owned(),
        many => format!("{many} tools have other servers' names: "),
    });
    for (index, one) in group.iter().take(TOLD).enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let nobody = Untrusted::default();
        message = message
            .ours(comma)
            .theirs(one.finding.tool.as_ref().unwrap_or(&nobody));
        if let Some((other, _)) = servers.get(one.other) {
            message = message.ours(" (also in ").theirs(&other.path).ours(")");
        }
    }
    match group.len().saturating_sub(TOLD) {
        0 => message,
        more => message.ours(format!(" and {more} more")),
    }
}
