//! A check that blocks → what whoever can mend it does next, and the differences counted.

use crate::check::{Checked, Comparison, Outcome, Reason, Verdict};
use crate::message::Message;
use crate::untrusted::Untrusted;

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
        Outcome::Compared(_) => Some(
            Message::new("expected: an approver reads it and signs, with ")
                .then(command("approve", &one.path))
                .ours("; not expected: leave it red and ask whoever runs the server"),
        ),
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

/// `lockgate VERB PATH`, for a path that no shell takes for anything else.
pub(super) fn command(verb: &str, path: &Untrusted) -> Message {
    let is_tame = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+@".contains(&byte);
    let text = path.as_arrived();
    if text.bytes().all(is_tame) && !text.starts_with('-') {
        Message::new("").theirs(&Untrusted::new(format!("lockgate {verb} {text}")))
    } else {
        Message::new(format!("`lockgate {verb}`"))
    }
}
