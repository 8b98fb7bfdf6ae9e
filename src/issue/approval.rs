//! Lockfiles of one server and trusted keys → who approved what it pins, and when.
//!
//! Obeys design §8: an issue is closed by an approval only if the approval counts.

use jiff::Timestamp;

use crate::check::{Checked, Finding, Report, Rule, SignatureCheck};
use crate::trust::{Moment, TrustedKey, approvals};

/// Who approved what is pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Approval {
    /// When the newest of its lockfiles was approved.
    pub(super) at: Timestamp,
    /// Names of those who did, sorted.
    pub(super) by: Vec<String>,
    /// Does it count?
    pub(super) standing: Standing,
}

/// Does an approval count?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Every lockfile has the signatures that the policy wants.
    Signed,
    /// One has not.
    Unsigned,
    /// The policy has signatures off: what the branch holds counts.
    Off,
    /// There is no trust file to count by: nobody's word counts.
    NotCounted,
}

/// Rules that say a lockfile is not approved as it should be.
const UNSIGNED: [Rule; 5] = [
    Rule::UnsignedChange,
    Rule::UnsignedLockfile,
    Rule::UntrustedSignature,
    Rule::BadSignature,
    Rule::OrphanedApproval,
];

/// `None` if no lockfile can be used.
pub(super) fn approval(
    report: &Report,
    checked: &[&Checked],
    keys: &[TrustedKey],
) -> Option<Approval> {
    let lockfiles = || checked.iter().filter_map(|one| one.lockfile.as_ref());
    let newest = lockfiles().max_by_key(|lockfile| lockfile.approved_at())?;
    let by = |lockfile| approvals(lockfile, keys, Moment::Approval).approvers;
    let is_told = |finding: &Finding| {
        let at = |one: &&Checked| finding.path.as_ref() == Some(&one.path);
        UNSIGNED.contains(&finding.rule) && checked.iter().any(at)
    };
    let standing = match report.signatures {
        SignatureCheck::Off => Standing::Off,
        SignatureCheck::NotChecked => Standing::NotCounted,
        SignatureCheck::Required => {
            let is_signed = lockfiles().all(|lockfile| !by(lockfile).is_empty());
            match is_signed && !report.findings.iter().any(is_told) {
                true => Standing::Signed,
                false => Standing::Unsigned,
            }
        }
    };
    Some(Approval {
        at: newest.approved_at(),
        by: by(newest).into_keys().collect(),
        standing,
    })
}
