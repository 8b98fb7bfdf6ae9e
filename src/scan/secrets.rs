//! Data exfiltration: orders to gather secrets or private data and hand them on.

use super::concept::Concept;
use super::exfiltration::{MOVES, REACH, insists, ordered};
use super::kind::Severity;
use super::reading::{Raised, Reading, Role, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    let secrets = [Concept::Secret, Concept::Private];
    let held = secrets
        .iter()
        .flat_map(|concept| reading.sentence.all(*concept));
    if let Some(severity) = Severity::worst(held.filter_map(|secret| handed_on(reading, secret))) {
        raise_at(ScanRule::ReadSecretAndPass, severity, raised);
    }
}

/// What a sentence says is done with a secret.
#[derive(Debug, Clone, Copy)]
struct Said {
    /// It is read first, and by another deed handed on.
    read: bool,
    /// It is sent, and not only written somewhere.
    sent: bool,
    /// It must be done.
    insists: bool,
    /// All of them, or somebody else's: `the user's`, `every … you find`.
    wide: bool,
    /// There is a parameter or an address for it.
    target: bool,
    /// It is what no tool has business with, unlike a token or a key of an interface.
    grave: bool,
    /// It is what is in it that is spoken of.
    contents: bool,
    /// It is to be encoded, so that nobody sees what goes out.
    coded: bool,
}

/// A secret or private data: gathered and handed on.
fn handed_on(reading: &Reading<'_>, secret: &Hit) -> Option<Severity> {
    let sentence = reading.sentence;
    if let Some(severity) = gathered(sentence, secret) {
        return Some(severity);
    }
    let handed = ordered(sentence, secret, &MOVES)
        .filter(|verb| !matches!(sentence.text(verb), "use" | "state" | "return"))?;
    if sentence.is_mentioned(secret) {
        return Some(Severity::Low);
    }
    let wide = is_wide(sentence, secret);
    // A person gives a key of their own to the tool that needs it.
    if sentence.before(secret, Concept::Own, 3).is_some() && !wide {
        return None;
    }
    let read = ordered(sentence, secret, &[Concept::Read])
        .filter(|read| read.start_byte != handed.start_byte);
    weigh(Said {
        read: read.is_some(),
        sent: handed.concept == Concept::Send,
        insists: insists(sentence, secret),
        wide,
        target: sentence.has_any(&[Concept::Field, Concept::Address])
            || reading.has_address
            || (reading.role == Role::Prose && reading.original.contains('`')),
        contents: sentence.has(&[Concept::Contents]),
        coded: sentence.near(handed, Concept::Encoded, REACH).is_some(),
        grave: secret.concept == Concept::Private || is_grave(sentence.text(secret)),
    })
}

/// Is it everybody's or the user's, before it or behind it as the language has it?
fn is_wide(sentence: &Sentence, secret: &Hit) -> bool {
    sentence.before(secret, Concept::Wide, 6).is_some()
        || sentence.after(secret, Concept::Wide, 4).is_some()
        || sentence.near(secret, Concept::User, 5).is_some()
        || sentence.near(secret, Concept::Found, 8).is_some()
}

fn weigh(said: Said) -> Option<Severity> {
    let high = match (said.read, said.insists) {
        (true, true) => said.wide || said.grave || said.target,
        (true, false) => said.wide && (said.target || said.grave),
        (false, true) => {
            (said.wide && (said.target || (said.grave && said.sent)))
                || (said.grave && said.sent && said.target)
        }
        (false, false) => false,
    };
    let high = high || (said.coded && (said.read || said.wide || said.insists || said.target));
    let medium = match (said.read, said.insists) {
        (true, true) => true,
        (true, false) => said.wide || (said.grave && (said.target || said.sent)),
        (false, true) => said.wide,
        (false, false) => {
            said.target && ((said.wide && said.sent) || (said.grave && said.contents))
        }
    };
    match (high, medium) {
        (true, _) => Some(Severity::High),
        (false, true) => Some(Severity::Medium),
        (false, false) => None,
    }
}

/// Is it a secret of a person or a machine, and none that tools pass about, as tokens are?
fn is_grave(secret: &str) -> bool {
    const LIGHT: [&str; 14] = [
        "token",
        "jwt",
        "api",
        "access key",
        "cookie",
        "client secret",
        "secrets",
        "secret value",
        "credential",
        "certificate",
        "passcode",
        "encryption key",
        "signing key",
        "service account",
    ];
    !LIGHT.iter().any(|light| secret.contains(light))
}

/// `whatever tokens you find go into this field`: all of them, from wherever they are.
fn gathered(sentence: &Sentence, secret: &Hit) -> Option<Severity> {
    let all = sentence.before(secret, Concept::Wide, 6).is_some();
    let found = sentence.near(secret, Concept::Found, 10).is_some();
    let known =
        all && found && ordered(sentence, secret, &[Concept::Pass, Concept::Read]).is_some();
    let goes = known
        || sentence.has(&[Concept::Field])
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
