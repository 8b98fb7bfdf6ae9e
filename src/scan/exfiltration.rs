//! Data exfiltration: orders to read places where secrets lie, and to hand on what is there.

use super::concept::Concept;
use super::kind::Severity;
use super::reading::{Raised, Reading, Role, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};

/// How far a deed may stand from the secret it is about.
pub(super) const REACH: u32 = 40;

pub(super) const MOVES: [Concept; 3] = [Concept::Pass, Concept::Send, Concept::Conveyed];
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
}

/// An order of one of the concepts near `hit`; a participle counts where it must be done.
pub(super) fn ordered<'s>(
    sentence: &'s Sentence,
    hit: &Hit,
    concepts: &[Concept],
) -> Option<&'s Hit> {
    concepts.iter().find_map(|concept| {
        let mut found = sentence.around(hit, *concept, REACH);
        found.find(|verb| match *concept == Concept::Conveyed {
            true => sentence.before(verb, Concept::Passive, 4).is_some() || !is_english(verb),
            false => sentence.is_order(verb) || sentence.is_permitted(verb),
        })
    })
}

pub(super) fn is_english(hit: &Hit) -> bool {
    hit.language == super::lexicon::Language::ENGLISH
}

pub(super) fn insists(sentence: &Sentence, hit: &Hit) -> bool {
    sentence.near_any(hit, &INSISTS, REACH).is_some()
        || sentence.has_any(&[Concept::Secretly, Concept::Passive])
}

/// What a sentence says about a place where secrets lie.
struct About<'s> {
    handed: Option<&'s Hit>,
    read: Option<&'s Hit>,
    /// It speaks of what is in it.
    contents: bool,
    /// It must be done.
    insists: bool,
    /// It says that something is not done.
    denied: bool,
    /// It is a place that no tool has business with, unlike `.env`.
    certain: bool,
    /// It is what every program has: its environment.
    common: bool,
}

/// A place where secrets lie: read, handed on, or only named.
fn place(reading: &Reading<'_>, path: &Hit) -> Option<(ScanRule, Severity)> {
    let sentence = reading.sentence;
    if sentence.is_mentioned(path) {
        let verb = ordered(sentence, path, &MOVES)?;
        sentence.near(verb, Concept::Contents, REACH)?;
        return Some((ScanRule::SecretPathOrder, Severity::Low));
    }
    let about = About {
        handed: ordered(sentence, path, &MOVES),
        read: ordered(sentence, path, &[Concept::Read]),
        contents: sentence.near(path, Concept::Contents, 8).is_some(),
        insists: insists(sentence, path),
        denied: sentence.has(&[Concept::Not]),
        certain: is_certain(sentence.text(path)),
        common: is_common(sentence.text(path)),
    };
    passed(reading, &about)
        .map(|severity| (ScanRule::ReadSecretAndPass, severity))
        .or_else(|| read(&about).map(|severity| (ScanRule::SecretPathOrder, severity)))
}

/// What is there goes somewhere.
fn passed(reading: &Reading<'_>, about: &About<'_>) -> Option<Severity> {
    let has_any = |concepts: &[Concept]| !about.denied && reading.sentence.has_any(concepts);
    let asks = [
        Concept::Field,
        Concept::Want,
        Concept::Passive,
        Concept::Conveyed,
    ];
    let parameter = matches!(reading.role, Role::Parameter { .. } | Role::Key) && !about.denied;
    let is_both = about
        .handed
        .zip(about.read)
        .is_some_and(|(handed, read)| handed.start_byte != read.start_byte);
    let high = is_both
        || (about.contents && has_any(&asks))
        || (about.handed.is_some() && (about.contents || (about.insists && !about.common)))
        || (parameter && (about.contents || about.certain))
        || (reading.role == Role::Key && about.read.is_some());
    let medium =
        about.certain && (about.handed.is_some() || (about.insists && has_any(&[Concept::Field])));
    match (high, medium) {
        (true, _) => Some(Severity::High),
        (false, true) => Some(Severity::Medium),
        (false, false) => None,
    }
}

/// It is read, and nothing says what for.
fn read(about: &About<'_>) -> Option<Severity> {
    match (about.read, about.handed) {
        (Some(_), _) if about.insists && (about.contents || about.certain) => Some(Severity::High),
        (Some(_), _) if about.insists && about.certain => Some(Severity::Medium),
        (Some(_), None) if about.certain => Some(Severity::Medium),
        (_, Some(_)) => Some(Severity::Low),
        (Some(_) | None, None) => None,
    }
}

fn is_common(place: &str) -> bool {
    matches!(place, "process.env" | "os.environ" | "printenv")
}

/// Is it a place that no tool has business with?
fn is_certain(place: &str) -> bool {
    const PLACES: [&str; 10] = [
        ".ssh", "id ", ".aws", "shadow", ".netrc", "keychain", "wallet", ".gnupg", "history", "ssh",
    ];
    PLACES.iter().any(|part| place.contains(part))
}
