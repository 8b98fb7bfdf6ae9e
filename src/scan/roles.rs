//! Instruction override: orders to drop safety rules, and new roles for the model.

use super::concept::Concept;
use super::kind::Severity;
use super::reading::{Raised, Reading, raise, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};
use super::voice::Voice;

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    safety(reading.sentence, raised);
    new_role(reading, raised);
}

fn safety(sentence: &Sentence, raised: &mut Raised) {
    let judged = |verb: &Hit, highest: Severity| {
        sentence.near(verb, Concept::Safety, 12)?;
        match sentence.voice(verb) {
            Voice::Order => Some(highest),
            Voice::Capability if highest == Severity::Medium => Some(Severity::Low),
            Voice::Capability | Voice::Mentioned => Some(Severity::Low),
            Voice::Negated => None,
        }
    };
    let ignored = sentence
        .all(Concept::Ignore)
        .iter()
        .filter_map(|verb| judged(verb, Severity::High));
    let bypassed = sentence
        .all(Concept::Bypass)
        .iter()
        .filter_map(|verb| judged(verb, Severity::Medium));
    if let Some(severity) = ignored.chain(bypassed).max() {
        raise_at(ScanRule::OverrideSafety, severity, raised);
    }
}

fn new_role(reading: &Reading<'_>, raised: &mut Raised) {
    let sentence = reading.sentence;
    for role in sentence.all(Concept::NewRole) {
        let is_task = sentence.near(role, Concept::NewTask, 0).is_some();
        let severity = match sentence.voice(role) {
            Voice::Order if is_shouted(reading, role) => Severity::High,
            Voice::Order if is_task => Severity::High,
            Voice::Order if is_weak(sentence, role) => Severity::Low,
            Voice::Order => Severity::Medium,
            Voice::Capability | Voice::Mentioned => Severity::Low,
            Voice::Negated => continue,
        };
        return raise_at(ScanRule::NewRole, severity, raised);
    }
    let trusts = [Concept::Trust];
    if sentence.has(&trusts) && is_heading(reading.original) {
        raise(ScanRule::PseudoMarker, raised);
    }
}

/// `act as` is said of many a harmless thing.
fn is_weak(sentence: &Sentence, role: &Hit) -> bool {
    let words = sentence.text(role);
    matches!(
        words,
        "act as"
            | "acting as"
            | "behave as"
            | "you no longer"
            | "you will now"
            | "without restrictions"
            | "roleplay as"
            | "role play as"
            | "assume the role"
            | "developer mode"
    )
}

/// Is it written in capitals, as a heading is: `ACT AS: …`?
fn is_shouted(reading: &Reading<'_>, role: &Hit) -> bool {
    let after = reading.sentence.text_after(role);
    let words = reading.sentence.text(role);
    let shouted = reading.original.contains(&words.to_uppercase());
    shouted && after.starts_with(':')
}

/// Does the sentence open with a heading in capitals: `SYSTEM …:`?
fn is_heading(original: &str) -> bool {
    let head = original.split(':').next().unwrap_or_default();
    head.len() < original.len()
        && head.len() <= 40
        && head.len() >= 4
        && !head.contains(char::is_lowercase)
}
