//! A change → its first words on one line: where there is no room for all of it.
//!
//! What is left out is counted, and the whole stands elsewhere (summary, report).

use super::words::{Stretch, stretches};
use crate::check::{Change, FieldChange, Form, Named, Place, TextChange, ValueChange};
use crate::message::Message;
use crate::untrusted::Untrusted;

/// So much of what stands beside a change…
const BESIDE: usize = 40;
/// …and so much of each side of it.
const MOVED: usize = 240;
/// So many stretches from the first that moved.
const MANY: usize = 8;

/// A member, and how it changed.
pub(super) fn field_excerpt(change: &FieldChange) -> Message {
    let name = change.field.name();
    match &change.change {
        Change::Text(change) => Message::new(format!("{name}: ")).then(text_excerpt(change)),
        Change::Value(change) => value_excerpt(name, change),
    }
}

/// How a text changed: the words that moved, with some of what stands beside them.
pub(super) fn text_excerpt(change: &TextChange) -> Message {
    match (&change.approved, &change.current) {
        (Some(approved), Some(_)) => {
            let short = short_stretches(&stretches(approved, &change.moved, 0));
            let marked: String = short.iter().map(Stretch::marked).collect();
            Message::default().shown(marked)
        }
        (None, Some(current)) => Message::new("now ").shown(clipped(current, MOVED)),
        (Some(approved), None) => Message::new("gone: ").shown(clipped(approved, MOVED)),
        (None, None) => Message::new("changed"),
    }
}

/// The stretches that moved, on one line, with some of what stands beside them.
pub(super) fn short_stretches(stretches: &[Stretch]) -> Vec<Stretch> {
    let is_moved = |stretch: &Stretch| matches!(stretch, Stretch::Removed(_) | Stretch::Added(_));
    let first = stretches.iter().position(is_moved).unwrap_or_default();
    let last = stretches.iter().rposition(is_moved).unwrap_or_default();
    let short = |(index, stretch): (usize, &Stretch)| match stretch {
        Stretch::Same(text) if index < first => Stretch::Same(end_of(&line(text))),
        Stretch::Same(text) if index > last => Stretch::Same(start_of(&line(text), BESIDE)),
        Stretch::Same(text) => Stretch::Same(middle_of(&line(text))),
        Stretch::Gap(left_out) => Stretch::Gap(*left_out),
        Stretch::Removed(text) => Stretch::Removed(start_of(&line(text), MOVED)),
        Stretch::Added(text) => Stretch::Added(start_of(&line(text), MOVED)),
    };
    let told = stretches.iter().enumerate().take(first + MANY).map(short);
    let more = stretches
        .iter()
        .skip(first + MANY)
        .filter(|one| is_moved(one))
        .count();
    let more = (more > 0).then(|| Stretch::Same(format!("⟨… {more} more changes⟩")));
    told.chain(more).collect()
}

fn line(shown: &str) -> String {
    shown.replace('\n', "⏎")
}

fn value_excerpt(name: &str, change: &ValueChange) -> Message {
    let takes_back = |place: &&Place| place.named.iter().any(Named::takes_back);
    let first = change.places.iter().find(takes_back);
    let Some(first) = first.or(change.places.first()) else {
        return Message::new(format!("{name}: changed"));
    };
    let more = match change.places.len() - 1 {
        0 => String::new(),
        1 => "; and 1 more place".to_owned(),
        more => format!("; and {more} more places"),
    };
    let message = Message::new(format!("{name} ")).shown(clipped(&first.pointer, MOVED));
    message.ours(": ").then(place_excerpt(first)).ours(more)
}

/// What a change is called, or its sides.
fn place_excerpt(place: &Place) -> Message {
    if let Some(change) = &place.text {
        return text_excerpt(change);
    }
    let value = |form: &Option<Form>| match form {
        Some(form) => Message::default().shown(clipped(form.untrusted(), MOVED)),
        None => Message::new("nothing"),
    };
    let sides = value(&place.approved)
        .ours(" → ")
        .then(value(&place.current));
    match called(&place.named) {
        Some(called) => called.ours(" (").then(sides).ours(")"),
        None => sides,
    }
}

/// What a change is called, in one line.
fn called(named: &[Named]) -> Option<Message> {
    let told = named.iter().map(|one| {
        let message = one.message().in_terminal().to_string();
        match message.chars().count() > MOVED {
            true => Message::default().shown(start_of(&message, MOVED)),
            false => one.message(),
        }
    });
    told.reduce(|all, one| all.ours("; ").then(one))
}

/// The beginning of a text from outside, as it is shown on one line; says what is left out.
pub(super) fn clipped(text: &Untrusted, most: usize) -> String {
    start_of(&text.in_terminal().to_string(), most)
}

/// The beginning of what is shown; says what is left out.
pub(super) fn start_of(shown: &str, most: usize) -> String {
    match beginning(shown, most) {
        (whole, "") => whole.to_owned(),
        (kept, left) => format!("{kept}⟨… {} more characters⟩", left.chars().count()),
    }
}

/// The beginning of what is shown, and the rest; what is spelled out stays in one piece.
fn beginning(shown: &str, most: usize) -> (&str, &str) {
    let Some((at, _)) = shown.char_indices().nth(most) else {
        return (shown, "");
    };
    let (kept, _) = shown.split_at(at);
    let last = kept.rfind('⟨');
    let cut = last.filter(|start| !kept.get(*start..).is_some_and(|rest| rest.contains('⟩')));
    shown.split_at(cut.unwrap_or(at))
}

fn end_of(shown: &str) -> String {
    let count = shown.chars().count();
    match count > BESIDE {
        true => {
            let end = String::from_iter(shown.chars().skip(count - BESIDE));
            // What is spelled out is whole, or not there.
            let whole = match end.split_once('⟩') {
                Some((cut, rest)) if !cut.contains('⟨') => rest,
                Some(_) | None => &end,
            };
            format!("⟨…⟩{whole}")
        }
        false => shown.to_owned(),
    }
}

fn middle_of(shown: &str) -> String {
    match shown.chars().count() > 2 * BESIDE {
        true => format!("{}{}", beginning(shown, BESIDE).0, end_of(shown)),
        false => shown.to_owned(),
    }
}
