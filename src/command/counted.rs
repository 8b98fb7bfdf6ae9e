//! The trust file where somebody works → whose approvals count, how many there are, and
//! who must still come.
//!
//! Told before anything is asked and after it was signed. It judges nothing: the gate
//! does, by base's file, with the same counting.

use std::collections::BTreeSet;
use std::sync::Arc;

use lockgate::lock::Lockfile;
use lockgate::trust::{Moment, PublicKey, Signatures, TRUST_FILE};
use lockgate::untrusted::Untrusted;
use lockgate::world::clock;

use super::base::{Base, Before};
use super::known::Known;
use super::pen::Pen;

/// By which trust file approvals are counted.
pub(super) enum Counted {
    /// Base's; and what the work tree's says, where that is another.
    ByBase {
        known: Arc<Known>,
        at: String,
        next: Option<Arc<Known>>,
    },
    /// Base has none: the work tree's, which counts once it is merged.
    ByNext { next: Arc<Known>, at: String },
    /// By none, and why.
    Not(String),
}

impl Counted {
    /// How it is where a file stands; `None`: in no repository.
    pub(super) fn of(base: Option<&Base>) -> Self {
        let Some(base) = base else {
            return Counted::Not("outside of a git repository there is no trust file".to_owned());
        };
        let at = match base.name() {
            Ok(name) => name.to_owned(),
            Err(why) => return Counted::Not(format!("base is not known: {why}")),
        };
        match (base.known().cloned(), base.next().cloned()) {
            (Some(known), next) => Counted::ByBase { known, at, next },
            (None, Some(next)) => Counted::ByNext { next, at },
            (None, None) => Counted::Not(format!("there is no `{TRUST_FILE}` at {at}")),
        }
    }

    /// Is there a trust file to count by?
    pub(super) fn is_by_any(&self) -> bool {
        self.by_any().is_some()
    }

    /// Base's trust file.
    pub(super) fn by_base(&self) -> Option<&Known> {
        match self {
            Counted::ByBase { known, .. } => Some(known),
            Counted::ByNext { .. } | Counted::Not(_) => None,
        }
    }

    fn by_any(&self) -> Option<&Known> {
        match self {
            Counted::ByBase { known, .. } => Some(known),
            Counted::ByNext { next, .. } => Some(next),
            Counted::Not(_) => None,
        }
    }

    /// Who has approved a lockfile: one that stood on base as it is keeps what stood then.
    pub(super) fn signers(&self, lockfile: &Lockfile, before: &Before) -> BTreeSet<String> {
        let moment = match &before.lockfile {
            Some(stood) if stood.seal() == lockfile.seal() => Moment::Approval,
            Some(_) | None => Moment::Now(clock::now()),
        };
        let known = self.by_any();
        known.map_or_else(BTreeSet::new, |known| known.signers(lockfile, moment))
    }

    /// Who has approved once this key has signed too.
    pub(super) fn with(&self, names: BTreeSet<String>, key: &PublicKey) -> BTreeSet<String> {
        let own = self.by_any().and_then(|known| known.name(key));
        names.into_iter().chain(own.map(str::to_owned)).collect()
    }

    /// What counts here, and whether a signature with that pen will: told before anything
    /// is asked.
    pub(super) fn standing(&self, pen: &Pen) -> String {
        match self {
            Counted::Not(why) => format!("  approvals are not counted: {why}\n"),
            Counted::ByNext { next, at } => {
                let place = format!("`{TRUST_FILE}` of the work tree");
                format!(
                    "  there is no `{TRUST_FILE}` at {at}: the one of the work tree counts once it is merged\n{}",
                    of_key(next, &place, (pen, None))
                )
            }
            Counted::ByBase { known, at, next } => {
                let place = format!("`{TRUST_FILE}` at {at}");
                of_key(known, &place, (pen, next.as_deref()))
            }
        }
    }

