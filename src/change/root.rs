//! Trust files → [`Root`]: the one policy and the keys that a run goes by.
//!
//! Obeys design §4 (Where it is read): an operator's file stands above the repository's
//! own, which may then only add servers and accepts, and tighten.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::globs::Globs;
use crate::check::{Due, SignatureCheck};
use crate::lock::Lockfile;
use crate::message::Message;
use crate::trust::{Approvals, Drift, Ledger, Moment, Policy, Signatures, TRUST_FILE, TrustFile};
use crate::untrusted::Untrusted;

/// Who may approve and under which policy, in this run.
#[derive(Debug, Clone, Default)]
pub struct Root {
    /// The keys and the policy; all defaults where there is no trust file.
    pub file: TrustFile,
    operator: Option<TrustFile>,
    is_there: bool,
    ledger: Ledger,
}

impl Root {
    /// The root of a run: an operator's file, the repository's own, both or none.
    pub fn of(operator: Option<TrustFile>, own: Option<TrustFile>) -> Self {
        let is_there = operator.is_some() || own.is_some();
        let file = match (operator.clone(), own) {
            (Some(operator), Some(own)) => under(operator, own),
            (Some(file), None) | (None, Some(file)) => file,
            (None, None) => TrustFile::default(),
        };
        Root {
            ledger: Ledger::new(&file.keys),
            file,
            operator,
            is_there,
        }
    }

    /// The root once the repository's own file is `next`.
    #[must_use]
    pub fn succeeded_by(&self, next: TrustFile) -> Self {
        Root::of(self.operator.clone(), Some(next))
    }

    /// Are signatures counted?
    pub fn signatures(&self) -> SignatureCheck {
        match (self.is_there, self.file.policy.signatures) {
            (false, _) => SignatureCheck::NotChecked,
            (true, Signatures::Off) => SignatureCheck::Off,
            (true, Signatures::Required) => SignatureCheck::Required,
        }
    }

    /// Asks the keys for all signatures of many lockfiles at once, which takes less time.
    pub fn verify<'a>(&self, lockfiles: impl IntoIterator<Item = &'a Lockfile>) {
        if self.signatures() == SignatureCheck::Required {
            self.ledger.verify(lockfiles);
        }
    }

    /// Who approved a lockfile, by the keys of this root.
    pub fn approvals(&self, lockfile: &Lockfile, moment: Moment) -> Approvals {
        self.ledger.approvals(lockfile, moment)
    }

    /// How many approvals a lockfile needs, where signatures are counted.
    pub fn due(&self, now: Timestamp) -> Option<Due> {
        (self.signatures() == SignatureCheck::Required).then(|| Due {
            needed: self.file.policy.approvals,
            approvers: self.file.approvers(now).len(),
        })
    }

    /// Where its keys stand; an operator's file is named on the command line alone.
    pub(super) fn place(&self) -> Option<Untrusted> {
        self.operator.is_none().then(|| Untrusted::new(TRUST_FILE))
    }

    /// The paths that hold no lockfiles of ours.
    pub fn exclude(&self) -> Globs {
        Globs::new(&self.file.policy.exclude)
    }

    /// Who can mend what only an approver can: their names.
    pub fn approvers(&self, now: Timestamp) -> BTreeSet<Untrusted> {
        self.file
            .approvers(now)
            .into_iter()
            .map(Untrusted::from)
            .collect()
    }

    /// The way out where an approver has to read and sign a file.
    pub fn ask_an_approver(&self, path: &Untrusted, now: Timestamp) -> Message {
        let approvers = self.approvers(now);
        let command = command("approve", &[path]);
        if approvers.is_empty() {
            return Message::new(
                "no trusted key may approve now: whoever may merge the trust file has to add one first",
            );
        }
        Message::new("an approver (")
            .each(&approvers)
            .ours(") has to read it and sign it, with ")
            .then(command)
            .ours("; without one of their keys you cannot mend this, and you have done your part")
    }
}

/// `lockgate VERB PATH…`, for paths that no shell takes for anything else.
pub fn command(verb: &str, paths: &[&Untrusted]) -> Message {
    let is_tame = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+@".contains(&byte);
    let are_tame = paths.iter().all(|path| {
        let text = path.as_arrived();
        text.bytes().all(is_tame) && !text.starts_with('-')
    });
    if !are_tame {
        return Message::new(format!("`lockgate {verb}`"));
    }
    let words = paths.iter().map(|path| format!(" {}", path.as_arrived()));
    let command = format!("lockgate {verb}{}", String::from_iter(words));
    Message::new("").theirs(&Untrusted::new(command))
}

fn under(operator: TrustFile, own: TrustFile) -> TrustFile {
    let TrustFile {
        policy,
        keys,
        mut servers,
        mut accepts,
        suppresses,
    } = operator;
    let known = |url| servers.iter().any(|server| server.url == url);
    let more: Vec<_> = own
        .servers
        .into_iter()
        .filter(|server| !known(server.url.clone()))
        .collect();
    servers.extend(more);
    accepts.extend(own.accepts);
    TrustFile {
        policy: tightened(policy, own.policy),
        keys,
        servers,
        accepts,
        // The repository's own would loosen what the operator sees.
        suppresses,
    }
}

fn tightened(policy: Policy, own: Policy) -> Policy {
    let signatures = match (policy.signatures, own.signatures) {
        (Signatures::Off, Signatures::Off) => Signatures::Off,
        (Signatures::Required, _) | (_, Signatures::Required) => Signatures::Required,
    };
    let drift_in_pull_requests = match (policy.drift_in_pull_requests, own.drift_in_pull_requests) {
        (Drift::Warning, Drift::Warning) => Drift::Warning,
        (Drift::Error, _) | (_, Drift::Error) => Drift::Error,
    };
    let earlier =
        |operator: Timestamp| own.unsigned_until.map_or(operator, |own| own.min(operator));
    let sooner = policy
        .max_age_days
        .into_iter()
        .chain(own.max_age_days)
        .min();
    Policy {
        signatures,
        approvals: policy.approvals.max(own.approvals),
        unsigned_until: policy.unsigned_until.map(earlier),
        max_age_days: sooner,
        scan: policy.scan.min(own.scan),
        drift_in_pull_requests,
        audience: policy.audience.or(own.audience),
        ..policy
    }
}
