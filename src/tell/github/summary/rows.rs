//! Checks → the table: server, lockfile, verdict, +/−/~, approved by and when, what moved.

use super::detail::marked;
use super::head::short;
use super::page::{Page, Taken};
use crate::change::day;
use crate::check::{
    Bearing, Change, Checked, Comparison, FieldChange, Outcome, Renamed, TextChange, Verdict,
};
use crate::lock::{Lockfile, Tool};
use crate::message::Message;
use crate::tell::excerpt::{clipped, field_excerpt, short_stretches, text_excerpt};
use crate::tell::order::kind;
use crate::tell::way_out::{counts, next_step};
use crate::tell::words::stretches;
use crate::trust::{Ledger, Moment};
use crate::untrusted::{Untrusted, in_html_code};

/// Most characters of a name in a cell: what is longer says so.
const LONGEST: usize = 160;
/// So many rows show words: the others have them in the detail.
const WITH_WORDS: usize = 100;
const HEAD: &str = "<table>\n<tr><th>verdict</th><th>server and lockfile</th><th nowrap>+ − ~</th><th>approved</th><th>what moved, or why</th></tr>\n";
const FOOT: &str = "</table>\n\n";

/// A table of these checks; how many rows found no room.
pub(super) fn table(checked: &[&Checked], ledger: &Ledger, page: &mut Page) -> usize {
    let mut rows = Page::of(page.room().saturating_sub(HEAD.len() + FOOT.len()));
    let each = checked.iter().enumerate();
    let left_out = rows.take_each(each.map(|(index, one)| row(one, ledger, index)));
    let taken = page.take(&format!("{HEAD}{}{FOOT}", rows.text()));
    debug_assert!(taken == Taken::Whole, "the rows fit in what was left");
    left_out
}

fn row(one: &Checked, ledger: &Ledger, index: usize) -> String {
    let server = match one.url() {
        Some(url) => format!("{}<br>", name(&url.untrusted())),
        None => String::new(),
    };
    let difference = match &one.outcome {
        Outcome::Compared(comparison) if comparison.verdict() == Verdict::Changed => {
            counts(comparison)
        }
        Outcome::Compared(_) | Outcome::Unlisted(_) => String::new(),
    };
    let told = match (&one.outcome, index < WITH_WORDS) {
        (_, true) => what_moved(one),
        (Outcome::Compared(_), false) => String::new(),
        (Outcome::Unlisted(unlisted), false) => unlisted.reason.name().to_owned(),
    };
    let approved = one
        .lockfile
        .as_ref()
        .map(|lockfile| approved(lockfile, ledger));
    format!(
        "<tr><td>{}</td><td>{server}{}</td><td nowrap>{difference}</td><td nowrap>{}</td><td>{told}</td></tr>\n",
        verdict(one),
        name(&one.path),
        approved.unwrap_or_default()
    )
}

fn verdict(one: &Checked) -> String {
    let mark = match one.verdict() {
        Verdict::Unchanged => "✅",
        Verdict::Changed => "❌",
        Verdict::Unreachable => match kind(one) {
            "refused" => "❌",
            "not asked" => "➖",
            _ => "❓",
        },
    };
    let aside = match (one.verdict(), one.bearing) {
        (Verdict::Unchanged, _) | (_, Bearing::Decides) => "",
        (Verdict::Changed | Verdict::Unreachable, Bearing::Told) => "<br>does not fail this run",
    };
    let told = match kind(one) {
        "need credentials" => "needs credentials",
        kind => kind,
    };
    format!("{mark} <b>{told}</b>{aside}")
}

/// Who approved it, as far as the trust file knows, and the day.
fn approved(lockfile: &Lockfile, ledger: &Ledger) -> String {
    let day = day(lockfile.approved_at());
    let approvals = ledger.approvals(lockfile, Moment::Approval);
    let names = approvals.approvers.keys();
    let names: Vec<String> = names.map(|by| name(&Untrusted::new(by.as_str()))).collect();
    match names.is_empty() {
        true => format!("{day}<br>by nobody known"),
        false => format!("{day}<br>by {}", names.join(", ")),
    }
}

/// A name from outside, as code.
pub(super) fn name(text: &Untrusted) -> String {
    in_html_code(clipped(text, LONGEST)).to_string()
}

fn what_moved(one: &Checked) -> String {
    match &one.outcome {
        Outcome::Compared(comparison) => moved(comparison),
        Outcome::Unlisted(unlisted) => {
            let why = Message::new(format!("{}: ", unlisted.reason)).then(unlisted.message());
            let next = next_step(one).map(|step| format!("<br>{}", short(&step)));
            short(&why) + &next.unwrap_or_default()
        }
    }
}

/// The first words that moved, and how many differences there are beside them.
pub(super) fn moved(comparison: &Comparison) -> String {
    let Comparison {
        added,
        removed,
        modified,
        renamed,
        instructions,
        ..
    } = comparison;
    let of_tool = modified.iter().find_map(|tool| {
        let change = tool.changes.first()?;
        Some(format!("~ {} {}", name(&tool.name), field(change)))
    });
    let told = of_tool
        .or_else(|| {
            Some(format!(
                "~ server instructions: {}",
                text(instructions.as_ref()?)
            ))
        })
        .or_else(|| renamed.first().map(another_name))
        .or_else(|| added.first().map(new))
        .or_else(|| {
            removed
                .first()
                .map(|tool| format!("− {}", name(&tool.name)))
        })
        .or_else(|| {
            modified
                .first()
                .map(|tool| format!("~ {}", name(&tool.name)))
        });
    let all = added.len() + removed.len() + modified.len() + usize::from(instructions.is_some());
    let all = all - renamed.len();
    match (told, all.saturating_sub(1)) {
        (None, _) => String::new(),
        (Some(told), 0) => told,
        (Some(told), more) => format!("{told}<br>and {more} more"),
    }
}

fn another_name(pair: &Renamed) -> String {
    let names = (name(&pair.from), name(&pair.to));
    format!("~ {} → {} (likely a rename)", names.0, names.1)
}

fn new(tool: &Tool) -> String {
    let document = tool.members();
    let text = document.root.member("description");
    let text = text
        .and_then(crate::json::Value::as_str)
        .map(Untrusted::new);
    let text = text.map(|text| format!(": <ins>{}</ins>", name(&text)));
    format!("+ {}{}", name(tool.name()), text.unwrap_or_default())
}

fn field(change: &FieldChange) -> String {
    match &change.change {
        Change::Text(moved) => format!("{}: {}", change.field.name(), text(moved)),
        Change::Value(_) => short(&field_excerpt(change)),
    }
}

fn text(change: &TextChange) -> String {
    match (&change.approved, &change.current) {
        (Some(approved), Some(_)) => {
            marked(&short_stretches(&stretches(approved, &change.moved, 0)))
        }
        _ => short(&text_excerpt(change)),
    }
}
