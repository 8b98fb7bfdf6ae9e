//! What a change approves, for the job summary: the words that moved, who signed.
//!
//! Obeys design §8.

use super::detail::{described, gone, item, new, parts, text_change, titled};
use super::page::Page;
use super::rows::{moved, name};
use crate::tell::approval::{
    BY_NOBODY, Difference, PinChange, Signed, counted_so, signed_by, worst_first,
};
use crate::tell::counted;
use crate::tell::github::Run;
use crate::trust::{Approvals, Ledger};

/// Most bytes of the section.
const MOST: usize = 250 * 1024;
/// What the head of one takes with the first words that moved.
const HEAD: usize = 768;
/// So many are open, and the words of so long a difference.
const OPEN: usize = 3;
const OPEN_BYTES: usize = 6 * 1024;

/// The section; empty where the change approves nothing.
pub(super) fn approves(run: &Run<'_>, ledger: &Ledger) -> String {
    if run.approves.is_empty() {
        return String::new();
    }
    let mut page = Page::of(MOST);
    let mut left_out = 0;
    for (index, one) in worst_first(run, ledger).into_iter().enumerate() {
        // Each of those to come keeps room for its head and its first words.
        let to_come = run.approves.len() - index;
        let share = Page::of(page.room().saturating_sub(HEAD * to_come)).share(to_come);
        left_out += page.take_each([block(run, &one, index, share)]);
    }
    let left_out = match left_out {
        0 => String::new(),
        many => format!(
            "<p>{} found no room here</p>\n\n",
            counted(many, "lockfile")
        ),
    };
    format!(
        "<h3>What merging this approves</h3>\n\n{}{left_out}",
        page.text()
    )
}

fn block(run: &Run<'_>, (one, approvals): &Signed<'_>, index: usize, room: usize) -> String {
    let head = format!(
        "{} {}<br>{}",
        name(&one.after.server().url.untrusted()),
        name(&one.path),
        signed(run, approvals)
    );
    let difference = Difference::of(one);
    let mut body = Page::of(room);
    let left_out = body.take_each(all(&difference));
    let body = body.text();
    let rest = match left_out {
        0 => String::new(),
        many => format!(
            "<br><b>{} found no room here: read all of it with <code>lockgate sign</code> or <code>lockgate diff</code></b>",
            counted(many, "difference")
        ),
    };
    let told = told(&difference);
    let is_short = left_out == 0 && index < OPEN && body.len() <= OPEN_BYTES;
    if is_short || (body.is_empty() && left_out == 0) {
        return format!("<p>{head}<br>{told}</p>\n{body}\n");
    }
    let first = first(&difference);
    match body.is_empty() {
        true => format!("<p>{head}<br>{told} {first}{rest}</p>\n\n"),
        false => format!(
            "<p>{head}<br>{told} {first}{rest}</p>\n<details>\n<summary>more of it</summary>\n{body}</details>\n\n"
        ),
    }
}

/// `signed by alice (key ends 2027-12-01) (1 approval, 2 due)`.
fn signed(run: &Run<'_>, approvals: &Approvals) -> String {
    let by = signed_by(approvals).map(|by| by.in_html());
    let by = by.unwrap_or_else(|| format!("<b>{BY_NOBODY}</b>"));
    by + &counted_so(run, approvals)
}

/// Each difference whole.
fn all(difference: &Difference) -> Vec<String> {
    match difference {
        Difference::New(comparison) | Difference::Changed(comparison) => {
            parts(comparison).collect()
        }
        Difference::Pins(changes) => changes.iter().map(pin).collect(),
    }
}

fn told(difference: &Difference) -> String {
    match difference.told() {
        (lead, told) if lead.is_empty() => told,
        (lead, told) => format!("<b>{lead}</b>{told}"),
    }
}

/// The first words, where the rest is folded.
fn first(difference: &Difference) -> String {
    match difference {
        Difference::New(comparison) | Difference::Changed(comparison) => {
            format!("<br>{}", moved(comparison))
        }
        Difference::Pins(_) => String::new(),
    }
}

fn pin(change: &PinChange) -> String {
    match change {
        PinChange::New(name, text) => described(&new(name), text.as_ref()),
        PinChange::Gone(name, text) => gone(name, text.as_ref()),
        PinChange::Changed(name, change) if change.approved == change.current => {
            titled(&format!("~ {}", name.in_html_code()), "")
        }
        PinChange::Changed(name, change) => titled(
            &format!("~ {}", name.in_html_code()),
            &item(&format!("description: {}", text_change(change))),
        ),
    }
}
