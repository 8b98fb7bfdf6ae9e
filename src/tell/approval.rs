//! What a change approves: base → head of each lockfile, who signed, what is worst.
//!
//! Obeys design §8. The server is not asked here: the text is what the lockfile and its
//! companion listing say, and each companion is held against its lockfile's digests.

use super::counted;
use super::excerpt::clipped;
use super::github::{Approves, Run};
use super::way_out::counts;
use crate::change::day;
use crate::check::{Comparison, SignatureCheck, TextChange, Verdict, compare};
use crate::lock::{LockedTool, Lockfile};
use crate::message::Message;
use crate::trust::{Approvals, Ledger, Moment};
use crate::untrusted::Untrusted;

/// Most characters of an approver's name: what is longer says so.
const LONGEST_NAME: usize = 160;

/// A lockfile, and who approved it.
pub(super) type Signed<'a> = (&'a Approves, Approvals);

/// What too few have signed comes first.
pub(super) fn worst_first<'a>(run: &Run<'a>, ledger: &Ledger) -> Vec<Signed<'a>> {
    let now = Moment::Now(run.report.checked_at);
    let signed = |one: &'a Approves| (one, ledger.approvals(&one.after, now));
    let mut sorted: Vec<Signed<'_>> = run.approves.iter().map(signed).collect();
    sorted.sort_by_key(|(_, approvals)| approvals.suffice(run.approvals));
    sorted
}

/// `signed by alice (key ends 2027-12-01)`; nothing where nobody did.
pub(super) fn signed_by(approvals: &Approvals) -> Option<Message> {
    let by = approvals.approvers.iter().map(|(by, end)| {
        let by = Message::default().shown(clipped(&Untrusted::new(by.as_str()), LONGEST_NAME));
        match end {
            Some(end) => by.ours(format!(" (key ends {})", day(*end))),
            None => by,
        }
    });
    let all = by.reduce(|all, one| all.ours(", ").then(one))?;
    Some(Message::new("signed by ").then(all))
}

/// What is said where nobody did.
pub(super) const BY_NOBODY: &str = "signed by nobody whom the base trusts";

/// ` (1 approval, 2 due)`: how far that goes.
pub(super) fn counted_so(run: &Run<'_>, approvals: &Approvals) -> String {
    match run.report.signatures {
        SignatureCheck::Required => {
            let has = counted(approvals.approvers.len(), "approval");
            format!(" ({has}, {} due)", run.approvals.max(1))
        }
        SignatureCheck::Off | SignatureCheck::NotChecked => {
            "; signatures are not checked".to_owned()
        }
    }
}

/// How base and head differ, as far as the texts are at hand.
pub(super) enum Difference {
    /// Nobody approved a list of this server before: all of it.
    New(Comparison),
    /// Both sides are there.
    Changed(Comparison),
    /// There is no companion listing: names and descriptions only.
    Pins(Vec<PinChange>),
}

/// A pinned tool that differs, as far as names and descriptions tell.
pub(super) enum PinChange {
    /// It came, with this description.
    New(Untrusted, Option<Untrusted>),
    /// It went; it had this description.
    Gone(Untrusted, Option<Untrusted>),
    /// It is another.
    Changed(Untrusted, TextChange),
}

impl Difference {
    /// Between base and head of a lockfile.
    pub(super) fn of(one: &Approves) -> Self {
        match (&one.before, one.after.listing()) {
            (None, Some(listing)) => Difference::New(Comparison::with_nothing(&listing)),
            (Some(before), Some(listing)) => Difference::Changed(compare(before, &listing)),
            (before, None) => Difference::Pins(pins(before.as_ref(), &one.after)),
        }
    }

    /// What it comes to: what weighs, and what goes on from there.
    pub(super) fn told(&self) -> (String, String) {
        match self {
            Difference::New(comparison) => {
                let tools = counted(comparison.added.len(), "tool");
                let told = format!(" nobody approved a list of this server before ({tools})");
                ("new:".to_owned(), told)
            }
            Difference::Changed(comparison) if comparison.verdict() == Verdict::Unchanged => {
                let told = "nothing that a model reads differs from the base";
                (String::new(), told.to_owned())
            }
            Difference::Changed(comparison) => (counts(comparison), " against the base".to_owned()),
            Difference::Pins(_) => (
                "no companion listing is committed".to_owned(),
                ": only names and descriptions can be shown, schemas and annotations cannot"
                    .to_owned(),
            ),
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
