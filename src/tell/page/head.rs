//! [`Run`] → the first screen: decision, counts, whether anything was stopped, what is next.

use askama::Template;

use super::sentence;

use crate::check::{Decision, Level, Mode, Report};
use crate::lock::spelled;
use crate::message::Message;
use crate::tell::counted;
use crate::tell::github::Run;
use crate::tell::headline::{parts, stopped};
use crate::tell::order::steps;
use crate::tell::report::{of_shard, signatures};
use crate::untrusted::html::{Html, code, shown};

/// So many next steps are open.
const STEPS: usize = 4;
/// Most characters of a step: what is longer says so, and stands whole below.
const LONGEST_STEP: usize = 600;

#[derive(Template)]
#[template(path = "head.html", config = "src/tell/page/askama.toml")]
struct Head {
    class: Html,
    decision: Html,
    lockfiles: Html,
    chips: Vec<Chip>,
    lead: Html,
    told: Html,
    steps: Vec<Html>,
    more_steps: Vec<Html>,
    more: Html,
    jumps: Vec<Jump>,
    facts: Vec<Fact>,
}

/// A count, in its colour and with its mark.
struct Chip {
    class: Html,
    told: Html,
}

struct Jump {
    to: Html,
    told: Html,
}

struct Fact {
    name: Html,
    told: Html,
}

/// What a browser calls the page.
pub(super) fn title(run: &Run<'_>) -> String {
    let lockfiles = counted(run.report.checked.len(), "MCP lockfile");
    format!("lockgate: {} · {lockfiles}", decision(run.report))
}

/// The head of the page.
pub(super) fn head(run: &Run<'_>, moved: usize) -> askama::Result<Html> {
    let report = run.report;
    let stopped = stopped(run);
    let mut steps: Vec<Html> = steps(report)
        .iter()
        .map(|step| sentence(step, LONGEST_STEP))
        .collect();
    let more_steps = steps.split_off(STEPS.min(steps.len()));
    let chip = |(told, kind): (String, &str)| Chip {
        class: shown(class_of(kind)),
        told: shown(told),
    };
    let head = Head {
        class: shown(class(run)),
        decision: shown(decision(report)),
        lockfiles: shown(of_shard(
            report,
            counted(report.checked.len(), "MCP lockfile"),
        )),
        chips: parts(report).into_iter().map(chip).collect(),
        lead: shown(stopped.lead),
        told: stopped.told.in_page(),
        more: shown(counted(more_steps.len(), "more step")),
        steps,
        more_steps,
        jumps: jumps(run, moved),
        facts: facts(report),
    };
    crate::untrusted::html::rendered(&head)
}

fn decision(report: &Report) -> &'static str {
    match report.mode {
        Mode::Online => report.decision().name(),
        Mode::Offline => "verified offline",
    }
}

fn class(run: &Run<'_>) -> &'static str {
    match (run.report.passes(run.fail_on), run.report.decision()) {
        (_, Decision::Connect) => "good",
        (true, Decision::Block) => "warn",
        (false, Decision::Block) => "bad",
    }
}

/// The colour and mark of what can come of a check.
pub(super) fn class_of(kind: &str) -> &'static str {
    match kind {
        "unchanged" => "good",
        "changed" | "refused" | "error" => "bad",
        "not asked" => "calm",
        _ => "warn",
    }
}

/// The parts of the page, as far as they are there.
fn jumps(run: &Run<'_>, moved: usize) -> Vec<Jump> {
    let report = run.report;
    let of_level = |level| report.findings.iter().filter(move |one| one.level == level);
    let weighty = of_level(Level::Error).count() + of_level(Level::Warning).count();
    let scanned = super::scans::found(report).len();
    let all = [
        ("findings", weighty, counted(weighty, "finding")),
        (
            "approves",
            run.approves.len(),
            "what merging this approves".to_owned(),
        ),
        (
            "servers",
            report.checked.len(),
            counted(report.checked.len(), "lockfile"),
        ),
        (
            "moved",
            moved,
            format!("what moved in {}", counted(moved, "server")),
        ),
        (
            "scans",
            scanned,
            format!("what the scan found in {}", counted(scanned, "server")),
        ),
    ];
    let is_there = all.into_iter().filter(|(_, count, _)| *count > 0);
    let jump = |(to, _, told): (&str, usize, String)| Jump {
        to: shown(to),
        told: shown(told),
    };
    is_there.map(jump).collect()
}

/// Of which run the page is.
fn facts(report: &Report) -> Vec<Fact> {
    let fact = |name: &str, told: Html| Fact {
        name: shown(name),
        told,
    };
    let commit = |name: &str, id: Option<&str>| id.map(|id| fact(name, code(id)));
    let signatures = signatures(report);
    let signatures = signatures.trim().trim_start_matches("signatures: ");
    let facts = [
        Some(fact("checked at", shown(spelled(report.checked_at)))),
        Some(fact("started by", shown(report.trigger.name()))),
        commit("commit", report.commit.as_deref()),
        commit("compared with", report.base.as_deref()),
        Some(fact("signatures", Message::new(signatures).in_page())),
    ];
    facts.into_iter().flatten().collect()
}
