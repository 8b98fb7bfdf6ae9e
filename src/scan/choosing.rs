//! Coercion and preference: text that decides which tool a model calls, and when.

use super::concept::Concept;
use super::kind::Severity;
use super::reading::{Raised, Reading, raise_at};
use super::rule::ScanRule;
use super::sentence::Sentence;

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    let sentence = reading.sentence;
    if let Some(severity) = must_run_first(reading) {
        raise_at(ScanRule::MustRunFirst, severity, raised);
    }
    if let Some(severity) = promotes(sentence) {
        raise_at(ScanRule::SelfPromotion, severity, raised);
    }
    if let Some(severity) = disparages(reading) {
        raise_at(ScanRule::DisparagesOthers, severity, raised);
    }
}

/// Does the sentence name a tool of the same server? Then it tells how they go together.
fn names_a_sibling(reading: &Reading<'_>) -> bool {
    let mut quoted = reading.original.split('`').skip(1).step_by(2);
    reading.known.are_named_in(&reading.sentence.folded)
        || quoted.any(|name| reading.known.has(&super::fold::folded(name)))
}

fn must_run_first(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    if !sentence.has(&[Concept::Run, Concept::Want, Concept::AnyTool]) {
        return None;
    }
    let judged = sentence.all(Concept::Run).iter().filter_map(|run| {
        let any = sentence.near(run, Concept::AnyTool, 24)?;
        let first = sentence.near(any, Concept::First, 12).is_some()
            || sentence
                .folded
                .get(any.start_byte..any.end_byte)
                .is_some_and(|words| {
                    words.starts_with("every")
                        || words.starts_with("each")
                        || words.starts_with("regardless")
                });
        let this = sentence.near(run, Concept::ThisTool, 16).is_some();
        Some(match first && this {
            _ if sentence.is_mentioned(run) || names_a_sibling(reading) => Severity::Low,
            true => Severity::Medium,
            false => Severity::Low,
        })
    });
    judged.max()
}

/// `the best tool in the world`.
fn promotes(sentence: &Sentence) -> Option<Severity> {
    let judged = sentence.all(Concept::Best).iter().filter_map(|best| {
        let what = sentence.near_any(best, &[Concept::Tool, Concept::ThisTool], 8)?;
        let of_all = sentence.near(best, Concept::OfAll, 14);
        let negated = sentence.before(best, Concept::Not, 4).is_some();
        Some(match of_all {
            _ if negated || sentence.is_mentioned(best) => Severity::Low,
            Some(_) => Severity::High,
            None if what.concept == Concept::ThisTool && claims(sentence, best) => Severity::Medium,
            None => return None,
        })
    });
    judged.max()
}

/// `this tool is the best`, not `the best tool for`.
fn claims(sentence: &Sentence, best: &super::sentence::Hit) -> bool {
    let words = sentence.text(best);
    let before = sentence.text_before(best);
    !matches!(
        words,
        "better" | "best" | "perfect" | "fastest" | "most efficient"
    ) && (before.ends_with("is the ") || before.ends_with("as the "))
}

/// `other tools are outdated`, `never use any other tool`.
fn disparages(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    let judged = sentence.all(Concept::Other).iter().filter_map(|other| {
        let is_plain = is_about_tools(sentence, other);
        let shunned = sentence.near(other, Concept::Shun, 16).filter(|_| is_plain);
        let preferred = sentence
            .near(other, Concept::Prefer, 12)
            .filter(|_| is_plain && sentence.has(&[Concept::ThisTool]));
        let severity = match (shunned, preferred) {
            (Some(_), _) => Severity::High,
            (None, Some(_)) if sentence.has(&[Concept::Want]) => Severity::Medium,
            (None, Some(_)) => Severity::Low,
            (None, None) => return None,
        };
        let lowered = sentence.is_mentioned(other) || names_a_sibling(reading);
        Some(if lowered { Severity::Low } else { severity })
    });
    judged.max()
}

/// `any other` alone says nothing of tools.
fn is_about_tools(sentence: &Sentence, other: &super::sentence::Hit) -> bool {
    let words = sentence.text(other);
    let vague = matches!(
        words,
        "any other"
            | "others"
            | "the rest"
            | "alternative"
            | "alternatives"
            | "other options"
            | "anything else"
            | "les autres"
            | "gli altri"
    );
    !vague || sentence.near(other, Concept::Tool, 4).is_some()
}
