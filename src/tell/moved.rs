//! A modified tool → the lines that tell what moved in it, member by member.

use anstyle::Style;

use super::change::{line, whole};
use super::notes::{NOT_AT_HAND, NOTHING, ONLY_DIGEST, notes, weighed};
use super::paint::{ADDED, ASIDE, BAD, HEAD, REMOVED, paint};
use super::words::{lookalikes, marked};
use crate::check::{Change, FieldChange, Form, Kept, Modified, Named, Place, TextChange};
use crate::json::Value;
use crate::untrusted::Untrusted;

/// A value that is longer is laid out over lines.
const ONE_LINE: usize = 100;

/// Every member that moved or may have, and what else is to be known.
pub(super) fn detail(to: &mut String, tool: &Modified) {
    for FieldChange { field, change } in &tool.changes {
        line(to, 6, field.name());
        match change {
            Change::Text(change) => text_change(to, change, 8),
            Change::Value(change) => change.places.iter().for_each(|at| place(to, at)),
        }
    }
    untold(to, tool);
    notes(tool)
        .iter()
        .for_each(|note| line(to, 6, &paint(ASIDE, note)));
}

/// The current side of what cannot be compared.
fn untold(to: &mut String, tool: &Modified) {
    let document = tool.current.members();
    for field in &tool.untold {
        let name = field.name();
        match document.root.member(name) {
            None | Some(Value::Null) => {
                let told = format!("{name} {}", paint(ASIDE, format_args!("{NOTHING} now")));
                line(to, 6, &told);
            }
            Some(value) => {
                line(to, 6, &format!("{name} {}", paint(ASIDE, NOT_AT_HAND)));
                whole(to, value);
            }
        }
    }
}

/// A text with the words that moved in it, or the side that is at hand.
pub(super) fn text_change(to: &mut String, change: &TextChange, indent: usize) {
    if let (Some(approved), Some(_)) = (&change.approved, &change.current) {
        line(to, indent, &marked(approved, &change.moved, indent));
        lookalikes(&change.moved)
            .iter()
            .for_each(|note| line(to, indent, note));
        if let Some(note) = weighed(change) {
            line(to, indent, &paint(ASIDE, note));
        }
        return;
    }
    let none = match change.kept {
        Kept::Whole => NOTHING,
        Kept::Digest => ONLY_DIGEST,
    };
    let text = |text: &Untrusted| text.in_terminal_lines(indent + 10).to_string();
    let approved = side(REMOVED, change.approved.as_ref().map(text), none);
    let current = side(ADDED, change.current.as_ref().map(text), NOTHING);
    line(to, indent, &format!("approved  {approved}"));
    line(to, indent, &format!("current   {current}"));
}

/// A side in its style, or what stands for it where it is not there.
fn side(style: Style, shown: Option<String>, none: &str) -> String {
    shown.map_or_else(|| paint(ASIDE, none), |shown| paint(style, shown))
}

/// One place of a schema or of the annotations: what the change is called, and both sides.
fn place(to: &mut String, at: &Place) {
    let pointer = if at.pointer.as_arrived().is_empty() {
        "(all of it)".to_owned()
    } else {
        at.pointer.in_terminal().to_string()
    };
    line(to, 8, &pointer);
    at.named.iter().for_each(|one| called(to, one));
    if let Some(change) = &at.text {
        return text_change(to, change, 10);
    }
    let approved = side(REMOVED, at.approved.as_ref().map(value), NOTHING);
    let current = side(ADDED, at.current.as_ref().map(value), NOTHING);
    line(to, 10, &format!("approved  {approved}"));
    line(to, 10, &format!("current   {current}"));
}

fn called(to: &mut String, named: &Named) {
    let message = named.message();
    let text = match named.takes_back() {
        true => paint(BAD, format_args!("! {}", message.in_terminal())),
        false => paint(HEAD, message.in_terminal()),
    };
    line(to, 10, &text);
}

/// A value on one line where it is short, else laid out.
fn value(form: &Form) -> String {
    let short = form.untrusted().in_terminal().to_string();
    match short.chars().count() > ONE_LINE {
        true => form.laid_out().in_terminal_lines(20).to_string(),
        false => short,
    }
}
