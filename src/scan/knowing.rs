//! Secrecy: the user must not know, see or find out.

use super::concept::Concept;
use super::kind::Severity;
use super::lexicon::Language;
use super::secrecy::{is_harmless, unless_mentioned};
use super::sentence::{Hit, Sentence};

/// Verbs that tell how it is, unless it must be so.
const TELLS: [&str; 11] = [
    "sees",
    "knows",
    "learns",
    "notices",
    "finds out",
    "discovers",
    "realises",
    "realizes",
    "suspects",
    "hears of",
    "visible",
];

/// `the user must not know`, `should never be mentioned to users`.
pub(super) fn must_not(sentence: &Sentence) -> Option<Severity> {
    let judged = sentence.all(Concept::ToldOf).iter().filter_map(|verb| {
        let not = negation(sentence, verb)?;
        let user = sentence.near(verb, Concept::User, 14)?;
        let is_between = not.end_byte <= user.start_byte && user.end_byte <= verb.start_byte;
        if not.distance(verb) > 8 && !is_between {
            return None;
        }
        let asks = ["if", "when", "unless"]
            .iter()
            .any(|word| sentence.folded.split(' ').take(2).any(|w| w == *word));
        // `the user never sees the raw value` tells how it is.
        let tells = TELLS.contains(&sentence.text(verb)) && !sentence.has(&[Concept::Want]);
        if asks || tells || is_harmless(sentence, verb) || user.clause != not.clause {
            return Some(Severity::Low);
        }
        Some(unless_mentioned(sentence, not, Severity::High))
    });
    Severity::worst(judged)
}

/// What denies the user that knowledge: `must not`, or `so that … does not`.
fn negation<'s>(sentence: &'s Sentence, verb: &Hit) -> Option<&'s Hit> {
    if verb.language != Language::ENGLISH {
        return sentence.near(verb, Concept::Not, 10);
    }
    let aims = ["so that", "so the", "ensure", "make sure", "take care"];
    let is_aim = aims.iter().any(|aim| sentence.folded.contains(aim));
    let aimed = sentence.before(verb, Concept::Not, 8).filter(|_| is_aim);
    aimed.or_else(|| sentence.before(verb, Concept::MustNot, 16))
}
