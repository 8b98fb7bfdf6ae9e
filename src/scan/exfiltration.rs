//! Data exfiltration: orders to read what is secret, hand it on, or copy somebody in.

use super::concept::Concept;
use super::kind::Severity;
use super::reading::{Raised, Reading, Role, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};
use super::voice::Voice;

/// How far a deed may stand from the secret it is about.
const REACH: u32 = 40;

const MOVES: [Concept; 3] = [Concept::Pass, Concept::Send, Concept::Conveyed];
const INSISTS: [Concept; 4] = [
    Concept::Want,
    Concept::First,
    Concept::Secretly,
    Concept::Passive,
];

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    let places = reading
        .sentence
        .all(Concept::Path)
        .iter()
        .filter_map(|path| place(reading, path));
    if let Some((rule, severity)) = places.max_by_key(|(_, severity)| *severity) {
        raise_at(rule, severity, raised);
    }
    let secrets = [Concept::Secret, Concept::Private];
    let held = secrets
        .iter()
        .flat_map(|concept| reading.sentence.all(*concept));
    if let Some(severity) = held.filter_map(|secret| handed_on(reading, secret)).max() {
        raise_at(ScanRule::ReadSecretAndPass, severity, raised);
    }
    if let Some((rule, severity)) = recipient(reading) {
        raise_at(rule, severity, raised);
    }
}

/// An order of one of the concepts near `hit`; a participle counts where it must be done.
fn ordered<'s>(sentence: &'s Sentence, hit: &Hit, concepts: &[Concept]) -> Option<&'s Hit> {
    concepts.iter().find_map(|concept| {
        let mut found = sentence
            .all(*concept)
            .iter()
            .filter(|verb| verb.distance(hit) <= REACH && verb.clause == hit.clause);
        found.find(|verb| match concept {
            Concept::Conveyed => {
                sentence.before(verb, Concept::Passive, 4).is_some() || !is_english(verb)
            }
            _ => sentence.is_order(verb) || sentence.is_permitted(verb),
        })
    })
}

fn is_english(hit: &Hit) -> bool {
    hit.language == super::lexicon::Language::ENGLISH
}

fn insists(sentence: &Sentence, hit: &Hit) -> bool {
    sentence.near_any(hit, &INSISTS, REACH).is_some()
        || sentence.has_any(&[Concept::Secretly, Concept::Passive])
}

/// A place where secrets lie: read, handed on, or only named.
fn place(reading: &Reading<'_>, path: &Hit) -> Option<(ScanRule, Severity)> {
    let sentence = reading.sentence;
    if sentence.is_mentioned(path) {
        let verbs = ordered(sentence, path, &MOVES)?;
        return sentence
            .near(verbs, Concept::Contents, REACH)
            .map(|_| (ScanRule::SecretPathOrder, Severity::Low));
    }
    let handed = ordered(sentence, path, &MOVES);
    let read = ordered(sentence, path, &[Concept::Read]);
    let contents = sentence.near(path, Concept::Contents, 8).is_some();
    let insists = insists(sentence, path);
    let parameter = matches!(reading.role, Role::Parameter { .. } | Role::Key);
    let denied = sentence.has(&[Concept::Not]);
    let asked = contents
        && !denied
        && sentence.has_any(&[
            Concept::Field,
            Concept::Want,
            Concept::Passive,
            Concept::Conveyed,
        ]);
    let is_certain = is_certain(sentence, path);
    let different = handed
        .zip(read)
        .is_some_and(|(handed, read)| handed.start_byte != read.start_byte);
    Some(match (handed, read) {
        _ if different || asked => (ScanRule::ReadSecretAndPass, Severity::High),
        (Some(_), _) if contents || insists => (ScanRule::ReadSecretAndPass, Severity::High),
        (Some(_), _) if is_certain => (ScanRule::ReadSecretAndPass, Severity::Medium),
        (Some(_), _) => (ScanRule::SecretPathOrder, Severity::Low),
        (None, _) if parameter && !denied && (contents || is_certain) => {
            (ScanRule::ReadSecretAndPass, Severity::High)
        }
        (None, Some(_)) if reading.role == Role::Key => {
            (ScanRule::ReadSecretAndPass, Severity::High)
        }
        (None, Some(_)) if insists && (contents || is_certain) => {
            (ScanRule::SecretPathOrder, Severity::High)
        }
        (None, Some(_)) if insists => (ScanRule::SecretPathOrder, Severity::Medium),
        (None, None) if is_certain && insists && !denied && sentence.has(&[Concept::Field]) => {
            (ScanRule::ReadSecretAndPass, Severity::Medium)
        }
        (None, Some(_) | None) => return None,
    })
}

