//! [`Comparison`] → the lines a person must read before saying yes or no.

use std::fmt::Write;

use super::notes::{ONLY_EXTENDED, notes};
use super::paint::{ADDED, ASIDE, HEAD, REMOVED, paint};
use super::words::{lookalikes, marked};
use crate::check::{Change, Comparison, FieldChange, Form, Modified, Place, Removed, TextChange};
use crate::json::{self, Value};
use crate::lock::{Field, Listing, Tool};
use crate::untrusted::Untrusted;

/// Every difference, whole: modified tools, new tools, tools that are gone, instructions.
pub fn comparison(comparison: &Comparison) -> String {
    let mut to = String::new();
    comparison
        .modified
        .iter()
        .for_each(|tool| modified(&mut to, tool));
    for new in &comparison.added {
        line(
            &mut to,
            2,
            &format!(
                "{} {} (new: nobody approved it)",
                paint(ADDED, "+"),
                named(new.name())
            ),
        );
        to.push_str(&tool(new));
    }
    comparison
        .removed
        .iter()
        .for_each(|tool| removed(&mut to, tool));
    if let Some(change) = &comparison.instructions {
        line(
            &mut to,
            2,
            &format!(
                "{} {}",
                paint(HEAD, "~"),
                paint(HEAD, "server instructions")
            ),
        );
        text_change(&mut to, change);
        line(&mut to, 6, &paint(ASIDE, ONLY_EXTENDED));
    }
    to
}

/// A tool whole: each member that reaches a model.
pub fn tool(tool: &Tool) -> String {
    let mut to = String::new();
    let document = tool.members();
    for field in Field::ALL {
        match document.root.member(field.name()) {
            None | Some(Value::Null) => {}
            Some(value) => member(&mut to, field, value),
        }
    }
    to
}

/// A listing whole: every tool, then the instructions.
pub fn listing(listing: &Listing) -> String {
    let mut to = String::new();
    for one in listing.tools() {
        line(&mut to, 4, &named(one.name()));
        to.push_str(&tool(one));
    }
    to.extend(listing.instructions().map(instructions));
    to
}

/// A server's instructions, whole.
pub fn instructions(text: &Untrusted) -> String {
    let mut to = String::new();
    line(&mut to, 4, &paint(HEAD, "server instructions"));
    line(&mut to, 8, &text.in_terminal_lines(8).to_string());
    to
}

fn member(to: &mut String, field: Field, value: &Value<'_>) {
    line(to, 6, field.name());
    let text = match value.as_str() {
        Some(text) => Untrusted::new(text),
        None => Untrusted::new(json::print(value).trim_end()),
    };
    line(to, 8, &text.in_terminal_lines(8).to_string());
}

fn modified(to: &mut String, tool: &Modified) {
    line(
        to,
        2,
        &format!("{} {}", paint(HEAD, "~"), named(&tool.name)),
    );
    for FieldChange { field, change } in &tool.changes {
        line(to, 6, field.name());
        match change {
            Change::Text(change) => text_change(to, change),
            Change::Value(change) => change.places.iter().for_each(|at| place(to, at)),
        }
    }
    notes(tool)
        .iter()
        .for_each(|note| line(to, 6, &paint(ASIDE, note)));
}

fn removed(to: &mut String, tool: &Removed) {
    line(
        to,
        2,
        &format!("{} {} (gone)", paint(REMOVED, "-"), named(&tool.name)),
    );
    if let Some(description) = &tool.description {
        line(to, 6, "description");
        line(to, 8, &description.in_terminal_lines(8).to_string());
    }
}

fn text_change(to: &mut String, change: &TextChange) {
    match (&change.approved, &change.current) {
        (Some(approved), Some(_)) => {
            line(to, 8, &marked(approved, &change.moved, 8));
            lookalikes(&change.moved)
                .iter()
                .for_each(|note| line(to, 8, note));
        }
        (approved, current) => {
            line(
                to,
                8,
                &format!(
                    "approved  {}",
                    paint(REMOVED, text_or_nothing(approved.as_ref()))
                ),
            );
            line(
                to,
                8,
                &format!(
                    "current   {}",
                    paint(ADDED, text_or_nothing(current.as_ref()))
                ),
            );
        }
    }
}

fn text_or_nothing(text: Option<&Untrusted>) -> String {
    text.map_or_else(
        || "(none, or only its digest is at hand)".to_owned(),
        |text| text.in_terminal_lines(18).to_string(),
    )
}

/// One place of a schema or of the annotations: two texts word by word, else two values.
fn place(to: &mut String, at: &Place) {
    let pointer = if at.pointer.as_arrived().is_empty() {
        "(all of it)".to_owned()
    } else {
        at.pointer.in_terminal().to_string()
    };
    line(to, 8, &pointer);
    let texts = (
        at.approved.as_ref().and_then(Form::as_text),
        at.current.as_ref().and_then(Form::as_text),
    );
    if let (Some(approved), Some(current)) = texts {
        let change = TextChange::between(Some(approved.clone()), Some(current));
        line(to, 10, &marked(&approved, &change.moved, 10));
        lookalikes(&change.moved)
            .iter()
            .for_each(|note| line(to, 10, note));
        return;
    }
    line(
        to,
        10,
        &format!(
            "approved  {}",
            paint(REMOVED, value_or_nothing(at.approved.as_ref()))
        ),
    );
    line(
        to,
        10,
        &format!(
            "current   {}",
            paint(ADDED, value_or_nothing(at.current.as_ref()))
        ),
    );
}

fn value_or_nothing(form: Option<&Form>) -> String {
    form.map_or_else(
        || "(nothing)".to_owned(),
        |form| form.untrusted().in_terminal().to_string(),
    )
}

fn named(name: &Untrusted) -> String {
    paint(HEAD, name.in_terminal())
}

fn line(to: &mut String, indent: usize, text: &str) {
    let written = writeln!(to, "{:indent$}{text}", "");
    debug_assert!(written.is_ok(), "writing to a String does not fail");
}
