//! Exfiltration channels: parameters that carry out what is not the tool's business.

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
    if let Some(severity) = identity(reading) {
        raise_at(ScanRule::AsksModelIdentity, severity, raised);
    }
    if reading.role == Role::Key && is_side_channel(&reading.sentence.folded) {
        raise_at(ScanRule::SideChannel, Severity::Low, raised);
    }
}

/// The conversation or the system prompt, asked for.
fn context(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    let whole = sentence
        .all(Concept::WholeTalk)
        .iter()
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
        _ if sentence.is_mentioned(talk) => Severity::Low,
        Some(_) if insists || yours || has_target(reading) => Severity::High,
        Some(verb) if in_parameter || !is_english(verb) => Severity::Medium,
        Some(_) => Severity::Low,
        None if !in_parameter => return None,
        None if denied => Severity::Low,
        None if yours => Severity::High,
        None if insists => Severity::Medium,
        None => Severity::Low,
    })
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

fn is_part(verb: &Hit, talk: &Hit) -> bool {
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

/// Which model calls: asked in words, or by the name of a parameter.
fn identity(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    match reading.role {
        Role::Key => names_the_caller(&sentence.folded).then_some(Severity::High),
        Role::Parameter { is_required } => {
            let name = sentence.all(Concept::ModelName).first()?;
            let caller = sentence.near(name, Concept::Caller, 16)?;
            let plain = !is_part(caller, name);
            Some(match is_required {
                true if plain => Severity::High,
                true => Severity::Medium,
                false => Severity::Low,
            })
        }
        Role::Prose => {
            let name = sentence.all(Concept::ModelName).first()?;
            let caller = sentence.near(name, Concept::Caller, 12)?;
            let plain = !is_part(caller, name)
                && sentence.folded.get(caller.start_byte..caller.end_byte) != Some("your");
            Some(if plain { Severity::High } else { Severity::Low })
        }
        Role::Name | Role::Uncovered => None,
    }
}

/// `llm_name`, `calling_model`, `assistant_identity`: the caller, and something of it.
fn names_the_caller(key: &str) -> bool {
    const WHO: [&str; 10] = [
        "llm",
        "ai",
        "assistant",
        "caller",
        "calling",
        "invoking",
        "requesting",
        "host",
        "your",
        "current",
    ];
    const WHAT: [&str; 7] = [
        "name", "model", "identity", "version", "llm", "agent", "vendor",
    ];
    let words: Vec<&str> = key.split(' ').collect();
    let (Some(first), 2..=4) = (words.first(), words.len()) else {
        return false;
    };
    let models = ["llm", "ai", "model", "llms"]
        .iter()
        .any(|model| words.contains(model));
    WHO.contains(first)
        && models
        && words
            .iter()
            .skip(1)
            .all(|word| WHAT.contains(word) || WHO.contains(word) || *word == "id")
        && words.iter().any(|word| {
            matches!(
                *word,
                "name" | "identity" | "version" | "calling" | "caller" | "invoking" | "requesting"
            )
        })
}

fn is_side_channel(key: &str) -> bool {
    matches!(
        key,
        "sidenote"
            | "side note"
            | "sidenotes"
            | "scratchpad"
            | "internal notes"
            | "hidden notes"
            | "chain of thought"
            | "inner monologue"
            | "exfil"
            | "leak"
    )
}
