//! Base's and head's trust file → may this change of it stand, and what does it cost?
//!
//! Obeys design §4 (Change of the file, Bootstrap). Deleting, moving or linking it is never
//! permitted by a signature.

use jiff::Timestamp;

use super::judge::Change;
use super::root::{Root, command};
use super::side::Side;
use super::snapshot::Content;
use crate::check::{Finding, Rule, SignatureCheck};
use crate::message::Message;
use crate::trust::{
    Moment, TRUST_FILE, TrustFault, TrustFile, TrustSignature, TrustStep, explain, explain_change,
};
use crate::untrusted::Untrusted;

use super::approved::is_approved;

/// What became of the trust file.
#[derive(Default)]
pub(super) struct TrustChange {
    /// What is to be said.
    pub(super) findings: Vec<Finding>,
    /// The head's file, where it counts already: vouched for by base, or the first one.
    pub(super) next: Option<TrustFile>,
}

/// Judges the change of the trust file.
pub(super) fn trust_change(change: Change<'_>) -> TrustChange {
    let Change {
        before,
        head,
        root,
        now,
        ..
    } = change;
    let [base, fork] = before;
    let is_same = |side: &Side| side.trust() == head.trust();
    if is_same(base) || is_same(fork) {
        return TrustChange::default();
    }
    let Some(bytes) = head.trust().and_then(Content::bytes) else {
        let message = "the trust file is gone, or no plain file any more".into();
        return changed(message, root, now).into();
    };
    let next = match TrustFile::parse(bytes) {
        Ok(next) => next,
        Err(fault) => return unusable(&fault, root, now).into(),
    };
    let stood = base.trust().or(fork.trust()).and_then(Content::bytes);
    if stood.is_none() && root.signatures() == SignatureCheck::NotChecked {
        return first(change, next);
    }
    let previous = stood.map_or(&[][..], |bytes| &bytes[..]);
    successor((previous, bytes), (head, root, now), next)
}

impl From<Finding> for TrustChange {
    fn from(finding: Finding) -> Self {
        TrustChange {
            findings: vec![finding],
            next: None,
        }
    }
}

fn unusable(fault: &TrustFault, root: &Root, now: Timestamp) -> Finding {
    let (sentence, way_out) = explain(fault);
    let message = Message::new("the new trust file cannot be used: ").then(sentence);
    Finding {
        line: fault.line,
        ..changed(message, root, now).hint(way_out)
    }
}

/// The first trust file of a repository.
fn first(change: Change<'_>, next: TrustFile) -> TrustChange {
    let place = Untrusted::new(TRUST_FILE);
    if change.trigger.is_from_fork() {
        let message = "the first trust file comes from a fork, where nobody of this repository vouches for it";
        let finding = Finding::new(Rule::TrustRootChanged, message)
            .hint("somebody who may push to this repository brings it, on a branch of this repository")
            .at(&place, None);
        return finding.into();
    }
    let has_lockfiles = change.before.iter().any(|side| !side.lockfiles.is_empty());
    if has_lockfiles {
        let message =
            "the first trust file, where base has lockfiles already: nobody on base vouches for it";
        let finding = Finding::new(Rule::TrustRootChanged, message)
            .hint("bring it in a change of its own that changes no lockfile; whoever may merge past this rule decides, once")
            .at(&place, None);
        return finding.into();
    }
    let names: Vec<Untrusted> = next
        .keys
        .iter()
        .map(|key| Untrusted::new(key.name.as_str()))
        .collect();
    let message = Message::new("trust begins with this change; the keys it names count already: ")
        .each(&names);
    let finding = Finding::new(Rule::TrustBeginsHere, message)
        .hint("make sure that each key is the one its holder told you")
        .at(&place, None);
    TrustChange {
        findings: vec![finding],
        next: Some(next),
    }
}

type Context<'a> = (&'a Side, &'a Root, Timestamp);

fn successor(
    (previous, bytes): (&[u8], &[u8]),
    (head, root, now): Context<'_>,
    next: TrustFile,
) -> TrustChange {
    let mut findings = orphans(head, root, &next);
    let step = TrustStep::between(previous, bytes);
    let permitted = head
        .trust_signature()
        .map(|signed| TrustSignature::parse(signed)?.verify(step, &root.file, now));
    let refused = match permitted {
        Some(Ok(_)) => {
            let next = Some(next);
            return TrustChange { findings, next };
        }
        Some(Err(fault)) => explain_change(&fault).0,
        None => "nobody signed it".into(),
    };
    let message = Message::new("the trust file changed: ").then(refused);
    findings.push(changed(message, root, now));
    TrustChange {
        findings,
        next: None,
    }
}

/// Lockfiles that the new file would leave without the approvals they have.
fn orphans(head: &Side, root: &Root, next: &TrustFile) -> Vec<Finding> {
    let after = root.succeeded_by(next.clone());
    let loses = |lockfile| {
        is_approved(lockfile, root, Moment::Approval)
            && after.signatures() == SignatureCheck::Required
            && !is_approved(lockfile, &after, Moment::Approval)
    };
    let orphan = |path: Untrusted| {
        let message = "the new trust file takes away the approvals that this lockfile has";
        let way_out =
            Message::new("somebody whose key stays reads and signs it in the same change: ")
                .then(command("approve", &[&path]));
        Finding::new(Rule::OrphanedApproval, message)
            .hint(way_out)
            .at(&path, None)
    };
    head.usable()
        .filter(|(_, lockfile)| loses(lockfile))
        .map(|(path, _)| orphan(path.untrusted()))
        .collect()
}

fn changed(message: Message, root: &Root, now: Timestamp) -> Finding {
    let approvers = root.approvers(now);
    let way_out = if approvers.is_empty() {
        Message::new("restore base's file: no key on base may vouch for a change of it")
    } else {
        Message::new("an approver of base (")
            .each(&approvers)
            .ours(") has to read the change and sign it, with ")
            .then(command("sign", &[&Untrusted::new(TRUST_FILE)]))
            .ours("; or restore base's file")
    };
    Finding::new(Rule::TrustRootChanged, message)
        .hint(way_out)
        .at(&Untrusted::new(TRUST_FILE), None)
}
