//! Findings → a list by rule, the worst first, each with its way out; notes are folded.

use askama::Template;

use super::sentence;

use crate::check::{Finding, Level, Report};
use crate::message::Message;
use crate::tell::counted;
use crate::untrusted::Untrusted;
use crate::untrusted::html::{Html, code, rendered, shown};

/// So many of one rule are open, and so many stand here at all.
const OPEN: usize = 10;
const MOST: usize = 2_000;
/// Most characters of a sentence: what is longer says so.
const LONGEST: usize = 4_000;

#[derive(Template)]
#[template(path = "findings.html", config = "src/tell/page/askama.toml")]
struct Findings {
    groups: Vec<Group>,
    notes: Vec<Group>,
    notes_told: Html,
}

/// All that one rule found at one level.
struct Group {
    class: Html,
    level: Html,
    id: Html,
    sentence: Html,
    items: Vec<Item>,
    more: Vec<Item>,
    more_told: Html,
    left_out: Option<Html>,
}

struct Item {
    place: Option<Html>,
    told: Html,
    hint: Option<Html>,
}

/// One thing that was found, whoever found it.
#[derive(Clone, Copy)]
struct Told<'a> {
    level: Level,
    id: &'static str,
    sentence: &'static str,
    path: Option<&'a Untrusted>,
    line: Option<usize>,
    message: &'a Message,
    hint: Option<&'a Message>,
}

impl<'a> From<&'a Finding> for Told<'a> {
    fn from(finding: &'a Finding) -> Self {
        Told {
            level: finding.level,
            id: finding.rule.id(),
            sentence: finding.rule.sentence(),
            path: finding.path.as_ref(),
            line: finding.line,
            message: &finding.message,
            hint: finding.hint.as_ref(),
        }
    }
}

/// The section of the findings.
pub(super) fn findings(report: &Report) -> askama::Result<Html> {
    let all: Vec<Told<'_>> = report.findings.iter().map(Told::from).collect();
    let of_level = |level| groups(&all, level);
    let mut open = of_level(Level::Error);
    open.extend(of_level(Level::Warning));
    let notes = all.iter().filter(|one| one.level == Level::Note).count();
    rendered(&Findings {
        groups: open,
        notes: of_level(Level::Note),
        notes_told: shown(counted(notes, "note")),
    })
}

/// What was found at one level, by rule, in the order in which each is met first.
fn groups(all: &[Told<'_>], level: Level) -> Vec<Group> {
    let mut rules: Vec<(&'static str, Vec<Told<'_>>)> = Vec::new();
    for one in all.iter().filter(|one| one.level == level) {
        match rules.iter_mut().find(|(id, _)| *id == one.id) {
            Some((_, found)) => found.push(*one),
            None => rules.push((one.id, vec![*one])),
        }
    }
    rules.iter().filter_map(|(_, found)| group(found)).collect()
}

fn group(found: &[Told<'_>]) -> Option<Group> {
    let first = found.first()?;
    let mut items: Vec<Item> = found.iter().take(MOST).map(item).collect();
    let left_out = found.len() - items.len();
    let more = items.split_off(OPEN.min(items.len()));
    let class = match first.level {
        Level::Error => "bad",
        Level::Warning => "warn",
        Level::Note => "calm",
    };
    Some(Group {
        class: shown(class),
        level: shown(first.level.name()),
        id: code(first.id),
        sentence: Message::new(first.sentence).in_page(),
        more_told: shown(format!("{} more", more.len())),
        left_out: (left_out > 0).then(|| {
            shown(format!(
                "{left_out} more found no room on this page: the JSON report has them"
            ))
        }),
        items,
        more,
    })
}

fn item(one: &Told<'_>) -> Item {
    let line = one.line.map(|line| format!(":{line}"));
    let place = |path: &Untrusted| {
        let path = crate::tell::excerpt::clipped(path, super::LONGEST_NAME);
        code(format!("{path}{}", line.unwrap_or_default()))
    };
    Item {
        place: one.path.map(place),
        told: sentence(one.message, LONGEST),
        hint: one.hint.map(|hint| sentence(hint, LONGEST)),
    }
}
