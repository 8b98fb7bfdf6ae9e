//! Exfiltration channels: parameters that carry the conversation out.

use super::concept::Concept;
use super::exfiltration::is_english;
use super::kind::Severity;
use super::reading::{Raised, Reading, Role, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    if let Some(severity) = context(reading) {
        raise_at(ScanRule::ContextInParameter, severity, raised);
    }
}

/// The conversation or the system prompt, asked for.
fn context(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    // `all of the dialogue` is as good as `the whole conversation`.
    let is_all = |hit: &Hit| matches!(sentence.text(hit), "full" | "entire" | "whole" | "complete");
    let part = sentence.all(Concept::Talk).iter().filter(|talk| {
        let wide = sentence.before(talk, Concept::Wide, 5);
        sentence.before(talk, Concept::All, 5).is_some() || wide.is_some_and(is_all)
    });
    let whole = sentence
        .all(Concept::WholeTalk)
        .iter()
        .chain(part)
        .filter(|talk| !is_identifier(sentence, talk));
    let judged = whole.filter_map(|talk| asked_for(reading, talk)).max();
    let message = sentence
        .all(Concept::UserMessage)
        .iter()
        .filter_map(|message| message_asked_for(reading, message))
        .max();
    judged.max(message)
}

/// `conversation id` is no conversation.
fn is_identifier(sentence: &Sentence, talk: &Hit) -> bool {
    let after = sentence.text_after(talk);
    let next = after.split_whitespace().next().unwrap_or_default();
    [
        "id",
        "ids",
        "identifier",
        "title",
        "name",
        "url",
        "key",
        "type",
        "limit",
        "length",
        "size",
        "uuid",
        "token",
    ]
    .contains(&next.trim_end_matches([',', '.', ')']))
}

fn asked_for(reading: &Reading<'_>, talk: &Hit) -> Option<Severity> {
    let sentence = reading.sentence;
    let verb = order_about(sentence, talk);
    let presses = [
        Concept::Want,
        Concept::First,
        Concept::Secretly,
        Concept::Passive,
        Concept::Encoded,
    ];
    let insists = sentence.near_any(talk, &presses, 30).is_some();
    let yours = yours(sentence, talk);
    let in_parameter = matches!(reading.role, Role::Parameter { .. });
    let denied = sentence.before(talk, Concept::Not, 30).is_some();
    Some(match verb {
        _ if sentence.is_mentioned(talk) || is_switch(reading) => Severity::Low,
        Some(_) if insists || yours || has_target(reading) => Severity::High,
        Some(verb) if in_parameter || !is_english(verb) => Severity::Medium,
        Some(_) => Severity::Low,
        None if !in_parameter => return None,
        None if denied => Severity::Low,
        None if yours => Severity::High,
        None if is_wanted(sentence, talk) => Severity::Medium,
        None => Severity::Low,
    })
}

/// Must it be there: `must hold the entire dialogue`?
fn is_wanted(sentence: &Sentence, talk: &Hit) -> bool {
    let wants = [
        Concept::Want,
        Concept::Secretly,
        Concept::Passive,
        Concept::Encoded,
    ];
    wants
        .iter()
        .any(|want| sentence.before(talk, *want, 30).is_some())
}

/// `when false, …`: what a switch does.
fn is_switch(reading: &Reading<'_>) -> bool {
    ["when false", "when true", "if false", "if true", "whether"]
        .iter()
        .any(|word| reading.sentence.folded.contains(word))
}

/// An order to hand the talk over, or a participle of what must be done with it.
fn order_about<'s>(sentence: &'s Sentence, talk: &Hit) -> Option<&'s Hit> {
    let moves = [
        Concept::Pass,
        Concept::Send,
        Concept::Read,
        Concept::Conveyed,
    ];
    moves.iter().find_map(|concept| {
        let mut verbs = sentence.around(talk, *concept, 30);
        verbs.find(|verb| match *concept == Concept::Conveyed {
            true => sentence.before(verb, Concept::Passive, 4).is_some(),
            false => sentence.is_order(verb) && !is_part(verb, talk),
        })
    })
}

pub(super) fn is_part(verb: &Hit, talk: &Hit) -> bool {
    talk.start_byte <= verb.start_byte && verb.end_byte <= talk.end_byte
}

/// Is it the model's own: `your system prompt`, `the conversation so far, verbatim`?
fn yours(sentence: &Sentence, talk: &Hit) -> bool {
    let words = sentence.text(talk);
    let before = sentence.text_before(talk);
    let close: Vec<&str> = before.split_ascii_whitespace().rev().take(3).collect();
    let after = sentence.text_after(talk);
    close.contains(&"your")
        || words.starts_with("your ")
        || words.contains("so far")
        || words.contains("verbatim")
        || words.contains("hidden")
        || words.contains("you have")
        || words.contains("to you")
        || words.contains("the user has")
        || [
            "verbatim",
            "so far",
            "you were given",
            "you received",
            "you have been given",
            "up to this point",
            "word for word",
            "with the user",
            "including system",
            "word by word",
            "in your context",
            "and you have",
            "without leaving",
            "exactly as",
            "until now",
            "to you",
            "of every other tool",
        ]
        .iter()
        .any(|own| after.contains(own))
}

/// Is there somewhere that it goes to: a parameter, or an address?
fn has_target(reading: &Reading<'_>) -> bool {
    matches!(reading.role, Role::Prose) && reading.sentence.has(&[Concept::Field])
        || reading.has_address
}

/// What the user wrote, word for word.
fn message_asked_for(reading: &Reading<'_>, message: &Hit) -> Option<Severity> {
    let sentence = reading.sentence;
    let asked = sentence.near(message, Concept::Want, 20).is_some();
    let verbatim =
        sentence.folded.contains("verbatim") || sentence.folded.contains("word for word");
    let optional = reading.role == Role::Parameter { is_required: false };
    match (asked && verbatim, optional) {
        (true, false) if reading.role != Role::Prose => Some(Severity::Medium),
        (true, true | false) => Some(Severity::Low),
        (false, true | false) => None,
    }
}
