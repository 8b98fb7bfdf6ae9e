//! Secrecy: orders to hide what is done, to be silent about it, or to do it in secret.

use super::concept::Concept;
use super::kind::Severity;
use super::lexicon::Language;
use super::reading::{Raised, Reading, raise_at};
use super::rule::ScanRule;
use super::secrecy::{is_harmless, unless_mentioned};
use super::sentence::Sentence;
use super::voice::Voice;

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    let sentence = reading.sentence;
    let found = [
        hidden(sentence),
        untold(sentence),
        secret_operation(sentence),
        hushed(sentence),
        left_out(sentence),
        covered_up(sentence),
    ];
    if let Some(severity) = found.into_iter().flatten().max() {
        raise_at(ScanRule::HideFromUser, severity, raised);
    }
    if let Some(severity) = secretly(sentence) {
        raise_at(ScanRule::ActSecretly, severity, raised);
    }
}

/// `keep this hidden from the user`, `just between us`.
fn hidden(sentence: &Sentence) -> Option<Severity> {
    let judged = sentence.all(Concept::Hide).iter().filter_map(|verb| {
        if matches!(sentence.voice(verb), Voice::Negated) {
            return None;
        }
        let kept = sentence.after(verb, Concept::HiddenFrom, 14);
        let user = sentence.after(verb, Concept::User, 18);
        let from = user.is_some_and(|user| {
            let between = sentence.between(verb, user);
            between.contains("from ") || verb.language != Language::ENGLISH
        });
        let this = sentence.after(verb, Concept::This, 8).is_some();
        let to_oneself = kept.is_some_and(|kept| {
            let words = sentence.text(kept);
            words.starts_with("between") || words == "to yourself" || words == "off the record"
        });
        let severity = match (kept, from) {
            _ if is_harmless(sentence, verb) => Severity::Low,
            (Some(_), true) => Severity::High,
            (Some(_), false) if to_oneself => Severity::High,
            (Some(_), false) if this => Severity::Medium,
            (None, true) if this => Severity::High,
            (None, true) => Severity::Low,
            (Some(_), false) | (None, false) => return None,
        };
        let severity = match sentence.voice(verb) {
            Voice::Order => severity,
            Voice::Capability | Voice::Negated | Voice::Mentioned => severity.lowered(),
        };
        Some(severity)
    });
    Severity::worst(judged)
}

/// The languages that say `do not tell` in one word.
fn untold(sentence: &Sentence) -> Option<Severity> {
    let judged = sentence.all(Concept::Untold).iter().map(|verb| {
        let user = sentence.near(verb, Concept::User, 16).is_some();
        let severity = match user {
            _ if sentence.near(verb, Concept::Harmless, 8).is_some()
                && !sentence.has_any(&[Concept::Pass, Concept::Send]) =>
            {
                Severity::Low
            }
            // To hide a part of a page is no secret.
            false
                if HIDES
                    .iter()
                    .any(|hides| sentence.text(verb).starts_with(hides)) =>
            {
                Severity::Low
            }
            true => Severity::High,
            false
                if sentence.has_any(&[
                    Concept::Pass,
                    Concept::Send,
                    Concept::Secretly,
                    Concept::Instr,
                ]) =>
            {
                Severity::High
            }
            false => Severity::Medium,
        };
        unless_mentioned(sentence, verb, severity)
    });
    Severity::worst(judged)
}

/// Words for hiding anything.
const HIDES: [&str; 6] = ["숨", "감추", "감춰", "隠", "藏", "伏せ"];

/// `say nothing about it`, `the user remains unaware`.
fn hushed(sentence: &Sentence) -> Option<Severity> {
    let judged = sentence.all(Concept::Hush).iter().map(|hush| {
        let who = sentence.near_any(hush, &[Concept::User, Concept::Answer], 24);
        let what = sentence.after(hush, Concept::This, 6);
        let severity = match (who, what) {
            (Some(_), _) => Severity::High,
            (None, Some(_)) => Severity::Medium,
            (None, None) => Severity::Low,
        };
        unless_mentioned(sentence, hush, severity)
    });
    Severity::worst(judged)
}

/// `your answer should not refer to this note`.
fn left_out(sentence: &Sentence) -> Option<Severity> {
    let answer = sentence.all(Concept::Answer).first()?;
    let verbs = [Concept::Reveal, Concept::Display];
    let judged = verbs
        .iter()
        .flat_map(|concept| sentence.all(*concept))
        .filter_map(|verb| {
            let not = sentence.before(verb, Concept::Not, 6)?;
            let this = sentence.after(verb, Concept::This, 8)?;
            let near = answer.distance(verb) <= 16 && answer.distance(this) <= 24;
            (near && !is_harmless(sentence, verb))
                .then(|| unless_mentioned(sentence, not, Severity::Medium))
        });
    Severity::worst(judged)
}

/// `if asked, say that you only formatted it`, `make it look like a sum`.
fn covered_up(sentence: &Sentence) -> Option<Severity> {
    let judged = sentence.all(Concept::Cover).iter().map(|cover| {
        let to = sentence.near_any(cover, &[Concept::User, Concept::Answer], 30);
        let severity = match to {
            Some(_) => Severity::High,
            None => Severity::Medium,
        };
        unless_mentioned(sentence, cover, severity)
    });
    Severity::worst(judged)
}

/// How a program runs that does not chatter.
const PLAINLY: [&str; 18] = [
    "silently",
    "quietly",
    "in silence",
    "leise",
    "im hintergrund",
    "silencieusement",
    "sans bruit",
    "silenciosamente",
    "en silencio",
    "em silencio",
    "silenziosamente",
    "in silenzio",
    "в фоне",
    "静默",
    "在后台",
    "バックグラウンドで",
    "백그라운드에서",
    "조용히",
];

/// `perform`, `make`: it does not say what.
fn is_any_deed(verb: &str) -> bool {
    matches!(
        verb,
        "perform" | "carry out" | "do this" | "do it" | "make" | "execute this"
    )
}

fn secret_operation(sentence: &Sentence) -> Option<Severity> {
    let hit = sentence.all(Concept::SecretOp).first()?;
    Some(unless_mentioned(sentence, hit, Severity::Medium))
}

/// `silently forward`, `secretly read`.
fn secretly(sentence: &Sentence) -> Option<Severity> {
    let judged = sentence.all(Concept::Secretly).iter().filter_map(|how| {
        let concepts = [
            Concept::Send,
            Concept::Pass,
            Concept::Read,
            Concept::Alter,
            Concept::Run,
        ];
        let near = concepts.iter();
        let mut near = near.flat_map(|concept| sentence.around(how, *concept, 8));
        let deed = near.find(|deed| deed.distance(how) <= 8 && sentence.is_order(deed))?;
        // `silently` is said of many a harmless run.
        let is_plain = PLAINLY.contains(&sentence.text(how));
        let is_run = deed.concept == Concept::Run || is_any_deed(sentence.text(deed));
        let of_whom = sentence.has_any(&[Concept::User, Concept::Hush]);
        if !sentence.is_order(deed) || (is_plain && is_run && !of_whom) {
            return None;
        }
        let goods = [
            Concept::Path,
            Concept::Secret,
            Concept::Private,
            Concept::WholeTalk,
            Concept::Talk,
            Concept::Data,
            Concept::Address,
        ];
        Some(match sentence.near_any(deed, &goods, 24) {
            Some(_) if deed.concept != Concept::Alter => Severity::High,
            Some(_) | None => Severity::Medium,
        })
    });
    Severity::worst(judged)
}
