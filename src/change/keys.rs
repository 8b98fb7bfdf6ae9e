//! The root's keys → what people are told of them in time (design §4, Expiry).

use jiff::{SignedDuration, Timestamp};

use super::approved::day;
use super::root::Root;
use crate::check::{Due, Finding, Rule};
use crate::message::Message;
use crate::trust::TrustedKey;
use crate::untrusted::Untrusted;

/// How long before its end a key is told.
const NOTICE: SignedDuration = SignedDuration::from_hours(24 * 30);

/// The keys that end soon, and whether enough people are left to approve anything.
pub fn of_keys(root: &Root, now: Timestamp) -> Vec<Finding> {
    let then = now.checked_add(NOTICE).unwrap_or(Timestamp::MAX);
    let ending = root.file.ending(now, then).map(ends);
    let findings = ending.chain(too_few_approvers(root, now));
    let placed = |finding| Finding {
        path: root.place(),
        ..finding
    };
    findings.map(placed).collect()
}

fn ends(key: &TrustedKey) -> Finding {
    let end = key.not_after.map(day).unwrap_or_default();
    let message = Message::new("a key of ")
        .theirs(&Untrusted::new(key.name.as_str()))
        .ours(format!(" ends on {end}; what it approved by then stands"));
    Finding::new(Rule::KeyEnds, message).hint("add the next key to the trust file before that day")
}

/// Nobody can mend a lockfile that needs more approvals than there are people.
fn too_few_approvers(root: &Root, now: Timestamp) -> Option<Finding> {
    let Due { needed, approvers } = root.due(now)?;
    (needed > approvers).then(|| {
        let who = match approvers {
            0 => "no approver has a key that may sign now".to_owned(),
            1 => "only 1 approver has a key that may sign now".to_owned(),
            some => format!("only {some} approvers have a key that may sign now"),
        };
        let plural = if needed == 1 { "" } else { "s" };
        Finding::new(
            Rule::TooFewApprovers,
            Message::new(format!(
                "a lockfile needs {needed} approval{plural}, and {who}: nothing new can be approved"
            )),
        )
        .hint("add keys of other people to the trust file (two keys of one name are one approver), or lower `policy.approvals`")
    })
}