    /// How many approvals each of some lockfiles has: one line where all have the same.
    /// Where none are counted, that was told already.
    pub(super) fn each<'l>(
        &self,
        before: &str,
        lockfiles: impl Iterator<Item = (&'l Untrusted, BTreeSet<String>)>,
    ) -> String {
        let each: Vec<_> = lockfiles.collect();
        let Some((first, names)) = each.first() else {
            return String::new();
        };
        let command =
            |shown: &Untrusted| format!("lockgate approve {} --key agent", shown.in_terminal());
        if each.iter().all(|(_, other)| other == names) {
            return format!("  {before}{}\n", self.told(names, &command(first)));
        }
        let line = |(shown, names): &(&Untrusted, BTreeSet<String>)| {
            format!(
                "  `{}`  {before}{}\n",
                shown.in_terminal(),
                self.told(names, &command(shown))
            )
        };
        each.iter().map(line).collect()
    }

    /// `1 of 2 approvals: alice; …`, and the command for those who must still come.
    pub(super) fn told(&self, names: &BTreeSet<String>, command: &str) -> String {
        match self {
            Counted::Not(why) => format!("approvals are not counted: {why}"),
            Counted::ByBase { known, .. } => tally(known, names, command),
            Counted::ByNext { next, .. } => format!(
                "by the work tree's `{TRUST_FILE}`: {}",
                tally(next, names, command)
            ),
        }
    }
}

/// `1 of 2 approvals: alice; one more approver must run …`
fn tally(known: &Known, names: &BTreeSet<String>, command: &str) -> String {
    if known.fault().is_some() {
        return "nobody's approval counts while the trust file cannot be used".to_owned();
    }
    let file = known.file();
    if file.policy.signatures == Signatures::Off {
        return "approvals are not demanded: `policy.signatures` is off".to_owned();
    }
    let (has, needed) = (names.len(), file.policy.approvals.max(1));
    if has >= needed {
        return format!("{has} of {needed}: enough ({})", listed(names));
    }
    let by = match names.is_empty() {
        true => String::new(),
        false => format!(": {}", listed(names)),
    };
    let more = match needed - has {
        1 => "one more approver".to_owned(),
        many => format!("{many} more approvers"),
    };
    let others = may_sign(known);
    let others: BTreeSet<String> = others.difference(names).cloned().collect();
    let who = match (others.is_empty(), others.len() < needed - has) {
        (true, _) => format!("; `{TRUST_FILE}` names nobody else who may: add somebody"),
        (false, true) => format!(
            "; `{TRUST_FILE}` names only {}: add somebody",
            listed(&others)
        ),
        (false, false) => format!(" (who may: {})", listed(&others)),
    };
    format!("{has} of {needed} approvals{by}; {more} must run `{command}`{who}")
}

/// Does what the pen signs count by that file? Said at length where it does not.
fn of_key(known: &Known, place: &str, (pen, next): (&Pen, Option<&Known>)) -> String {
    if let Some(fault) = known.fault() {
        return format!("  {place} cannot be used, so nobody's approval counts:\n    {fault}\n");
    }
    if known.name(pen.public()).is_some() {
        return String::new();
    }
    let (shown, why) = (pen.shown(), known.why_not(pen.public()));
    let others = may_sign(known);
    let ask = match others.is_empty() {
        true => format!("nobody may approve now by {place}: whoever may merge has to mend that"),
        false => format!("ask somebody whose does: {}", listed(&others)),
    };
    format!(
        "  warning: this signature will not count: {shown} {why} in {place}\n    {ask}\n{}",
        how_to_be_added(pen.public(), next)
    )
}

fn how_to_be_added(key: &PublicKey, next: Option<&Known>) -> String {
    let signed = format!("`lockgate sign {TRUST_FILE}`");
    match next.and_then(|next| next.name(key)) {
        Some(name) => format!(
            "    the work tree's `{TRUST_FILE}` names it, as {}: it counts once base's approvers have signed that change ({signed})\n",
            Untrusted::new(name).in_terminal()
        ),
        None => format!(
            "    or be added: this goes into `{TRUST_FILE}`, and base's approvers sign that change ({signed}):\n      [[key]]\n      name = \"YOUR-NAME\"\n      role = \"approver\"\n      public = \"{}\"\n",
            key.ssh_line()
        ),
    }
}

fn may_sign(known: &Known) -> BTreeSet<String> {
    let approvers = known.file().approvers(clock::now());
    approvers.into_iter().map(str::to_owned).collect()
}

/// Names from a trust file, as they are told.
pub(super) fn listed(names: &BTreeSet<String>) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Untrusted::new(names.join(", ")).in_terminal().to_string()
}
