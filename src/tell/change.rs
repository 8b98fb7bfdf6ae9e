//! [`Comparison`] → the lines a person must read before saying yes or no.

use std::fmt::Write;

use super::moved::{detail, text_change};
use super::notes::{ONLY_EXTENDED, renamed as about};
use super::paint::{ADDED, ASIDE, HEAD, REMOVED, paint};
use crate::check::{Comparison, Modified, Removed, Renamed};
use crate::json::{self, Value};
use crate::lock::{Field, Listing, Tool};
use crate::untrusted::Untrusted;

/// Every difference, whole: modified tools, likely renames, new tools, tools that are gone,
/// instructions.
pub fn comparison(comparison: &Comparison) -> String {
    let mut to = String::new();
    comparison
        .modified
        .iter()
        .for_each(|tool| modified(&mut to, tool));
    comparison
        .renamed
        .iter()
        .for_each(|pair| renamed(&mut to, pair));
    for new in comparison.only_added() {
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
        .only_removed()
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
        text_change(&mut to, change, 8);
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

/// A member whole.
pub(super) fn member(to: &mut String, field: Field, value: &Value<'_>) {
    line(to, 6, field.name());
    whole(to, value);
}

/// A value whole, under the name of its member.
pub(super) fn whole(to: &mut String, value: &Value<'_>) {
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
    detail(to, tool);
}

fn renamed(to: &mut String, pair: &Renamed) {
    let head = format!(
        "{} {} → {} ({})",
        paint(HEAD, "~"),
        named(&pair.from),
        named(&pair.to),
        about(pair.sameness)
    );
    line(to, 2, &head);
    detail(to, &pair.detail);
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

fn named(name: &Untrusted) -> String {
    paint(HEAD, name.in_terminal())
}

/// One line, indented.
pub(super) fn line(to: &mut String, indent: usize, text: &str) {
    let written = writeln!(to, "{:indent$}{text}", "");
    debug_assert!(written.is_ok(), "writing to a String does not fail");
}