/// A place that no tool has business with, unlike `.env`.
fn is_certain(sentence: &Sentence, path: &Hit) -> bool {
    let words = sentence
        .folded
        .get(path.start_byte..path.end_byte)
        .unwrap_or_default();
    [
        ".ssh", "id ", ".aws", "shadow", ".netrc", "keychain", "wallet", ".gnupg", "history", "ssh",
    ]
    .iter()
    .any(|part| words.contains(part))
}

/// A secret or private data: gathered and handed on.
fn handed_on(reading: &Reading<'_>, secret: &Hit) -> Option<Severity> {
    let sentence = reading.sentence;
    if let Some(severity) = gathered(sentence, secret) {
        return Some(severity);
    }
    let handed = ordered(sentence, secret, &MOVES)?;
    if sentence.is_mentioned(secret) {
        return Some(Severity::Low);
    }
    let read = ordered(sentence, secret, &[Concept::Read])
        .filter(|read| read.start_byte != handed.start_byte);
    let wide = sentence.before(secret, Concept::Wide, 6).is_some();
    let insists = insists(sentence, secret);
    let target =
        sentence.has_any(&[Concept::Field, Concept::Address]) || has_address(reading.original);
    let coded = sentence.near(handed, Concept::Encoded, REACH).is_some();
    // A person gives a key of their own to the tool that needs it.
    let own = sentence.before(secret, Concept::Own, 3).is_some() && !wide;
    let is_private = secret.concept == Concept::Private;
    Some(match (read.is_some(), insists) {
        _ if own => return None,
        _ if coded => Severity::High,
        (true, true) if wide || is_private || target => Severity::High,
        (true, false) if wide && (target || is_private) => Severity::High,
        (false, true) if wide && target => Severity::High,
        (false, true) if is_private && (target || handed.concept == Concept::Send) => {
            Severity::High
        }
        (true, true) => Severity::Medium,
        (true, false) | (false, true) if wide => Severity::Medium,
        (false, false) if wide && target && handed.concept == Concept::Send => Severity::Medium,
        (true | false, true | false) => return None,
    })
}

/// `whatever tokens you find go into this field`: all of them, from wherever they are.
fn gathered(sentence: &Sentence, secret: &Hit) -> Option<Severity> {
    let all = sentence.before(secret, Concept::Wide, 6).is_some();
    let found = sentence.near(secret, Concept::Found, 16).is_some();
    let goes = sentence.has(&[Concept::Field])
        && (sentence.has_any(&[Concept::Want, Concept::Passive, Concept::Secretly])
            || all && found);
    let denied = sentence.has(&[Concept::Not]) || sentence.is_mentioned(secret);
    match (all, found) {
        _ if denied || !goes => None,
        (true, true) => Some(Severity::High),
        (true, false) | (false, true) if sentence.near(secret, Concept::Contents, 6).is_some() => {
            Some(Severity::High)
        }
        (true | false, true | false) => None,
    }
}

/// Does the text hold an e-mail or web address?
pub(super) fn has_address(original: &str) -> bool {
    original.contains("://") || has_mail_address(original)
}

fn has_mail_address(original: &str) -> bool {
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

/// An address that gets a copy, or to which what is secret is sent.
fn recipient(reading: &Reading<'_>) -> Option<(ScanRule, Severity)> {
    let sentence = reading.sentence;
    if !has_address(reading.original) {
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
    let secret = [
        Concept::Secret,
        Concept::Private,
        Concept::Path,
        Concept::WholeTalk,
    ]
    .iter()
    .any(|concept| sentence.has(&[*concept]));
    let insists = sentence
        .near_any(
            verb,
            &[Concept::Want, Concept::Secretly, Concept::Passive],
            REACH,
        )
        .is_some();
    let data = sentence.near(verb, Concept::Data, 14).is_some();
    let mail = has_mail_address(reading.original);
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
    let is_rule =
        !is_example && has_mail_address(reading.original) && !sentence.has(&[Concept::Not]);
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
    let words = sentence
        .folded
        .get(verb.start_byte..verb.end_byte)
        .unwrap_or_default();
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
