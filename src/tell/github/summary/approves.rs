//! What a change approves: base → head of each lockfile, the words that moved, who signed.
//!
//! Obeys design §8. The server is not asked here: the text is what the lockfile and its
//! companion listing say, and each companion is held against its lockfile's digests.

use super::detail::{described, gone, item, new, parts, text_change, titled};
use super::page::Page;
use super::rows::{moved, name};
use crate::change::day;
use crate::check::{Comparison, SignatureCheck, TextChange, Verdict, compare};
use crate::lock::{LockedTool, Lockfile};
use crate::tell::counted;
use crate::tell::github::{Approves, Run};
use crate::tell::way_out::counts;
use crate::trust::{Approvals, Ledger, Moment};
use crate::untrusted::Untrusted;

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

/// A lockfile, and who approved it.
type Signed<'a> = (&'a Approves, Approvals);

/// What too few have signed comes first.
fn worst_first<'a>(run: &Run<'a>, ledger: &Ledger) -> Vec<Signed<'a>> {
    let now = Moment::Now(run.report.checked_at);
    let signed = |one: &'a Approves| (one, ledger.approvals(&one.after, now));
    let mut sorted: Vec<Signed<'_>> = run.approves.iter().map(signed).collect();
    sorted.sort_by_key(|(_, approvals)| approvals.suffice(run.approvals));
    sorted
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
    let left_out = body.take_each(difference.parts());
    let body = body.text();
    let rest = match left_out {
        0 => String::new(),
        many => format!(
            "<br><b>{} found no room here: read all of it with <code>lockgate sign</code> or <code>lockgate diff</code></b>",
            counted(many, "difference")
        ),
    };
    let told = difference.told();
    let is_short = left_out == 0 && index < OPEN && body.len() <= OPEN_BYTES;
    if is_short || (body.is_empty() && left_out == 0) {
        return format!("<p>{head}<br>{told}</p>\n{body}\n");
    }
    let first = difference.first();
    match body.is_empty() {
        true => format!("<p>{head}<br>{told} {first}{rest}</p>\n\n"),
        false => format!(
            "<p>{head}<br>{told} {first}{rest}</p>\n<details>\n<summary>more of it</summary>\n{body}</details>\n\n"
        ),
    }
}

/// `signed by alice (key ends 2027-12-01): 1 of 2 approvals`.
fn signed(run: &Run<'_>, approvals: &Approvals) -> String {
    let by: Vec<String> = approvals
        .approvers
        .iter()
        .map(|(by, end)| {
            let end = end.map(|end| format!(" (key ends {})", day(end)));
            let by = name(&Untrusted::new(by.as_str()));
            format!("{by}{}", end.unwrap_or_default())
        })
        .collect();
    let by = match by.is_empty() {
        true => "<b>signed by nobody whom the base trusts</b>".to_owned(),
        false => format!("signed by {}", by.join(", ")),
    };
    let has = approvals.approvers.len();
    match run.report.signatures {
        SignatureCheck::Required => {
            let due = run.approvals.max(1);
            format!("{by} ({}, {due} due)", counted(has, "approval"))
        }
        SignatureCheck::Off | SignatureCheck::NotChecked => {
            format!("{by}; signatures are not checked")
        }
    }
}

/// How base and head differ, as far as the texts are at hand.
enum Difference {
    /// Nobody approved a list of this server before: all of it.
    New(Comparison),
    /// Both sides are there.
    Changed(Comparison),
    /// There is no companion listing: names and descriptions only.
    Pins(Vec<PinChange>),
}

/// A pinned tool that differs, as far as names and descriptions tell.
enum PinChange {
    New(Untrusted, Option<Untrusted>),
    Gone(Untrusted, Option<Untrusted>),
    Changed(Untrusted, TextChange),
}

impl Difference {
    fn of(one: &Approves) -> Self {
        match (&one.before, one.after.listing()) {
            (None, Some(listing)) => Difference::New(Comparison::with_nothing(&listing)),
            (Some(before), Some(listing)) => Difference::Changed(compare(before, &listing)),
            (before, None) => Difference::Pins(pins(before.as_ref(), &one.after)),
        }
    }

    fn parts(&self) -> Vec<String> {
        match self {
            Difference::New(comparison) | Difference::Changed(comparison) => {
                parts(comparison).collect()
            }
            Difference::Pins(changes) => changes.iter().map(PinChange::told).collect(),
        }
    }

    fn told(&self) -> String {
        match self {
            Difference::New(comparison) => format!(
                "<b>new:</b> nobody approved a list of this server before ({})",
                counted(comparison.added.len(), "tool")
            ),
            Difference::Changed(comparison) if comparison.verdict() == Verdict::Unchanged => {
                "nothing that a model reads differs from the base".to_owned()
            }
            Difference::Changed(comparison) => {
                format!("<b>{}</b> against the base", counts(comparison))
            }
            Difference::Pins(_) => {
                "<b>no companion listing is committed</b>: only names and descriptions can be shown, schemas and annotations cannot".to_owned()
            }
        }
    }

    /// The first words, where the rest is folded.
    fn first(&self) -> String {
        match self {
            Difference::New(comparison) | Difference::Changed(comparison) => {
                format!("<br>{}", moved(comparison))
            }
            Difference::Pins(_) => String::new(),
        }
    }
}

fn pins(before: Option<&Lockfile>, after: &Lockfile) -> Vec<PinChange> {
    let text = |lockfile: &Lockfile, tool: &LockedTool| lockfile.description(&tool.name).cloned();
    let came = after.tools().iter().filter_map(|tool| {
        let name = tool.name.clone();
        let current = text(after, tool);
        let was = before.and_then(|before| Some((before, before.tool(&tool.name)?)));
        let Some((before, was)) = was else {
            return Some(PinChange::New(name, current));
        };
        let same = (was.sha256, was.extended_sha256) == (tool.sha256, tool.extended_sha256);
        let change = || TextChange::between(text(before, was), current);
        (!same).then(|| PinChange::Changed(name, change()))
    });
    let went = before.into_iter().flat_map(|before| {
        let is_gone = |tool: &&LockedTool| after.tool(&tool.name).is_none();
        let gone = before.tools().iter().filter(is_gone);
        gone.map(|tool| PinChange::Gone(tool.name.clone(), text(before, tool)))
    });
    came.chain(went).collect()
}

impl PinChange {
    fn told(&self) -> String {
        match self {
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
}
