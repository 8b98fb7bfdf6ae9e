//! [`Comparison`] → HTML blocks that show it whole, one for each tool.
//!
//! The twin of the terminal's text: the same words, the same marks. No line of it is
//! blank and none is Markdown: an HTML block of a page ends at its first blank line.

use crate::check::{Change, Comparison, FieldChange, Form, Modified, Place, Removed, TextChange};
use crate::json::{self, Value};
use crate::lock::{Field, Tool};
use crate::message::Message;
use crate::tell::notes::{ONLY_EXTENDED, notes};
use crate::tell::words::{Stretch, lookalikes, stretches};
use crate::untrusted::{Untrusted, in_html};

/// JSON of so many bytes is shown on one line.
const ONE_LINE: usize = 400;

/// Every difference, whole, for the inside of a `<details>` or after a blank line.
pub fn comparison_in_html(comparison: &Comparison) -> String {
    parts(comparison).collect()
}

/// Each difference by itself: modified tools, new tools, tools that are gone, instructions.
pub(super) fn parts(comparison: &Comparison) -> impl Iterator<Item = String> + '_ {
    (comparison.modified.iter().map(modified))
        .chain(comparison.added.iter().map(added))
        .chain(comparison.removed.iter().map(removed))
        .chain(comparison.instructions.iter().map(instructions))
}

fn modified(tool: &Modified) -> String {
    let changes: String = tool.changes.iter().map(field_change).collect();
    let notes: String = notes(tool)
        .into_iter()
        .map(|note| item(&Message::new(note).in_html()))
        .collect();
    titled(
        &format!("~ {}", tool.name.in_html_code()),
        &(changes + &notes),
    )
}

fn added(tool: &Tool) -> String {
    let head = format!("+ {} (new)", tool.name().in_html_code());
    titled(&head, &whole(tool))
}

fn removed(tool: &Removed) -> String {
    let text = tool.description.as_ref();
    let text = text.map(|text| item(&format!("description: {}", code(text))));
    let head = format!("− {} (gone)", tool.name.in_html_code());
    titled(&head, &text.unwrap_or_default())
}

fn instructions(change: &TextChange) -> String {
    let note = item(&Message::new(ONLY_EXTENDED).in_html());
    titled(
        "~ server instructions",
        &(item(&text_change(change)) + &note),
    )
}

/// A tool whole: each member that reaches a model.
fn whole(tool: &Tool) -> String {
    let document = tool.members();
    let member = |field: Field| match document.root.member(field.name()) {
        None | Some(Value::Null) => None,
        Some(value) => Some(item(&format!("{}: {}", field.name(), member(value)))),
    };
    Field::ALL.into_iter().filter_map(member).collect()
}

/// A text, or JSON: on one line where it is short, else laid out.
fn member(value: &Value<'_>) -> String {
    if let Some(text) = value.as_str() {
        return code(&Untrusted::new(text));
    }
    let line = json::canonical(value);
    if line.len() <= ONE_LINE {
        return code(&Untrusted::new(line));
    }
    let text = Untrusted::new(json::print(value).trim_end());
    format!("<pre>{}</pre>", text.within_html_code())
}

fn field_change(change: &FieldChange) -> String {
    let name = change.field.name();
    match &change.change {
        Change::Text(change) => item(&format!("{name}: {}", text_change(change))),
        Change::Value(change) => change.places.iter().map(|at| place(name, at)).collect(),
    }
}

/// A text with the words that moved in it.
pub(super) fn text_change(change: &TextChange) -> String {
    match (&change.approved, &change.current) {
        (Some(approved), Some(_)) => {
            let told = marked(&stretches(approved, &change.moved, 0));
            let alike = lookalikes(&change.moved).into_iter();
            let alike: String = alike
                .map(|note| format!(" <b><code>{}</code></b>", in_html(note)))
                .collect();
            format!("{told}{alike}")
        }
        (approved, current) => sides(approved.as_ref().map(code), current.as_ref().map(code)),
    }
}

/// Stretches as code, with what moved struck out and underlined beside its marks.
pub(super) fn marked(stretches: &[Stretch]) -> String {
    format!(
        "<code>{}</code>",
        String::from_iter(stretches.iter().map(stretch))
    )
}

fn stretch(stretch: &Stretch) -> String {
    let text = in_html(stretch.marked());
    match stretch {
        Stretch::Same(_) => text.to_string(),
        Stretch::Gap(_) => format!("<i>{text}</i>"),
        Stretch::Removed(_) => format!("<del>{text}</del>"),
        Stretch::Added(_) => format!("<ins>{text}</ins>"),
    }
}

/// One place of a schema or of the annotations: two texts word by word, else two values.
fn place(name: &str, at: &Place) -> String {
    let pointer = match at.pointer.as_arrived().is_empty() {
        true => "(all of it)".to_owned(),
        false => at.pointer.in_html_code().to_string(),
    };
    let text = |form: &Option<Form>| form.as_ref().and_then(Form::as_text);
    let told = match (text(&at.approved), text(&at.current)) {
        (Some(approved), Some(current)) => {
            text_change(&TextChange::between(Some(approved), Some(current)))
        }
        _ => {
            let side = |form: &Option<Form>| form.as_ref().map(|form| code(form.untrusted()));
            sides(side(&at.approved), side(&at.current))
        }
    };
    item(&format!("{name} {pointer}: {told}"))
}

fn sides(approved: Option<String>, current: Option<String>) -> String {
    const NOTHING: &str = "(nothing, or only its digest is at hand)";
    let approved = approved.map_or_else(|| NOTHING.to_owned(), |text| format!("<del>{text}</del>"));
    let current = current.map_or_else(|| NOTHING.to_owned(), |text| format!("<ins>{text}</ins>"));
    format!("{approved} → {current}")
}

pub(super) fn titled(head: &str, items: &str) -> String {
    match items.is_empty() {
        true => format!("<p>{head}</p>\n"),
        false => format!("<p>{head}</p>\n<ul>\n{items}</ul>\n"),
    }
}

pub(super) fn item(told: &str) -> String {
    format!("<li>{told}</li>\n")
}

pub(super) fn code(text: &Untrusted) -> String {
    format!("<code>{}</code>", text.within_html_code())
}
