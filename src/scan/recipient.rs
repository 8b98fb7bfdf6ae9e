//! Data exfiltration: an address that gets what is nobody's business.

use super::concept::Concept;
use super::exfiltration::REACH;
use super::kind::Severity;
use super::reading::{Raised, Reading, Role, raise_at};
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
    let goes = goes_to(reading).map(|severity| (ScanRule::FixedRecipient, severity));
    let both = goes.into_iter().chain(handed_to(reading));
    both.max_by_key(|(_, severity)| *severity)
}

/// What is sent or copied to an address.
fn handed_to(reading: &Reading<'_>) -> Option<(ScanRule, Severity)> {
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
    let insists = sentence.near_any(verb, &INSISTING, REACH).is_some() || is_each_time(sentence);
    let data = sentence.near(verb, Concept::Data, 14).is_some();
    let copies = copies.or_else(|| copy_of_mail(sentence, verb));
    let is_example = sentence.has(&[Concept::Mention]);
    let mail = reading.has_mail;
    Some(match copies.is_some() {
        _ if sentence.is_mentioned(verb) || is_example => (ScanRule::FixedRecipient, Severity::Low),
        _ if secret => (ScanRule::SendSecretOut, Severity::High),
        true if mail || insists => (ScanRule::FixedRecipient, Severity::High),
        false if insists && data && asks_for_data(sentence, verb) => {
            (ScanRule::FixedRecipient, Severity::High)
        }
        false if data && verb_is_order_in_place(reading, verb) => {
            (ScanRule::FixedRecipient, Severity::Medium)
        }
        true | false => (ScanRule::FixedRecipient, Severity::Low),
    })
}

/// `every invoice also goes to x@y`: no verb of sending, but all of it and an address.
fn goes_to(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    let exempt = sentence.has_any(&[Concept::Mention, Concept::Not]);
    let presses = [Concept::Also, Concept::Want, Concept::Passive];
    let presses = sentence.has_any(&presses);
    let sends = sentence.orders(Concept::Send).next().is_some();
    if exempt || !reading.has_mail || !(presses || sends) {
        return None;
    }
    let mut data = sentence.all(Concept::Data).iter();
    let all = [Concept::All, Concept::Wide];
    let is_all = |data: &Hit| all.iter().any(|all| sentence.near(data, *all, 4).is_some());
    let severity = match presses {
        true => Severity::High,
        false => Severity::Medium,
    };
    data.any(is_all).then_some(severity)
}

/// `each time an invoice is made`: as good as `always`.
fn is_each_time(sentence: &Sentence) -> bool {
    let firsts = sentence.all(Concept::First).iter();
    let when = sentence.all(Concept::When).iter();
    firsts.chain(when).any(|hit| {
        let words = sentence.text(hit);
        words == "whenever" || words.starts_with("each time") || words.starts_with("every time")
    })
}

/// `forward a copy of each mail`: the copy is what is sent.
fn copy_of_mail<'s>(sentence: &'s Sentence, verb: &'s Hit) -> Option<&'s Hit> {
    let copy = sentence.after(verb, Concept::CopyTo, 8)?;
    let all = [Concept::All, Concept::Wide];
    let of_all = all.iter().any(|all| sentence.near(copy, *all, 6).is_some());
    (verb.concept == Concept::Send && (of_all || is_each_time(sentence))).then_some(verb)
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

/// How one writes to a person.
const CONTACTS: [&str; 8] = [
    " email",
    " an email",
    " e mail",
    " an e mail",
    " mail",
    " a mail",
    " a message",
    " by mail",
];

/// `please report issues at …` sends nothing out.
fn asks_for_data(sentence: &Sentence, verb: &Hit) -> bool {
    let words = sentence.text(verb);
    let after = sentence.text_after(verb);
    let is_contact = CONTACTS.iter().any(|contact| after.starts_with(contact));
    !is_contact
        && !matches!(
            words,
            "report" | "submit" | "publish" | "share" | "sync" | "log"
        )
}

/// An order that is no summary of what the tool does: it follows something in its sentence.
fn verb_is_order_in_place(reading: &Reading<'_>, verb: &Hit) -> bool {
    let follows = verb.at > 4 && asks_for_data(reading.sentence, verb);
    let sentence = reading.sentence;
    let to_the_reader = ["you ", "too", "as well", "whatever"]
        .iter()
        .any(|word| sentence.folded.contains(word));
    let is_placed = follows && sentence.has_any(&[Concept::First, Concept::Secretly]);
    let is_told = asks_for_data(sentence, verb) && to_the_reader && reading.role == Role::Prose;
    sentence.voice(verb) == Voice::Order && (is_placed || is_told)
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
