//! Secrecy: orders not to tell the user.

use super::concept::Concept;
use super::kind::Severity;
use super::knowing;
use super::lexicon::Language;
use super::reading::{Raised, Reading, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    let sentence = reading.sentence;
    let found = [
        told_nothing(sentence),
        without_telling(sentence),
        knowing::must_not(sentence),
    ];
    if let Some(severity) = found.into_iter().flatten().max() {
        raise_at(ScanRule::HideFromUser, severity, raised);
    }
}

/// What is found in an example is low.
pub(super) fn unless_mentioned(sentence: &Sentence, hit: &Hit, severity: Severity) -> Severity {
    match sentence.is_mentioned(hit) {
        true => Severity::Low,
        false => severity,
    }
}

/// `do not tell the user`, `never mention this`.
fn told_nothing(sentence: &Sentence) -> Option<Severity> {
    let strong = sentence
        .all(Concept::Reveal)
        .iter()
        .map(|verb| (verb, Severity::High));
    let weak = sentence
        .all(Concept::Display)
        .iter()
        .map(|verb| (verb, Severity::Medium));
    let judged = strong.chain(weak).filter_map(|(verb, highest)| {
        let not = sentence
            .before(verb, Concept::Not, 8)
            .or_else(|| sentence.before(verb, Concept::MustNot, 8))
            .filter(|not| sentence.reaches(not, verb))
            .or_else(|| negated_behind(sentence, verb))?;
        // `not important enough to warn the user`
        if sentence.between(not, verb).ends_with(" enough to ") {
            return None;
        }
        let this = sentence.after(verb, Concept::This, 10);
        let reach = if this.is_some() { 24 } else { 14 };
        let user = sentence
            .near(verb, Concept::User, reach)
            .filter(|user| !is_told_to(sentence, user) && !is_spoken_of(sentence, verb, user));
        let severity = match (user, this) {
            _ if is_harmless(sentence, verb) => Severity::Low,
            (Some(_), _) if highest == Severity::High => Severity::High,
            (Some(_), Some(_)) => Severity::High,
            (None, Some(this)) if highest == Severity::High => match is_clause(sentence, this) {
                true => Severity::Low,
                false => Severity::Medium.max(with_deed(sentence)),
            },
            (Some(_), None) => Severity::Low,
            (None, Some(_) | None) => return None,
        };
        Some(unless_mentioned(sentence, not, severity))
    });
    Severity::worst(judged)
}

/// `that the data is cached`: what is not said is a fact, not what the reader does.
fn is_clause(sentence: &Sentence, this: &Hit) -> bool {
    let after = sentence.text_after(this);
    let of_the_reader = [
        Concept::Read,
        Concept::Send,
        Concept::Conveyed,
        Concept::Secret,
        Concept::Path,
    ];
    sentence.text(this) == "that"
        && ["the ", "a ", "this tool"]
            .iter()
            .any(|word| after.trim_start().starts_with(word))
        && !sentence.has_any(&of_the_reader)
}

/// Languages that say it the other way round: `sag dem Benutzer nichts`.
fn negated_behind<'s>(sentence: &'s Sentence, verb: &Hit) -> Option<&'s Hit> {
    match verb.language == Language::ENGLISH {
        true => None,
        false => sentence.after(verb, Concept::Not, 14),
    }
}

/// Beside a deed that is to be hidden, an order of silence is high.
fn with_deed(sentence: &Sentence) -> Severity {
    let deeds = [
        Concept::Path,
        Concept::Read,
        Concept::Pass,
        Concept::Send,
        Concept::SecretOp,
        Concept::Instr,
    ];
    match sentence.has_any(&deeds) {
        true => Severity::High,
        false => Severity::Medium,
    }
}

/// `tell the user to …` is an order to hand a task over, not to hide one.
fn is_told_to(sentence: &Sentence, user: &Hit) -> bool {
    let after = sentence.text_after(user);
    // `do not bother the user with warnings`, and not `with the details of this transfer`
    if after.starts_with(" with ") && !after.contains(" this ") && !after.contains(" that ") {
        return true;
    }
    [
        "to ",
        "how ",
        "if ",
        "that they should ",
        "unless ",
        "again",
        "more than ",
        "twice",
        "who ",
        "until ",
    ]
    .iter()
    .any(|word| after.trim_start().starts_with(word))
}

/// `mention customers by name`: whom it is about, not who is not to know.
fn is_spoken_of(sentence: &Sentence, verb: &Hit, user: &Hit) -> bool {
    const ABOUT: [&str; 14] = [
        "mention",
        "reveal",
        "disclose",
        "divulge",
        "announce",
        "acknowledge",
        "admit",
        "bring up",
        "speak of",
        "talk about",
        "discuss",
        "show",
        "display",
        "include",
    ];
    let between = sentence.between(verb, user);
    ABOUT.contains(&sentence.text(verb))
        && user.start_byte >= verb.end_byte
        && !between.contains(" to ")
        && !between.contains(" with ")
        && verb.distance(user) <= 4
}

/// Is it about identifiers, passwords or formats, which are better not shown?
pub(super) fn is_harmless(sentence: &Sentence, verb: &Hit) -> bool {
    let object = sentence.after(verb, Concept::Harmless, 12);
    object.is_some_and(|object| {
        // The harm is in what is done with it.
        let between = sentence.between(verb, object);
        !between.contains("ing ") && !between.contains(" that ") && !between.contains(" you ")
    })
}

/// `without telling the user`.
fn without_telling(sentence: &Sentence) -> Option<Severity> {
    let judged = sentence.all(Concept::Telling).iter().filter_map(|verb| {
        let not = sentence.before(verb, Concept::Not, 8)?;
        let is_english = verb.language == Language::ENGLISH;
        let user = match is_english {
            // `without the customer noticing`
            true => sentence
                .after(verb, Concept::User, 12)
                .or_else(|| sentence.after(not, Concept::User, 6)),
            false => sentence.near(verb, Concept::User, 12),
        };
        let this = sentence.after(verb, Concept::This, 8);
        match (user, this) {
            _ if sentence.before(not, Concept::Not, 14).is_some() => None,
            _ if is_harmless(sentence, verb) || is_description(sentence) => Some(Severity::Low),
            (Some(_), _) => Some(unless_mentioned(sentence, not, Severity::High)),
            (None, Some(_)) => Some(unless_mentioned(sentence, not, with_deed(sentence))),
            (None, None) if !is_english && sentence.has(&[Concept::User]) => Some(Severity::Medium),
            (None, None) => None,
        }
    });
    Severity::worst(judged)
}

/// Does it tell what the tool does, `Removes …`, and order nothing?
fn is_description(sentence: &Sentence) -> bool {
    let first = sentence.folded.split(' ').next().unwrap_or_default();
    let is_third = first.ends_with('s')
        && !matches!(
            first,
            "this" | "always" | "as" | "its" | "process" | "access" | "pass"
        );
    is_third && !sentence.has_any(&[Concept::Want, Concept::Secretly])
}
