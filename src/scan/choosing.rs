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
    if !sentence.has(&[Concept::Run, Concept::AnyTool]) {
        return None;
    }
    let judged = sentence.all(Concept::Run).iter().filter_map(|run| {
        let any = sentence.near(run, Concept::AnyTool, 30)?;
        let insists = sentence.has_any(&[Concept::Want, Concept::Not]) || sentence.is_order(run);
        let first =
            sentence.near(any, Concept::First, 14).is_some() || is_whatever(sentence.text(any));
        Some(match insists && first && is_this(sentence, run) {
            _ if sentence.is_mentioned(run) || names_a_sibling(reading) => Severity::Low,
            _ if is_of_one_server(&sentence.folded) => Severity::Low,
            _ if is_about(sentence.text_after(any)) => Severity::Low,
            true => Severity::Medium,
            false => Severity::Low,
        })
    });
    Severity::worst(judged)
}

/// `every turn`, `no matter what the user wants`.
fn is_whatever(any: &str) -> bool {
    let starts = [
        "every",
        "each",
        "in every",
        "in each",
        "regardless",
        "no matter",
        "whatever",
        "never",
    ];
    starts.iter().any(|start| any.starts_with(start))
}

/// `call this tool`, `run this`, `this has to run`.
fn is_this(sentence: &Sentence, run: &super::sentence::Hit) -> bool {
    let after = sentence.text_after(run);
    sentence.near(run, Concept::ThisTool, 16).is_some()
        || after.starts_with(" this ")
        || after.starts_with(" it ")
        || sentence.folded.starts_with("this ")
        || sentence.text(run).ends_with(" this")
}

/// `before answering questions about the weather`: its own matter, and no other.
fn is_about(after: &str) -> bool {
    [
        " questions about",
        " questions on",
        " a question about",
        " queries about",
    ]
    .iter()
    .any(|about| after.starts_with(about))
}

/// An order among the tools of one server is none over all tools.
fn is_of_one_server(folded: &str) -> bool {
    let own = [
        "in this server",
        "of this server",
        "on this server",
        "in this toolset",
        "of this set",
    ];
    own.iter().any(|own| folded.contains(own))
}

/// `the best tool in the world`.
fn promotes(sentence: &Sentence) -> Option<Severity> {
    let judged = sentence.all(Concept::Best).iter().filter_map(|best| {
        let what = sentence.near_any(best, &[Concept::Tool, Concept::ThisTool], 8)?;
        let of_all = sentence.near(best, Concept::OfAll, 14);
        let negated = sentence.before(best, Concept::Not, 4).is_some();
        Some(match of_all {
            _ if negated || sentence.is_mentioned(best) => Severity::Low,
            // `the most powerful tool available` advertises; it does not shut others out.
            Some(of_all) if is_advertised(sentence.text(of_all)) => Severity::Medium,
            Some(_) => Severity::High,
            None if what.concept == Concept::ThisTool && claims(sentence, best) => Severity::Medium,
            None => return None,
        })
    });
    Severity::worst(judged)
}

fn is_advertised(of_all: &str) -> bool {
    matches!(
        of_all,
        "tool available" | "available anywhere" | "out there" | "on the market" | "there is"
    )
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
            (None, Some(_)) if is_pressed(&sentence.folded) => Severity::Medium,
            (None, Some(_)) if sentence.has(&[Concept::Want]) => Severity::Medium,
            (None, Some(_)) => Severity::Low,
            (None, None) => return None,
        };
        let lowered = sentence.is_mentioned(other) || names_a_sibling(reading);
        Some(if lowered { Severity::Low } else { severity })
    });
    Severity::worst(judged)
}

/// `even if another one fits better`, `rank this first`.
fn is_pressed(folded: &str) -> bool {
    [
        "even if another",
        "even if other",
        "even when another",
        "even when other",
        "rank this",
        "rank it",
    ]
    .iter()
    .any(|press| folded.contains(press))
}

/// `any other` alone says nothing of tools.
fn is_about_tools(sentence: &Sentence, other: &super::sentence::Hit) -> bool {
    let words = sentence.text(other);
    let vague = matches!(
        words,
        "any other"
            | "the other"
            | "others"
            | "the rest"
            | "alternative"
            | "alternatives"
            | "other options"
            | "anything else"
            | "les autres"
            | "gli altri"
    );
    let reach = if words == "the other" { 8 } else { 4 };
    !vague || sentence.near(other, Concept::Tool, reach).is_some()
}
