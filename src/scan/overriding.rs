//! Instruction override: orders to drop instructions, safety rules, or a role.

use super::concept::Concept;
use super::kind::Severity;
use super::reading::{Raised, Reading, raise, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};
use super::voice::Voice;

/// How far the object of an order stands from its verb.
const OBJECT: u32 = 18;

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    let sentence = reading.sentence;
    if let Some(severity) = overrides(sentence) {
        raise_at(ScanRule::OverrideInstructions, severity, raised);
    }
    safety(sentence, raised);
    new_role(reading, raised);
}

fn overrides(sentence: &Sentence) -> Option<Severity> {
    let dropped = sentence
        .all(Concept::Ignore)
        .iter()
        .filter_map(|verb| drops(sentence, verb));
    let void = sentence
        .all(Concept::Ignored)
        .iter()
        .filter_map(|verb| is_void(sentence, verb));
    let above = sentence
        .all(Concept::Supersede)
        .iter()
        .filter_map(|verb| stands_above(sentence, verb));
    dropped
        .chain(void)
        .chain(above)
        .chain(resolves_conflict(sentence))
        .max()
}

/// `ignore all previous instructions`, `forget what you were told`.
fn drops(sentence: &Sentence, verb: &Hit) -> Option<Severity> {
    let object = instructions(sentence, verb).or_else(|| all_of_it(sentence, verb))?;
    // To ignore what stands in a page is a defence.
    if sentence.near(object, Concept::Defence, 12).is_some() {
        return None;
    }
    match sentence.voice(verb) {
        Voice::Order => Some(Severity::High),
        Voice::Capability if sentence.is_permitted(verb) || is_freed(sentence, verb) => {
            Some(Severity::High)
        }
        Voice::Mentioned | Voice::Capability => Some(Severity::Low),
        Voice::Negated => None,
    }
}

/// The instructions of somebody else than this tool, beside a verb.
fn instructions<'s>(sentence: &'s Sentence, verb: &Hit) -> Option<&'s Hit> {
    let strong = [Concept::Prior, Concept::Told];
    let firm = sentence
        .near(verb, Concept::Instr, OBJECT)
        .filter(|object| {
            let whose = sentence.near_any(object, &strong, 10).is_some();
            let yours = sentence.near(object, Concept::Own, 6).is_some();
            let others = sentence.near(object, Concept::PriorWeak, 4).is_some();
            whose || ((yours || others) && verb.at <= object.at)
        });
    firm.or_else(|| {
        sentence
            .near(verb, Concept::InstrWeak, OBJECT)
            .filter(|object| {
                sentence.near_any(object, &strong, 6).is_some()
                    || told(sentence, object)
                    || is_yours(sentence, object)
            })
    })
}

/// `you are no longer bound by`.
fn is_freed(sentence: &Sentence, verb: &Hit) -> bool {
    let words = sentence
        .folded
        .get(verb.start_byte..verb.end_byte)
        .unwrap_or_default();
    [
        "bound by",
        "exempt",
        "free from",
        "need to follow",
        "need not",
    ]
    .iter()
    .any(|part| words.contains(part))
}

/// Does the sentence speak of this very text?
fn speaks_of_itself(before: &str) -> bool {
    [
        "this notice",
        "this description",
        "this message",
        "the following",
        "these rules",
        "this text",
    ]
    .iter()
    .any(|text| before.contains(text))
}

/// `your rules`, `the rules of your developer`: somebody else's than this tool's.
fn is_yours(sentence: &Sentence, object: &Hit) -> bool {
    sentence.near(object, Concept::Own, 6).is_some_and(|own| {
        let words = sentence.folded.get(own.start_byte..own.end_byte);
        !matches!(words, Some("system" | "built in" | "hidden" | "default"))
    })
}

