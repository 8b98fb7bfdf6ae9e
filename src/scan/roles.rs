//! Instruction override: new roles and tasks for the model.

use super::concept::Concept;
use super::kind::Severity;
use super::reading::{Raised, Reading, raise, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};
use super::voice::Voice;

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
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

/// From now on something is otherwise, or is as something else: by itself that is news.
const NEWS: [&str; 29] = [
    "actua como",
    "actue como",
    "aja como",
    "agisci come",
    "comportati come",
    "agis comme",
    "agissez comme",
    "verhalte dich wie",
    "действуй как",
    "действуйте как",
    "from now on your",
    "ab sofort",
    "a partir de ahora",
    "desde ahora",
    "a partir de agora",
    "de agora em diante",
    "da ora in poi",
    "d'ora in poi",
    "a partir de maintenant",
    "отныне",
    "с этого момента",
    "从现在起",
    "從現在起",
    "从现在开始",
    "從現在開始",
    "これからは",
    "이제부터",
    "지금부터",
    "扮演",
];

/// `act as` is said of many a harmless thing.
fn is_weak(sentence: &Sentence, role: &Hit) -> bool {
    let words = sentence.text(role);
    let after = sentence.text_after(role).trim_start();
    let is_state = [
        "connected",
        "logged",
        "signed",
        "ready",
        "using",
        "subscribed",
        "able",
    ]
    .iter()
    .any(|state| after.starts_with(state));
    if NEWS.contains(&words) || (words == "you are now" && is_state) {
        return true;
    }
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
