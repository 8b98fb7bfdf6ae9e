//! Checks → what a person has to do about each, the worst first.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::way_out::{approve, next_step};
use crate::check::{Bearing, Cause, Checked, Decision, Level, Outcome, Report, Verdict};
use crate::message::Message;
use crate::untrusted::Untrusted;

/// So many lockfiles are named in one step.
const AT_ONCE: usize = 3;

/// What can come of a check, in the words of a person who has to do something about it.
pub(super) const KINDS: [&str; 6] = [
    "changed",
    "refused",
    "need credentials",
    "could not be checked",
    "not asked",
    "unchanged",
];

/// What came of one check: one of [`KINDS`].
pub(super) fn kind(one: &Checked) -> &'static str {
    match (&one.outcome, one.verdict()) {
        (_, Verdict::Unchanged) => "unchanged",
        (Outcome::Compared(_), _) | (_, Verdict::Changed) => "changed",
        (Outcome::Unlisted(unlisted), Verdict::Unreachable) => match unlisted.reason.cause() {
            Cause::Credentials => "need credentials",
            Cause::Lockfile => "refused",
            Cause::NotAsked => "not asked",
            Cause::Silence | Cause::Ours | Cause::Drift => "could not be checked",
        },
    }
}

/// The checks, the worst first: what fails the run before what does not.
pub(super) fn by_weight(checked: &[Checked]) -> Vec<&Checked> {
    let mut sorted: Vec<&Checked> = checked.iter().collect();
    sorted.sort_by_key(|one| {
        let bears = match (one.verdict(), one.bearing) {
            (Verdict::Unchanged, _) => 2,
            (_, Bearing::Decides) => 0,
            (_, Bearing::Told) => 1,
        };
        let verdict = match one.verdict() {
            Verdict::Changed => 2,
            Verdict::Unreachable => 1,
            Verdict::Unchanged => 0,
        };
        (bears, Reverse(verdict))
    });
    sorted
}

/// The next steps for whoever can mend it, each once, worst first.
pub(super) fn steps(report: &Report) -> Vec<Message> {
    let decides = |one: &&Checked| one.bearing == Bearing::Decides && kind(one) != "not asked";
    let blocks: Vec<&Checked> = by_weight(&report.checked)
        .into_iter()
        .filter(decides)
        .collect();
    let is_drift = |one: &&Checked| matches!(one.outcome, Outcome::Compared(_));
    let drifted: Vec<&Untrusted> = blocks
        .iter()
        .copied()
        .filter(is_drift)
        .filter(|one| one.decision() == Decision::Block)
        .map(|one| &one.path)
        .collect();
    let drift = (!drifted.is_empty()).then(|| approve(&drifted));
    let silent = silent(blocks.iter().copied().filter(|one| !is_drift(one)));
    let errors = report.findings.iter();
    let errors = errors.filter(|finding| finding.level == Level::Error);
    let errors = errors.filter_map(|finding| {
        let place = finding.path.as_ref().map(about);
        Some(place.unwrap_or_default().then(finding.hint.clone()?))
    });
    let mut known = BTreeSet::new();
    let all = drift.into_iter().chain(errors).chain(silent);
    all.filter(|step| known.insert(step.clone())).collect()
}

/// One step for all that need the same.
fn silent<'a>(checks: impl Iterator<Item = &'a Checked>) -> Vec<Message> {
    let mut same: Vec<(Message, Vec<&Untrusted>)> = Vec::new();
    for one in checks {
        let Some(step) = next_step(one) else { continue };
        match same.iter_mut().find(|(known, _)| *known == step) {
            Some((_, paths)) => paths.push(&one.path),
            None => same.push((step, vec![&one.path])),
        }
    }
    let told = |(step, paths): (Message, Vec<&Untrusted>)| {
        let more = match paths.len().saturating_sub(AT_ONCE) {
            0 => ": ".to_owned(),
            more => format!(" and {more} more: "),
        };
        let named = Message::default().each(paths.into_iter().take(AT_ONCE));
        named.ours(more).then(step)
    };
    same.into_iter().map(told).collect()
}

fn about(path: &Untrusted) -> Message {
    Message::default().theirs(path).ours(": ")
}
