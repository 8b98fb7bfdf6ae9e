//! A check that blocks → what whoever can mend it does next, and the differences counted.

use crate::check::{Checked, Comparison, Outcome, Reason, Verdict};
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
    match reason {
        Reason::AuthRequired => Some("give the run the secret that the server asks for"),
        Reason::MalformedListing | Reason::UnstableListing => {
            Some("do not connect; ask whoever runs the server")
        }
        Reason::Dns
        | Reason::Connect
        | Reason::Tls
        | Reason::Timeout
        | Reason::HttpStatus
        | Reason::Redirect
        | Reason::RateLimited
        | Reason::PrivateAddress
        | Reason::TooLarge
        | Reason::NotMcp
        | Reason::RpcError
        | Reason::NotChecked
        | Reason::LockfileRefused
        | Reason::InternalError => None,
    }
}

/// What to do about lists that moved: one command for the first few of them.
pub(super) fn approve(paths: &[&Untrusted]) -> Message {
    let told = paths.get(..paths.len().min(AT_ONCE)).unwrap_or_default();
    let more = match paths.len() - told.len() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    Message::new("if the change is expected, an approver reads it and signs, with ")
        .then(command(told))
        .ours(more)
        .ours("; if not, leave it red and ask whoever runs the server")
}

/// `lockgate approve PATH…`, for paths that no shell takes for anything else.
fn command(paths: &[&Untrusted]) -> Message {
    let is_tame = |path: &&Untrusted| {
        let is_tame = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+@".contains(&byte);
        let text = path.as_arrived();
        text.bytes().all(is_tame) && !text.starts_with('-') && text.len() <= LONGEST
    };
    if !paths.iter().all(is_tame) {
        return Message::new("`lockgate approve`");
    }
    let words = paths.iter().map(|path| format!(" {}", path.as_arrived()));
    let command = format!("lockgate approve{}", String::from_iter(words));
    Message::default().theirs(&Untrusted::new(command))
}
