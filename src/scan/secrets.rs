//! Data exfiltration: orders to gather secrets or private data and hand them on.

use super::concept::Concept;
use super::exfiltration::{MOVES, REACH, insists, ordered};
use super::kind::Severity;
use super::reading::{Raised, Reading, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    let secrets = [Concept::Secret, Concept::Private];
    let held = secrets
        .iter()
        .flat_map(|concept| reading.sentence.all(*concept));
    if let Some(severity) = held.filter_map(|secret| handed_on(reading, secret)).max() {
        raise_at(ScanRule::ReadSecretAndPass, severity, raised);
    }
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
    let target = sentence.has_any(&[Concept::Field, Concept::Address]) || reading.has_address;
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
