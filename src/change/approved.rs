//! One lockfile and the root → is it approved: who signed, when, for whom.
//!
//! Obeys design §4 (Expiry) and §5 (`unsigned-change`, `untrusted-signature`,
//! `bad-signature`, `from-future`).

use jiff::{SignedDuration, Timestamp};

use super::Touched;
use super::root::Root;
use crate::check::{Finding, Level, Rule, SignatureCheck};
use crate::lock::Lockfile;
use crate::message::Message;
use crate::trust::{Approvals, Moment, SignatureFault, explain_signature};
use crate::untrusted::Untrusted;

/// How far a clock may be behind an approver's.
const SKEW: SignedDuration = SignedDuration::from_mins(10);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// A lockfile that is judged.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Where it is, as it is told.
    pub path: &'a Untrusted,
    /// What it says.
    pub lockfile: &'a Lockfile,
    /// Does the change add or change it?
    pub touched: Touched,
}

/// Does the lockfile have the approvals that the root demands?
pub(super) fn is_approved(lockfile: &Lockfile, root: &Root, moment: Moment) -> bool {
    root.signatures() == SignatureCheck::Required
        && root
            .approvals(lockfile, moment)
            .suffice(root.file.policy.approvals)
}

/// The rules that look at one lockfile alone.
pub(super) fn approved(subject: Subject<'_>, root: &Root, now: Timestamp) -> Vec<Finding> {
    let mut findings = match root.signatures() {
        SignatureCheck::Required => signatures(subject, root, now),
        SignatureCheck::Off | SignatureCheck::NotChecked => Vec::new(),
    };
    findings.extend(from_future(subject.lockfile, now));
    findings.extend(old(subject.lockfile, root, now));
    findings.extend(audience(subject.lockfile, root));
    findings
        .into_iter()
        .map(|finding| finding.at(subject.path, None))
        .collect()
}

fn signatures(subject: Subject<'_>, root: &Root, now: Timestamp) -> Vec<Finding> {
    let moment = match subject.touched {
        Touched::ByChange => Moment::Now(now),
        Touched::Not => Moment::Approval,
    };
    let approvals = root.approvals(subject.lockfile, moment);
    let is_short = !approvals.suffice(root.file.policy.approvals);
    let mut findings = Vec::new();
    if is_short {
        findings.extend(too_few(subject, root, &approvals, now));
    }
    let level = if is_short && subject.touched == Touched::ByChange {
        Level::Error
    } else {
        Level::Warning
    };
    findings.extend(
        approvals
            .faults
            .iter()
            .map(|fault| of_signature(fault, level)),
    );
    findings
}

fn too_few(
    subject: Subject<'_>,
    root: &Root,
    approvals: &Approvals,
    now: Timestamp,
) -> Option<Finding> {
    let (rule, level) = match subject.touched {
        Touched::ByChange => (Rule::UnsignedChange, Level::Error),
        Touched::Not if !root.file.has_approver() => return None,
        Touched::Not => {
            let end = root.file.policy.unsigned_until;
            let is_adopting = end.is_some_and(|end| now <= end);
            let level = if is_adopting {
                Level::Warning
            } else {
                Level::Error
            };
            (Rule::UnsignedLockfile, level)
        }
    };
    let way_out = root.ask_an_approver(subject.path, now);
    Some(
        Finding::new(rule, tally(approvals, root))
            .level(level)
            .hint(way_out),
    )
}

fn tally(approvals: &Approvals, root: &Root) -> Message {
    let (has, due) = (approvals.approvers.len(), root.file.policy.approvals);
    let names: Vec<Untrusted> = approvals.approvers.keys().map(named).collect();
    let mut message = Message::new(format!("{has} of {due} approvals by keys trusted on base"));
    if !names.is_empty() {
        message = message.ours(", from ").each(&names);
    }
    match approvals.issuers.iter().next() {
        Some(issuer) => message
            .ours("; the signature of ")
            .theirs(&named(issuer))
            .ours(" says what a service answered, not that a person approved it"),
        None => message,
    }
}

fn named(name: &String) -> Untrusted {
    Untrusted::new(name)
}

fn of_signature(fault: &SignatureFault, level: Level) -> Finding {
    let (sentence, way_out) = explain_signature(fault);
    let (rule, level) = match fault {
        // Something that was signed was changed afterwards: an error everywhere.
        SignatureFault::Bad { .. } => (Rule::BadSignature, Level::Error),
        SignatureFault::Untrusted { .. }
        | SignatureFault::Expired { .. }
        | SignatureFault::Retired { .. }
        | SignatureFault::Compromised { .. } => (Rule::UntrustedSignature, level),
    };
    Finding::new(rule, sentence).level(level).hint(way_out)
}

fn from_future(lockfile: &Lockfile, now: Timestamp) -> Option<Finding> {
    let at = lockfile.approved_at();
    let limit = now.checked_add(SKEW).unwrap_or(Timestamp::MAX);
    (at > limit).then(|| {
        Finding::new(
            Rule::FromFuture,
            format!("approved at {at:.3}, and it is {now:.3} now").as_str(),
        )
        .hint("set the clock right on the machine that is wrong, and approve again")
    })
}

fn old(lockfile: &Lockfile, root: &Root, now: Timestamp) -> Option<Finding> {
    let days = root.file.policy.max_age_days?;
    let limit = lockfile
        .approved_at()
        .checked_add(DAY * i32::try_from(days).ok()?)
        .ok()?;
    (now > limit).then(|| {
        let since = day(lockfile.approved_at());
        Finding::new(
            Rule::OldApproval,
            format!("approved on {since}, more than {days} days ago").as_str(),
        )
        .hint("read the list again and approve it anew, or prolong `max_age_days`")
    })
}

fn audience(lockfile: &Lockfile, root: &Root) -> Option<Finding> {
    let due = root.file.policy.audience.as_deref().map(Untrusted::new)?;
    let has = lockfile.extended().and_then(|pins| pins.audience.as_ref());
    let message = match has {
        Some(has) if *has == due => return None,
        Some(has) => Message::new("approved for ").theirs(has),
        None => Message::new("approved for no audience in particular"),
    };
    Some(
        Finding::new(
            Rule::WrongAudience,
            message.ours(", and the policy wants ").theirs(&due),
        )
        .hint("an approver has to approve it for that audience"),
    )
}

/// The day of a moment, in UTC.
pub fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}
