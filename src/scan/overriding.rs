//! Instruction override: orders to drop the instructions of others.

use super::above;
use super::concept::Concept;
use super::kind::Severity;
use super::reading::{Raised, Reading, raise_at};
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
    let disobeyed = sentence
        .all(Concept::Obey)
        .iter()
        .filter_map(|verb| disobeys(sentence, verb));
    let claimed = above::claims(sentence);
    dropped.chain(disobeyed).chain(void).chain(claimed).max()
}

/// `ignore all previous instructions`, `forget what you were told`.
fn drops(sentence: &Sentence, verb: &Hit) -> Option<Severity> {
    let prompt = || {
        let prompt = sentence.near(verb, Concept::SysPrompt, 12)?;
        prompt.language.is(verb.language).then_some(prompt)
    };
    let object = instructions(sentence, verb)
        .or_else(|| all_of_it(sentence, verb))
        .or_else(prompt)?;
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

/// `never follow your guidelines`, `do not ever obey the system prompt`.
fn disobeys(sentence: &Sentence, verb: &Hit) -> Option<Severity> {
    let wished = || sentence.after(verb, Concept::SysPrompt, 8);
    let object = instructions(sentence, verb).or_else(wished);
    let object = object.filter(|_| is_refused(sentence, verb))?;
    let defends = sentence.near(object, Concept::Defence, 12).is_some();
    (!defends).then_some(Severity::High)
}

/// Is the reader told not to obey: `never follow`, and not `does not follow`?
pub(super) fn is_refused(sentence: &Sentence, verb: &Hit) -> bool {
    const TELLS: [&str; 9] = [
        "does not", "doesn't", "is not", "isn't", "cannot", "can't", "without", "no", "won't",
    ];
    let not = sentence.before(verb, Concept::Not, 6);
    let tells = not.is_some_and(|not| TELLS.contains(&sentence.text(not)));
    sentence.voice(verb) == Voice::Negated && !tells
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
            let follows = verb.at <= object.at || verb.language.ends_with_its_verb();
            whose || ((yours || others) && follows)
        });
    firm.or_else(|| {
        let objects = sentence.around(verb, Concept::InstrWeak, OBJECT);
        objects.into_iter().find(|object| {
            (sentence.near_any(object, &strong, 8).is_some() && !is_work(sentence.text(object)))
                || told(sentence, object)
                || is_yours(sentence, object)
        })
    })
}

/// What a tool has of its own, and may drop: tasks, messages, requests.
pub(super) fn is_work(object: &str) -> bool {
    const WORK: [&str; 12] = [
        "goal",
        "goals",
        "objective",
        "objectives",
        "task",
        "tasks",
        "message",
        "messages",
        "request",
        "requests",
        "order",
        "orders",
    ];
    WORK.contains(&object)
}

/// `you are no longer bound by`.
fn is_freed(sentence: &Sentence, verb: &Hit) -> bool {
    let words = sentence.text(verb);
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

/// `your rules`, `the rules of your developer`: somebody else's than this tool's.
pub(super) fn is_yours(sentence: &Sentence, object: &Hit) -> bool {
    sentence.near(object, Concept::Own, 6).is_some_and(|own| {
        let words = sentence.folded.get(own.start_byte..own.end_byte);
        const OF_A_PROGRAM: [&str; 6] = [
            "system", "built in", "hidden", "normal", "usual", "standard",
        ];
        words.is_some_and(|words| !OF_A_PROGRAM.contains(&words))
    })
}

pub(super) fn told(sentence: &Sentence, object: &Hit) -> bool {
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
    let word = sentence.text(all);
    let next = sentence.text_after(all).trim_start();
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
    let whose = [Concept::Prior, Concept::Own, Concept::Told];
    let firm = sentence
        .before(verb, Concept::Instr, 14)
        .filter(|object| sentence.near_any(object, &whose, 6).is_some());
    let weak = || {
        let mut objects = sentence.around(verb, Concept::InstrWeak, 14);
        objects.find(|object| {
            object.end_byte <= verb.start_byte
                && (told(sentence, object) || is_yours(sentence, object))
        })
    };
    let wished = || sentence.before(verb, Concept::SysPrompt, 8);
    firm.or_else(weak).or_else(wished)?;
    match sentence.voice(verb) {
        Voice::Order | Voice::Capability => Some(Severity::High),
        Voice::Mentioned => Some(Severity::Low),
        Voice::Negated => None,
    }
}
