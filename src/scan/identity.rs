//! Exfiltration channels: parameters that ask which model calls, or take its notes.

use super::channel::is_part;
use super::concept::Concept;
use super::kind::Severity;
use super::reading::{Raised, Reading, Role, raise_at};
use super::rule::ScanRule;

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    if let Some(severity) = identity(reading) {
        raise_at(ScanRule::AsksModelIdentity, severity, raised);
    }
    if reading.role == Role::Key && is_side_channel(&reading.sentence.folded) {
        raise_at(ScanRule::SideChannel, Severity::Low, raised);
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
