//! A changed lockfile and what stood before → is it a step forward, at the same place.
//!
//! Obeys design §5 (`url-changed`, `rollback`, `equivocation`).

use super::RepoPath;
use super::approved::Subject;
use super::history::History;
use super::side::Side;
use crate::check::{Finding, Level, Rule};
use crate::message::Message;

/// The lockfile at this path named another server before.
pub(super) fn url_changed(
    path: &RepoPath,
    subject: Subject<'_>,
    before: [&Side; 2],
    approved: Approved,
) -> Option<Finding> {
    let lockfile = subject.lockfile;
    let stood = before.into_iter().find_map(|side| side.lockfile(path))?;
    if stood.identity() == lockfile.identity() {
        return None;
    }
    let (was, is) = (&stood.server().url, &lockfile.server().url);
    let message = if was == is {
        Message::new("the lockfile here asks ")
            .theirs(&is.untrusted())
            .ours(" with other headers than on base")
    } else {
        Message::new("on base the lockfile here names ")
            .theirs(&was.untrusted())
            .ours(", now ")
            .theirs(&is.untrusted())
    };
    let level = match approved {
        Approved::ByBase => Level::Warning,
        Approved::Not => Level::Error,
    };
    let finding = Finding::new(Rule::UrlChanged, message).level(level);
    Some(finding.hint("give a server a lockfile of its own; one that is given up is listed in `policy.removed`").at(subject.path, None))
}

/// Does a lockfile have its approvals by base's keys?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Approved {
    ByBase,
    Not,
}

/// Is there a newer approval of this server, or another one of the same time?
pub(super) fn out_of_order(subject: Subject<'_>, history: &History) -> Option<Finding> {
    let lockfile = subject.lockfile;
    let newest = history.newest(&lockfile.identity())?;
    let (at, then) = (lockfile.approved_at(), newest.approved_at);
    let finding = if at < then {
        let message =
            format!("approved at {at:.3}, and base had an approval of {then:.3} for this server");
        Finding::new(Rule::Rollback, message.as_str())
            .hint("an older list comes back only by a new approval: `lockgate approve`")
    } else if at == then && !newest.seals.contains(&lockfile.seal()) {
        let message =
            format!("base had another approval of this server at the same time, {then:.3}");
        Finding::new(Rule::Equivocation, message.as_str())
            .hint("find out who signed both, and approve the right list anew")
    } else {
        return None;
    };
    Some(finding.at(subject.path, None))
}
