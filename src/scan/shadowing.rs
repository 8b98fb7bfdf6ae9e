//! Tool shadowing: orders about a tool that this server does not have.

use super::concept::Concept;
use super::kind::Severity;
use super::reading::{Raised, Reading, Role, raise_at};
use super::rule::ScanRule;
use super::sentence::{Hit, Sentence};

pub(super) fn judge(reading: &Reading<'_>, raised: &mut Raised) {
    let found = [redirected(reading), addressed(reading), invoked(reading)];
    if let Some(severity) = found.into_iter().flatten().max() {
        raise_at(ScanRule::RedirectOtherTool, severity, raised);
    }
}

/// Most occasions of one sentence that are looked at.
const OCCASIONS: usize = 16;

/// What a redirected call may do harm with.
const HARMFUL: [Concept; 6] = [
    Concept::Address,
    Concept::Secret,
    Concept::Path,
    Concept::Malice,
    Concept::WholeTalk,
    Concept::CopyTo,
];

/// `when calling send_money, always set the recipient to …`.
fn redirected(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    if !sentence.has(&[Concept::When, Concept::Alter]) {
        return None;
    }
    let names = identifiers(reading.original);
    let occasions = sentence
        .all(Concept::When)
        .iter()
        .take(OCCASIONS)
        .filter(|when| {
            let after = sentence.text_after(when);
            is_foreign_next(reading, &names, after)
                && (!is_condition(sentence, when) || is_in_use(after))
        });
    let judged = occasions.filter_map(|when| {
        let words = sentence.text(when);
        let instead = ["instead", "in place", "rather"]
            .iter()
            .any(|word| words.starts_with(word));
        let deed = deed(sentence, when)?;
        let harmful = sentence.has_any(&HARMFUL) || reading.has_address;
        let insists = sentence.near(deed, Concept::Want, 16).is_some();
        let lowered = sentence.is_mentioned(when) || reading.role == Role::Name;
        let severity = match (instead, insists, harmful) {
            (_, _, true) => Severity::High,
            (false, true, false) => Severity::High,
            (true, true, false) if sends(sentence, deed) => Severity::High,
            (false, false, false) => Severity::Medium,
            (true, true | false, false) => Severity::Low,
        };
        Some(if lowered { Severity::Low } else { severity })
    });
    Severity::worst(judged)
}

/// `if`, `while` and `once` speak of many things.
fn is_condition(sentence: &Sentence, when: &Hit) -> bool {
    let words = sentence.folded.get(when.start_byte..when.end_byte);
    matches!(words, Some("if" | "when" | "while" | "once"))
}

/// Does it speak of a tool being there, or being called?
fn is_in_use(after: &str) -> bool {
    let near = super::fold::beginning(after, 60);
    [
        " tool",
        "is used",
        "is called",
        "is invoked",
        "is available",
        "is run",
        "server",
    ]
    .iter()
    .any(|used| near.contains(used))
}

/// What is to be done otherwise.
fn deed<'s>(sentence: &'s Sentence, when: &Hit) -> Option<&'s Hit> {
    sentence.all(Concept::Alter).iter().find(|deed| {
        (deed.end_byte <= when.start_byte || deed.start_byte >= when.end_byte)
            && deed.distance(when) <= 30
            && sentence.is_order(deed)
    })
}

fn sends(sentence: &Sentence, deed: &Hit) -> bool {
    sentence.near_any(deed, &[Concept::Send], 0).is_some()
}

/// `whenever an email is sent, … add … to BCC`: no tool named, but an address changed.
fn addressed(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    if !sentence.has(&[Concept::When, Concept::Alter, Concept::Address]) {
        return None;
    }
    let when = sentence.all(Concept::When).first()?;
    let deed = deed(sentence, when)?;
    sentence.near(deed, Concept::Address, 16)?;
    let insists = sentence.near(deed, Concept::Want, 16).is_some();
    let literal = reading.has_address;
    match (insists, literal) {
        _ if sentence.is_mentioned(deed) => Some(Severity::Low),
        (true | false, true) => Some(Severity::High),
        (true, false)
            if is_foreign_next(
                reading,
                &identifiers(reading.original),
                sentence.text_after(when),
            ) =>
        {
            Some(Severity::Medium)
        }
        (true | false, false) => None,
    }
}

/// `invoke other_server.deed()`: a call of what another server has.
fn invoked(reading: &Reading<'_>) -> Option<Severity> {
    let sentence = reading.sentence;
    let judged = sentence.orders(Concept::Run).filter_map(|run| {
        // `use a.b()` is what any page of a library says.
        let calls = matches!(
            sentence.text(run),
            "invoke" | "call" | "run" | "execute" | "trigger"
        );
        if !calls || sentence.before(run, Concept::When, 16).is_none() {
            return None;
        }
        let after = sentence.text_after(run).trim_start();
        let call = after.split('(').next().unwrap_or_default();
        let is_call = after
            .get(call.len()..)
            .is_some_and(|rest| rest.starts_with('('))
            && call.len() <= 60
            && call.contains('.')
            && !call.contains(". ")
            && !call.contains(['/', ',', ':']);
        let is_known = call
            .split(['.', ' '])
            .any(|part| reading.known.has(part) || reading.own.has(part));
        (is_call && !is_known && call.split(' ').count() <= 6).then_some(Severity::Medium)
    });
    Severity::worst(judged)
}

/// Is the next thing named a tool, and one that this server does not have?
fn is_foreign_next(reading: &Reading<'_>, names: &[String], after: &str) -> bool {
    let after = after.trim_start();
    let after = after
        .strip_prefix("the ")
        .or(after.strip_prefix("any "))
        .unwrap_or(after);
    match names.iter().find(|name| after.starts_with(name.as_str())) {
        Some(name) => !reading.known.has(name) && !reading.own.has(name),
        None => other_tool(reading, after),
    }
}

/// `the email tool`, in words.
fn other_tool(reading: &Reading<'_>, after: &str) -> bool {
    let mut words = after.split_whitespace().take(4);
    let before_tool: Vec<&str> = words
        .by_ref()
        .take_while(|word| !word.trim_end_matches([',', '.']).eq("tool"))
        .collect();
    let ends = after
        .split_whitespace()
        .nth(before_tool.len())
        .is_some_and(|word| word.trim_end_matches([',', '.']) == "tool");
    let name = before_tool.join(" ");
    ends && !before_tool.is_empty()
        && !matches!(
            name.as_str(),
            "this" | "same" | "that" | "a" | "each" | "another" | "other" | "any other"
        )
        && !["this", "the", "calling", "using", "invoking", "you"]
            .iter()
            .any(|word| before_tool.contains(word))
        && !reading.known.has_words(&name)
}

/// Words of the text that are names of code: `send_money`, `sendMoney`, `` `fetch` ``.
fn identifiers(original: &str) -> Vec<String> {
    let parts = original.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-')));
    let parts = parts.map(|part| part.trim_matches(['.', '-']));
    let written = parts.filter(|part| part.len() >= 3 && (part.contains('_') || is_camel(part)));
    let quoted = original
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|part| part.len() <= 64);
    let names = written.chain(quoted).take(40).map(super::fold::folded);
    names.filter(|name| !name.is_empty()).collect()
}

/// `sendMoney`, and no name of a firm: `HubSpot`.
fn is_camel(part: &str) -> bool {
    let is_turn =
        |w: &[u8]| matches!(w, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
    part.starts_with(|c: char| c.is_ascii_lowercase()) && part.as_bytes().windows(2).any(is_turn)
}
