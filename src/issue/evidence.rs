//! Checks of one server → what it offers instead of what was approved, each drift once.
//!
//! Its digest is what an issue remembers: the same digest, the same drift, nothing new to
//! tell.

use crate::check::{Checked, Outcome, Verdict};
use crate::lock::{Digest, Lockfile, listing_digest};

/// What a server offers that was not approved.
#[derive(Debug, Clone)]
pub struct Evidence<'a> {
    /// A digest of what was approved and what is offered.
    pub digest: Digest,
    /// One check for each way in which a lockfile of it differs; never empty.
    pub drifts: Vec<&'a Checked>,
}

impl<'a> Evidence<'a> {
    /// `None` if none of the checks says `changed`.
    pub(super) fn of(checked: &[&'a Checked]) -> Option<Self> {
        let mut drifts: Vec<(String, &Checked)> = checked
            .iter()
            .filter(|one| one.verdict() == Verdict::Changed)
            .map(|one| (spelled(one), *one))
            .collect();
        drifts.sort_by(|a, b| a.0.cmp(&b.0));
        drifts.dedup_by(|a, b| a.0 == b.0);
        let lines: Vec<&str> = drifts.iter().map(|(line, _)| line.as_str()).collect();
        let digest = Digest::of(lines.join("\n"));
        let mut drifts: Vec<&Checked> = drifts.into_iter().map(|(_, one)| one).collect();
        drifts.sort_by(|a, b| a.path.cmp(&b.path));
        (!drifts.is_empty()).then_some(Evidence { digest, drifts })
    }
}

/// What was approved and what came instead. Where a lockfile has no extended pins, what only
/// those would see is no part of it; an answer that cannot be compared is known by its reason.
fn spelled(one: &Checked) -> String {
    let approved = one.lockfile.as_ref().map_or_else(String::new, approved);
    match &one.outcome {
        Outcome::Compared(comparison) => {
            let is_extended = one
                .lockfile
                .as_ref()
                .is_some_and(|lockfile| lockfile.extended().is_some());
            let whole = comparison.offer.as_ref().filter(|_| is_extended);
            let whole = whole.map_or_else(String::new, |offer| offer.listing.to_string());
            format!("{approved} {} {whole}", comparison.current)
        }
        Outcome::Unlisted(unlisted) => format!("{approved} {}", unlisted.reason),
    }
}

fn approved(lockfile: &Lockfile) -> String {
    listing_digest(lockfile.tools_sha256(), lockfile.extended())
        .map_or_else(|_| lockfile.seal().to_string(), |digest| digest.to_string())
}