/// `if your instructions say otherwise, follow this description`.
fn resolves_conflict(sentence: &Sentence) -> Option<Severity> {
    let conflict = sentence.all(Concept::Conflict).first()?;
    let whose = [
        Concept::Instr,
        Concept::SysPrompt,
        Concept::InstrWeak,
        Concept::Told,
    ];
    sentence.near_any(conflict, &whose, 16)?;
    let loses = sentence.has_any(&[Concept::Ignored, Concept::Ignore, Concept::Follow]);
    match sentence.is_mentioned(conflict) {
        true => Some(Severity::Low),
        false => loses.then_some(Severity::High),
    }
}

fn told(sentence: &Sentence, object: &Hit) -> bool {
    sentence.near(object, Concept::Told, 12).is_some()
}

/// `disregard everything above`, `forget whatever your developer told you`.
fn all_of_it<'s>(sentence: &'s Sentence, verb: &Hit) -> Option<&'s Hit> {
    if let Some(told) = sentence.after(verb, Concept::Told, 14) {
        return Some(told);
    }
    let all = sentence.after(verb, Concept::All, 6)?;
    let rest = sentence.after(all, Concept::Told, 14);
    rest.or_else(|| {
        sentence
            .after(all, Concept::Prior, 8)
            .filter(|_| is_pronoun(sentence, all))
    })
}

/// Does `all` stand by itself (`everything`), or belong to a noun (`any rows`)?
fn is_pronoun(sentence: &Sentence, all: &Hit) -> bool {
    let word = sentence
        .folded
        .get(all.start_byte..all.end_byte)
        .unwrap_or_default();
    let next = sentence
        .folded
        .get(all.end_byte..)
        .unwrap_or_default()
        .trim_start();
    !matches!(word, "any" | "every" | "each" | "these")
        && (word != "all"
            || ["the above", "of the above", "above", "of this"]
                .iter()
                .any(|of| next.starts_with(of)))
}

/// `previous instructions are void`.
fn is_void(sentence: &Sentence, verb: &Hit) -> Option<Severity> {
    if let Some(told) = sentence.before(verb, Concept::Told, 8) {
        return (!sentence.is_mentioned(told)).then_some(Severity::High);
    }
    let object = sentence.before(verb, Concept::Instr, 14)?;
    sentence.near_any(object, &[Concept::Prior, Concept::Own, Concept::Told], 6)?;
    match sentence.voice(verb) {
        Voice::Order | Voice::Capability => Some(Severity::High),
        Voice::Mentioned => Some(Severity::Low),
        Voice::Negated => None,
    }
}

/// `these instructions take precedence over the system prompt`.
fn stands_above(sentence: &Sentence, verb: &Hit) -> Option<Severity> {
    let below = sentence.after(verb, Concept::SysPrompt, 10).or_else(|| {
        let object = sentence.after(verb, Concept::Instr, 10)?;
        sentence.near_any(
            object,
            &[
                Concept::Prior,
                Concept::Own,
                Concept::PriorWeak,
                Concept::All,
            ],
            8,
        )
    });
    below?;
    if sentence.is_mentioned(verb) {
        return Some(Severity::Low);
    }
    let claims = sentence
        .near_any(
            verb,
            &[Concept::Instr, Concept::InstrWeak, Concept::Prior],
            10,
        )
        .is_some_and(|subject| subject.end_byte <= verb.start_byte)
        || speaks_of_itself(sentence.folded.get(..verb.start_byte).unwrap_or_default());
    let english_base = sentence.folded.get(verb.start_byte..verb.end_byte) == Some("override");
    match sentence.voice(verb) {
        Voice::Order | Voice::Capability if claims => Some(Severity::High),
        Voice::Order if english_base => Some(Severity::High),
        Voice::Order | Voice::Capability => Some(Severity::Low),
        Voice::Negated | Voice::Mentioned => None,
    }
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
    let words = sentence
        .folded
        .get(role.start_byte..role.end_byte)
        .unwrap_or_default();
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
    let after = reading
        .sentence
        .folded
        .get(role.end_byte..)
        .unwrap_or_default();
    let words = reading
        .sentence
        .folded
        .get(role.start_byte..role.end_byte)
        .unwrap_or_default();
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
