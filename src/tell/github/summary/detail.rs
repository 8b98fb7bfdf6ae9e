//! [`Comparison`] → HTML blocks that show it whole, one for each tool.
//!
//! The twin of the terminal's text: the same words, the same marks. No line of it is
//! blank and none is Markdown: an HTML block of a page ends at its first blank line.

use crate::check::{
    Change, Comparison, FieldChange, Form, Kept, Modified, Named, Place, Removed, Renamed,
    TextChange,
};
use crate::json::{self, Value};
use crate::lock::{Field, Tool};
use crate::message::Message;
use crate::tell::notes::{
    NOT_AT_HAND, NOTHING, ONLY_DIGEST, ONLY_EXTENDED, notes, renamed as about, weighed,
};
use crate::tell::words::{Stretch, lookalikes, stretches};
use crate::untrusted::{Untrusted, in_html, in_html_code};

/// JSON of so many bytes is shown on one line.
const ONE_LINE: usize = 400;

/// Every difference, whole, for the inside of a `<details>` or after a blank line.
pub fn comparison_in_html(comparison: &Comparison) -> String {
    parts(comparison).collect()
}

/// Each difference by itself: modified tools, likely renames, new tools, tools that are
/// gone, instructions.
pub(super) fn parts(comparison: &Comparison) -> impl Iterator<Item = String> + '_ {
    (comparison.modified.iter().map(modified))
        .chain(comparison.renamed.iter().map(renamed))
        .chain(comparison.only_added().map(added))
        .chain(comparison.only_removed().map(removed))
        .chain(comparison.instructions.iter().map(instructions))
}

fn modified(tool: &Modified) -> String {
    titled(&format!("~ {}", tool.name.in_html_code()), &items(tool))
}

fn renamed(pair: &Renamed) -> String {
    let head = format!(
        "~ {} → {} ({})",
        pair.from.in_html_code(),
        pair.to.in_html_code(),
        about(pair.sameness)
    );
    titled(&head, &items(&pair.detail))
}

/// Each member that moved or may have, and what else is to be known.
fn items(tool: &Modified) -> String {
    let changes = tool.changes.iter().map(field_change);
    let document = tool.current.members();
    let untold = tool.untold.iter().map(|field| {
        let told = match document.root.member(field.name()) {
            None | Some(Value::Null) => format!("{NOTHING} now"),
            Some(value) => format!("{NOT_AT_HAND} {}", member(value)),
        };
        item(&format!("{}: {told}", field.name()))
    });
    let notes = notes(tool).into_iter();
    let notes = notes.map(|note| item(&Message::new(note).in_html()));
    changes.chain(untold).chain(notes).collect()
}

fn added(tool: &Tool) -> String {
    titled(&new(tool.name()), &whole(tool))
}

/// The head of a tool that is new.
pub(super) fn new(name: &Untrusted) -> String {
    format!("+ {} (new)", name.in_html_code())
}

fn removed(tool: &Removed) -> String {
    gone(&tool.name, tool.description.as_ref())
}

/// A tool that is gone, as far as its lockfile tells of it.
pub(super) fn gone(name: &Untrusted, description: Option<&Untrusted>) -> String {
    let head = format!("− {} (gone)", name.in_html_code());
    described(&head, description)
}

/// A tool of which only the description is at hand, if that.
pub(super) fn described(head: &str, description: Option<&Untrusted>) -> String {
    let item = description.map(|text| item(&format!("description: {}", code(text))));
    titled(head, &item.unwrap_or_default())
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
                .map(|note| format!(" <b>{}</b>", in_html_code(note)))
                .collect();
            let weighed = weighed(change).map(|note| format!(" <i>{note}</i>"));
            format!("{told}{alike}{}", weighed.unwrap_or_default())
        }
        (approved, current) => {
            let none = match change.kept {
                Kept::Whole => NOTHING,
                Kept::Digest => ONLY_DIGEST,
            };
            let approved = approved.as_ref().map(code);
            sides(approved, current.as_ref().map(code), none)
        }
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
    let named = called(&at.named);
    let told = match &at.text {
        Some(change) => text_change(change),
        None => {
            let side = |form: &Option<Form>| form.as_ref().map(|form| code(form.untrusted()));
            sides(side(&at.approved), side(&at.current), NOTHING)
        }
    };
    item(&format!("{name} {pointer}: {named}{told}"))
}

/// What a change is called.
fn called(named: &[Named]) -> String {
    if named.is_empty() {
        return String::new();
    }
    let mark = match named.iter().any(Named::takes_back) {
        true => "⚠️ ",
        false => "",
    };
    let told: Vec<String> = named.iter().map(|one| one.message().in_html()).collect();
    format!("{mark}<b>{}</b>: ", told.join("; "))
}

/// Both sides; `none` stands for an approved one that is not there.
fn sides(approved: Option<String>, current: Option<String>, none: &str) -> String {
    let approved = approved.map_or_else(|| none.to_owned(), |text| format!("<del>{text}</del>"));
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

fn code(text: &Untrusted) -> String {
    format!("<code>{}</code>", text.within_html_code())
}
