//! What a change approves: base → head of each lockfile, the words that moved, who signed.
//!
//! Obeys design §8. The server is not asked here: the text is what the lockfile and its
//! companion listing say, and each companion is held against its lockfile's digests.

use super::detail::parts;
use super::page::Page;
use super::rows::{day, moved, name};
use crate::check::{Comparison, FieldChange, SignatureCheck, Verdict, compare};
use crate::lock::{Field, LockedTool, Lockfile};
use crate::tell::counted;
use crate::tell::github::{Approves, Run};
use crate::tell::way_out::counts;
use crate::trust::{Moment, approvals};
use crate::untrusted::Untrusted;

/// Most bytes of the section.
const MOST: usize = 300 * 1024;
/// So many are open, and the words of so long a difference.
const OPEN: usize = 3;
const OPEN_BYTES: usize = 6 * 1024;

/// The section; empty where the change approves nothing.
pub(super) fn approves(run: &Run<'_>) -> String {
    if run.approves.is_empty() {
        return String::new();
    }
    let mut page = Page::of(MOST);
    let mut left_out = 0;
    for (index, one) in run.approves.iter().enumerate() {
        let share = page.room() / (run.approves.len() - index);
        left_out += page.take_each([block(run, one, index, share)]);
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

fn block(run: &Run<'_>, one: &Approves, index: usize, room: usize) -> String {
    let head = format!(
        "{} {}<br>{}",
        name(&one.after.server().url.untrusted()),
        name(&one.path),
        signed(run, &one.after)
    );
    let difference = Difference::of(one);
    let mut body = Page::of(room.saturating_sub(head.len() + 1024));
    let left_out = body.take_each(difference.parts());
    let left_out = match left_out {
        0 => String::new(),
        many => format!(
            "<p><b>{} found no room here: read it with <code>lockgate diff</code></b></p>\n",
            counted(many, "difference")
        ),
    };
    let body = body.text() + &left_out;
    let open = index < OPEN && body.len() <= OPEN_BYTES;
    match (body.is_empty(), open) {
        (true, _) => format!("<p>{head}<br>{}</p>\n\n", difference.told()),
        (false, true) => format!("<p>{head}<br>{}</p>\n{body}\n", difference.told()),
        (false, false) => format!(
            "<p>{head}<br>{} {}</p>\n<details>\n<summary>all of it</summary>\n{body}</details>\n\n",
            difference.told(),
            difference.first()
        ),
    }
}

/// `signed by alice (key ends 2027-12-01): 1 of 2 approvals`.
fn signed(run: &Run<'_>, lockfile: &Lockfile) -> String {
    let now = Moment::Now(run.report.checked_at);
    let approvals = approvals(lockfile, run.keys, now);
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
        SignatureCheck::Required => format!("{by}: {has} of {} due", run.approvals.max(1)),
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

/// A pinned tool that differs.
struct PinChange {
    mark: char,
    name: Untrusted,
    description: Option<FieldChange>,
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
        let was = before.and_then(|before| Some((before, before.tool(&tool.name)?)));
        let same = was.is_some_and(|(_, was)| {
            (was.sha256, was.extended_sha256) == (tool.sha256, tool.extended_sha256)
        });
        let approved = was.and_then(|(before, was)| text(before, was));
        (!same).then(|| {
            PinChange::of(
                tool,
                if was.is_some() { '~' } else { '+' },
                (approved, text(after, tool)),
            )
        })
    });
    let went = before.into_iter().flat_map(|before| {
        let gone = before
            .tools()
            .iter()
            .filter(|tool| after.tool(&tool.name).is_none());
        gone.map(|tool| PinChange::of(tool, '−', (text(before, tool), None)))
    });
    came.chain(went).collect()
}

impl PinChange {
    fn of(
        tool: &LockedTool,
        mark: char,
        (approved, current): (Option<Untrusted>, Option<Untrusted>),
    ) -> Self {
        let differs = approved != current;
        PinChange {
            mark,
            name: tool.name.clone(),
            description: differs.then(|| FieldChange::text(Field::Description, approved, current)),
        }
    }

    fn told(&self) -> String {
        let head = format!("<p>{} {}</p>\n", self.mark, self.name.in_html_code());
        let text = self.description.as_ref().map(super::detail::field_change);
        match text {
            Some(text) => format!("{head}<ul>\n{text}</ul>\n"),
            None => head,
        }
    }
}
