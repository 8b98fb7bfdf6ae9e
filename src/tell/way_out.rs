//! A check that blocks → what whoever can mend it does next, and the differences counted.

use crate::change::command;
use crate::check::{Cause, Checked, Comparison, Outcome, Reason, Verdict};
use crate::message::Message;
use crate::untrusted::Untrusted;

/// So many lockfiles are named in one command.
const AT_ONCE: usize = 3;
/// A path that is longer is not repeated.
const LONGEST: usize = 200;

/// `+1 −0 ~2`: new tools, tools that are gone, tools that changed.
pub(super) fn counts(comparison: &Comparison) -> String {
    let modified = comparison.modified.len() + usize::from(comparison.instructions.is_some());
    format!(
        "+{} −{} ~{modified}",
        comparison.added.len(),
        comparison.removed.len()
    )
}

/// The next step, where it is not said by a finding.
pub(super) fn next_step(one: &Checked) -> Option<Message> {
    match &one.outcome {
        Outcome::Compared(comparison) if comparison.verdict() == Verdict::Unchanged => None,
        Outcome::Compared(_) => Some(approve(&[&one.path])),
        Outcome::Unlisted(unlisted) => {
            let hint = unlisted.hint.as_deref().map(Message::from);
            hint.or_else(|| default_hint(unlisted.reason).map(Message::from))
        }
    }
}

fn default_hint(reason: Reason) -> Option<&'static str> {
    match reason.cause() {
        Cause::Credentials => Some("give the run the secret that the server asks for"),
        Cause::Drift => Some("do not connect; ask whoever runs the server"),
        Cause::Silence | Cause::NotAsked | Cause::Lockfile | Cause::Ours => None,
    }
}

/// What to do about lists that moved: one command for the first few of them.
pub(super) fn approve(paths: &[&Untrusted]) -> Message {
    let short = |path: &&Untrusted| path.as_arrived().len() <= LONGEST;
    let short = paths
        .iter()
        .take(AT_ONCE)
        .take_while(|path| short(path))
        .count();
    let told = paths.get(..short).unwrap_or_default();
    let more = match paths.len() - told.len() {
        _ if told.is_empty() => String::new(),
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    Message::new("if the change is expected, an approver reads it and signs, with ")
        .then(command("approve", told))
        .ours(more)
        .ours("; if not, leave it red and ask whoever runs the server")
}
