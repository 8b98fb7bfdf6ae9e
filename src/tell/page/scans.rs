//! What the scan found → a section: by server, the worst first, each sentence whole.
//!
//! That nothing was found is never worded as safe: the rules know what they know.

use askama::Template;

use super::name;
use super::room::Room;
use crate::check::{Checked, Report};
use crate::message::Message;
use crate::scan::{Scan, ScanFinding, Severity};
use crate::tell::counted;
use crate::untrusted::Untrusted;
use crate::untrusted::html::{Html, code, joined, rendered, shown};

#[derive(Template)]
#[template(path = "scans.html", config = "src/tell/page/askama.toml")]
struct Scans {
    servers: Vec<Html>,
}

/// What was found in the texts of one server.
#[derive(Template)]
#[template(path = "scan.html", config = "src/tell/page/askama.toml")]
struct Block {
    class: Html,
    title: Html,
    told: Html,
    findings: Vec<Item>,
    omitted: Option<Html>,
    left_out: Option<Html>,
}

struct Item {
    class: Html,
    severity: Html,
    rule: Html,
    place: Html,
    excerpt: Html,
    says: Html,
}

/// The servers in whose texts something was found, the worst first.
pub(super) fn found(report: &Report) -> Vec<(&Checked, &Scan)> {
    let scan = |one: &'_ Checked| -> Option<Severity> {
        let severity = one.scan.as_deref()?.severity();
        (severity != Severity::None).then_some(severity)
    };
    let mut found: Vec<(&Checked, &Scan)> = report
        .checked
        .iter()
        .filter(|one| scan(one).is_some())
        .filter_map(|one| Some((one, one.scan.as_deref()?)))
        .collect();
    found.sort_by_key(|(_, scan)| std::cmp::Reverse(scan.severity()));
    found
}

/// The section; empty where nothing was found.
pub(super) fn scans(report: &Report, room: &mut Room) -> askama::Result<Html> {
    let found = found(report);
    let mut servers = Vec::new();
    for (index, (one, scan)) in found.iter().enumerate() {
        let whole = rendered(&block(one, scan))?;
        servers.push(match room.takes(&whole, found.len() - index) {
            true => whole,
            false => rendered(&Block {
                findings: Vec::new(),
                left_out: Some(
                    Message::new(
                        "they found no room on this page: the JSON report (`--report`) has them",
                    )
                    .in_page(),
                ),
                ..block(one, scan)
            })?,
        });
    }
    rendered(&Scans { servers })
}

fn block(one: &Checked, scan: &Scan) -> Block {
    let all = scan.findings().len() + scan.omitted();
    let title = one.url().map(|url| name(&url.untrusted()));
    let omitted = (scan.omitted() > 0).then(|| {
        let more = counted(scan.omitted(), "more finding");
        shown(format!("and {more}, counted above and not kept"))
    });
    Block {
        class: shown(class(scan.severity())),
        title: joined([
            title.unwrap_or_else(|| shown("")),
            shown(" "),
            name(&one.path),
        ]),
        told: shown(format!(
            "{}, the worst {}",
            counted(all, "finding"),
            scan.severity().name()
        )),
        findings: scan.findings().iter().map(item).collect(),
        omitted,
        left_out: None,
    }
}

fn item(finding: &ScanFinding) -> Item {
    let tool = |tool: &Untrusted| joined([shown("tool "), name(tool), shown(" at ")]);
    let tool = finding.tool.as_ref().map(tool);
    Item {
        class: shown(class(finding.severity)),
        severity: shown(finding.severity.name()),
        rule: code(finding.rule.id()),
        place: joined([
            tool.unwrap_or_else(|| shown("the server at ")),
            name(&finding.pointer),
        ]),
        excerpt: finding.excerpt.in_page_lines(),
        says: shown(finding.rule.says()),
    }
}

fn class(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "bad",
        Severity::Medium => "warn",
        Severity::Low | Severity::None => "calm",
    }
}
