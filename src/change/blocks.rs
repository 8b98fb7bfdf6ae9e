//! Blocked checks and the root → which of them fail the run, and how the rest is told.
//!
//! Obeys design §5 (Exit in pull requests) and §4 (`[[accept]]`: amber, never green). The
//! answers stay `block` throughout.

use jiff::Timestamp;

use super::approved::day;
use super::root::Root;
use crate::check::{Bearing, Cause, Checked, Decision, Finding, Level, Outcome, Reason, Rule};
use crate::message::Message;
use crate::trust::{Accept, Drift};
use crate::untrusted::Untrusted;

/// Tells the blocks that do not fail the run, and says so in each check's bearing.
pub fn tell_blocks(checked: &mut [Checked], root: &Root, now: Timestamp) -> Vec<Finding> {
    let blocked = checked
        .iter_mut()
        .filter(|one| one.decision() == Decision::Block);
    blocked.filter_map(|one| tell(one, root, now)).collect()
}

fn tell(one: &mut Checked, root: &Root, now: Timestamp) -> Option<Finding> {
    if let Some(accept) = accept(one, root, now) {
        one.bearing = Bearing::Told;
        let message = Message::new(format!(
            "blocked, and accepted until {} as ",
            day(accept.until)
        ))
        .theirs(&Untrusted::new(accept.rule.as_str()));
        let hint = Message::new("").theirs(&Untrusted::new(accept.reason.as_str()));
        return Some(
            Finding::new(Rule::Accepted, message)
                .hint(hint)
                .at(&one.path, None),
        );
    }
    match one.bearing {
        Bearing::Decides => None,
        Bearing::Told => Some(also_red(one, root)),
    }
}

fn also_red(one: &Checked, root: &Root) -> Finding {
    let level = match root.file.policy.drift_in_pull_requests {
        Drift::Warning => Level::Warning,
        Drift::Error => Level::Error,
    };
    let message = match reason(one) {
        Some(reason) => format!("also red on the base: {} ({reason})", one.verdict().name()),
        None => format!("also red on the base: {}", one.verdict().name()),
    };
    Finding::new(Rule::AlsoRedOnBase, message.as_str())
        .level(level)
        .hint("this change does not touch the server; it is mended on its own")
        .at(&one.path, None)
}

fn reason(one: &Checked) -> Option<Reason> {
    match &one.outcome {
        Outcome::Compared(_) => None,
        Outcome::Unlisted(unlisted) => Some(unlisted.reason),
    }
}

/// What accepts the block of a server that gave no listing.
fn accept<'r>(one: &Checked, root: &'r Root, now: Timestamp) -> Option<&'r Accept> {
    let reason = reason(one).filter(|reason| is_silence(*reason))?;
    root.file.accept(one.url()?, reason.name(), now)
}

/// Only a silence can be accepted here ([`ACCEPTABLE`](crate::trust::ACCEPTABLE)): a server
/// that answered something else is drift.
fn is_silence(reason: Reason) -> bool {
    match reason.cause() {
        Cause::Silence | Cause::Credentials => true,
        Cause::NotAsked | Cause::Lockfile | Cause::Ours | Cause::Drift => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::ACCEPTABLE;

    #[test]
    fn what_a_trust_file_may_accept_is_what_is_accepted() {
        let silences = Reason::ALL
            .into_iter()
            .filter(|reason| is_silence(*reason))
            .map(Reason::name)
            .chain([Rule::ServerWithoutLockfile.id()]);
        assert_eq!(silences.collect::<Vec<_>>(), ACCEPTABLE);
    }
}
