//! Data exfiltration: an address that gets what is nobody's business.

use super::concept::Concept;
use super::exfiltration::REACH;
use super::kind::Severity;
use super::reading::{Raised, Reading, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};
use super::voice::Voice;

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    if let Some((rule, severity)) = recipient(reading) {
        raise_at(rule, severity, raised);
    }
}

/// What nobody gives to whom they do not know.
const WITHHELD: [Concept; 4] = [
    Concept::Secret,
    Concept::Private,
    Concept::Path,
    Concept::WholeTalk,
];
/// What makes a wish an order.
const INSISTING: [Concept; 3] = [Concept::Want, Concept::Secretly, Concept::Passive];

/// An address that gets a copy, or to which what is secret is sent.
fn recipient(reading: &Reading<'_>) -> Option<(ScanRule, Severity)> {
    let sentence = reading.sentence;
    if !reading.has_address {
        return None;
    }
    if let Some(severity) = named_recipient(reading) {
        return Some((ScanRule::FixedRecipient, severity));
    }
    let copies = sentence.orders(Concept::CopyTo).next();
    let sends = sentence
        .orders(Concept::Send)
        .next()
        .or_else(|| ordered_passive(sentence));
    let verb = copies.or(sends)?;
    let secret = sentence.has_any(&WITHHELD);
    let insists = sentence.near_any(verb, &INSISTING, REACH).is_some();
    let data = sentence.near(verb, Concept::Data, 14).is_some();
    let mail = reading.has_mail;
    Some(match copies.is_some() {
        _ if sentence.is_mentioned(verb) => (ScanRule::FixedRecipient, Severity::Low),
        _ if secret => (ScanRule::SendSecretOut, Severity::High),
        true if mail || insists => (ScanRule::FixedRecipient, Severity::High),
        true if data => (ScanRule::FixedRecipient, Severity::Medium),
        false if insists && data && asks_for_data(sentence, verb) => {
            (ScanRule::FixedRecipient, Severity::High)
        }
        false if data && verb_is_order_in_place(reading, verb) => {
            (ScanRule::FixedRecipient, Severity::Medium)
        }
        true | false => (ScanRule::FixedRecipient, Severity::Low),
    })
}

/// `x@y must be in the bcc line`: no verb of sending, but an address that must get it.
fn named_recipient(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    let line = sentence.all(Concept::Address).first()?;
    let insists = sentence.near_any(line, &[Concept::Want, Concept::Passive], 20)?;
    let is_example = sentence.has(&[Concept::Mention]) || reading.original.contains("@example.");
    let is_rule = !is_example && reading.has_mail && !sentence.has(&[Concept::Not]);
    (is_rule && insists.clause == line.clause).then_some(Severity::High)
}

fn ordered_passive(sentence: &Sentence) -> Option<&Hit> {
    sentence
        .all(Concept::Conveyed)
        .iter()
        .find(|verb| sentence.before(verb, Concept::Passive, 4).is_some())
}

/// `please report issues at …` sends nothing out.
fn asks_for_data(sentence: &Sentence, verb: &Hit) -> bool {
    let words = sentence.text(verb);
    !matches!(
        words,
        "report" | "submit" | "publish" | "share" | "sync" | "log"
    )
}

/// An order that is no summary of what the tool does: it follows something in its sentence.
fn verb_is_order_in_place(reading: &Reading<'_>, verb: &Hit) -> bool {
    let follows = verb.at > 4 && asks_for_data(reading.sentence, verb);
    follows
        && reading.sentence.voice(verb) == Voice::Order
        && reading
            .sentence
            .has_any(&[Concept::First, Concept::Secretly])
}

/// Does the text hold an e-mail or web address?
pub(super) fn has_address(original: &str) -> bool {
    original.contains("://") || has_mail_address(original)
}

pub(super) fn has_mail_address(original: &str) -> bool {
    original.match_indices('@').any(|(at, _)| {
        let before = original.get(..at).and_then(|t| t.chars().next_back());
        let after: String = original
            .get(at + 1..)
            .unwrap_or_default()
            .chars()
            .take(80)
            .take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '-'))
            .collect();
        before.is_some_and(|c| c.is_alphanumeric()) && after.trim_end_matches('.').contains('.')
    })
}
