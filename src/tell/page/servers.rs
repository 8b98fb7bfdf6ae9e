//! Checks → the table: verdict, server, lockfile, what moved or why, approved by and when.

use askama::Template;

use super::head::class_of;
use super::moved::Moved;
use super::name;
use crate::change::day;
use crate::check::{Bearing, Checked, Comparison, Outcome, Verdict};
use crate::message::Message;
use crate::tell::counted;
use crate::tell::github::Run;
use crate::tell::order::{by_weight, kind};
use crate::tell::way_out::next_step;
use crate::trust::{Ledger, Moment};
use crate::untrusted::Untrusted;
use crate::untrusted::html::{Html, joined, rendered, shown};

/// More unchanged servers than that are folded where others block.
const FEW: usize = 5;
/// So many tools are named in a row.
const NAMED: usize = 3;

#[derive(Template)]
#[template(path = "servers.html", config = "src/tell/page/askama.toml")]
struct Servers {
    open: Vec<Row>,
    folded: Vec<Row>,
    folded_told: Html,
    servers_name: Html,
    is_empty: bool,
}

struct Row {
    class: Html,
    verdict: Html,
    aside: Option<Html>,
    url: Option<Html>,
    path: Html,
    jump: Option<Html>,
    counts: Option<Counts>,
    told: Option<Html>,
    way_out: Option<Html>,
    approved: Option<Html>,
    by: Option<Html>,
}

/// How many tools are new, gone and changed.
pub(super) struct Counts {
    pub(super) added: Html,
    pub(super) removed: Html,
    pub(super) modified: Html,
}

impl Counts {
    pub(super) fn of(comparison: &Comparison) -> Self {
        let modified = comparison.modified.len() + usize::from(comparison.instructions.is_some());
        Counts {
            added: shown(comparison.added.len()),
            removed: shown(comparison.removed.len()),
            modified: shown(modified),
        }
    }
}

/// The section of the servers.
pub(super) fn servers(run: &Run<'_>, ledger: &Ledger, moved: &Moved<'_>) -> askama::Result<Html> {
    let sorted = by_weight(&run.report.checked);
    let is_unchanged = |one: &&Checked| one.verdict() == Verdict::Unchanged;
    let (unchanged, blocked): (Vec<&Checked>, Vec<&Checked>) =
        sorted.iter().copied().partition(is_unchanged);
    let (open, folded) = match !blocked.is_empty() && unchanged.len() > FEW {
        true => (blocked, unchanged),
        false => (sorted, Vec::new()),
    };
    let rows = |checks: &[&Checked]| -> Vec<Row> {
        checks
            .iter()
            .map(|one| row(one, ledger, moved.place(one)))
            .collect()
    };
    rendered(&Servers {
        open: rows(&open),
        folded: rows(&folded),
        folded_told: shown(format!("{} unchanged", folded.len())),
        servers_name: shown("servers, the worst first"),
        is_empty: run.report.checked.is_empty(),
    })
}

fn row(one: &Checked, ledger: &Ledger, place: Option<usize>) -> Row {
    let verdict = match kind(one) {
        "need credentials" => "needs credentials",
        kind => kind,
    };
    let aside = match (one.verdict(), one.bearing) {
        (Verdict::Unchanged, _) | (_, Bearing::Decides) => None,
        (Verdict::Changed | Verdict::Unreachable, Bearing::Told) => Some("does not fail this run"),
    };
    let (counts, told, way_out) = match &one.outcome {
        Outcome::Compared(compared) if compared.verdict() == Verdict::Unchanged => {
            (None, None, None)
        }
        Outcome::Compared(compared) => (Some(Counts::of(compared)), Some(named(compared)), None),
        Outcome::Unlisted(unlisted) => {
            let why = Message::new(format!("{}: ", unlisted.reason)).then(unlisted.message());
            let way_out = next_step(one).map(|step| step.in_page());
            (None, Some(why.in_page()), way_out)
        }
    };
    let lockfile = one.lockfile.as_ref();
    Row {
        class: shown(class_of(kind(one))),
        verdict: shown(verdict),
        aside: aside.map(shown),
        url: one.url().map(|url| name(&url.untrusted())),
        path: name(&one.path),
        jump: place.map(shown),
        counts,
        told,
        way_out,
        approved: lockfile.map(|lockfile| shown(day(lockfile.approved_at()))),
        by: lockfile.map(|lockfile| approved_by(ledger, lockfile)),
    }
}

/// Who approved a lockfile, as far as the trust file knows.
pub(super) fn approved_by(ledger: &Ledger, lockfile: &crate::lock::Lockfile) -> Html {
    let approvals = ledger.approvals(lockfile, Moment::Approval);
    let names: Vec<Untrusted> = approvals
        .approvers
        .keys()
        .map(|by| Untrusted::new(by.as_str()))
        .collect();
    match names.is_empty() {
        true => shown("by nobody known"),
        false => list("by ", names.iter()),
    }
}

/// The first tools that moved, by name.
fn named(comparison: &Comparison) -> Html {
    let renamed = comparison.renamed.iter().map(|one| ("~ ", &one.to));
    let modified = comparison.modified.iter().map(|one| ("~ ", &one.name));
    let added = comparison.only_added().map(|tool| ("+ ", tool.name()));
    let removed = comparison.only_removed().map(|tool| ("− ", &tool.name));
    let all: Vec<(&str, &Untrusted)> = modified
        .chain(renamed)
        .chain(added)
        .chain(removed)
        .collect();
    let instructions = comparison.instructions.as_ref();
    let mut told: Vec<Html> = instructions
        .map(|_| shown("~ server instructions"))
        .into_iter()
        .collect();
    let first = all.iter().take(NAMED);
    told.extend(first.map(|(sign, tool)| joined([shown(sign), name(tool)])));
    let more = all.len().saturating_sub(NAMED);
    told.extend((more > 0).then(|| shown(format!("and {}", counted(more, "more tool")))));
    commas(told)
}

fn list<'a>(before: &str, names: impl Iterator<Item = &'a Untrusted>) -> Html {
    joined([shown(before), commas(names.map(name).collect())])
}

fn commas(told: Vec<Html>) -> Html {
    let comma = |(index, one): (usize, Html)| match index {
        0 => one,
        _ => joined([shown(", "), one]),
    };
    joined(told.into_iter().enumerate().map(comma))
}
