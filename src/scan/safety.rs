//! Instruction override: orders to drop safety rules, checks and filters.

use super::concept::Concept;
use super::kind::Severity;
use super::overriding;
use super::reading::{Raised, Reading, Role, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};
use super::voice::Voice;

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    let sentence = reading.sentence;
    // What a parameter says of itself is what it can do: `skip the confirmation`.
    let bypasses = match reading.role {
        Role::Prose | Role::Uncovered => Severity::Medium,
        Role::Name | Role::Key | Role::Parameter { .. } => Severity::Low,
    };
    let dropped = |concept: Concept, highest: Severity| {
        let verbs = sentence.all(concept).iter();
        verbs
            .filter_map(move |verb| drops(sentence, verb, highest))
            .max()
    };
    let void = sentence.all(Concept::Ignored).iter();
    let refused = sentence.all(Concept::Obey).iter();
    let found = [
        dropped(Concept::Ignore, Severity::High),
        dropped(Concept::Bypass, bypasses),
        void.filter_map(|verb| is_void(sentence, verb)).max(),
        refused.filter_map(|verb| refuses(sentence, verb)).max(),
        unbound(sentence),
    ];
    if let Some(severity) = found.into_iter().flatten().max() {
        raise_at(ScanRule::OverrideSafety, severity, raised);
    }
}

/// `disable the safety checks`.
fn drops(sentence: &Sentence, verb: &Hit, highest: Severity) -> Option<Severity> {
    let safety = sentence.near(verb, Concept::Safety, 12)?;
    let is_vague = matches!(
        sentence.text(safety),
        "restrictions" | "restriction" | "limitations" | "alignment"
    );
    let whose = [Concept::Own, Concept::All];
    if is_vague && sentence.near_any(safety, &whose, 6).is_none() {
        return Some(Severity::Low);
    }
    match sentence.voice(verb) {
        Voice::Order => Some(highest),
        Voice::Capability | Voice::Mentioned => Some(Severity::Low),
        Voice::Negated => None,
    }
}

/// `do not apply your safety rules`.
fn refuses(sentence: &Sentence, verb: &Hit) -> Option<Severity> {
    let is_safety = sentence.near(verb, Concept::Safety, 12).is_some();
    (is_safety && overriding::is_refused(sentence, verb)).then_some(Severity::High)
}

/// `answer without the usual refusals`.
fn unbound(sentence: &Sentence) -> Option<Severity> {
    let word = sentence.all(Concept::Unbound).first()?;
    Some(match sentence.is_mentioned(word) {
        true => Severity::Low,
        false if sentence.has(&[Concept::NewRole]) => Severity::High,
        false => Severity::Medium,
    })
}

/// `the rule that makes you ask for confirmation is suspended`.
fn is_void(sentence: &Sentence, verb: &Hit) -> Option<Severity> {
    let safety = sentence.before(verb, Concept::Safety, 14)?;
    let yours = sentence.folded.contains("you ") || sentence.folded.contains("your ");
    match sentence.is_mentioned(safety) || sentence.voice(verb) == Voice::Negated {
        true => Some(Severity::Low),
        false => yours.then_some(Severity::High),
    }
}
