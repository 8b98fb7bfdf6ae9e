//! Members of a tool → headed blocks: what moved in each, or all of it.

use super::sides::{text, text_sides, value};
use super::tree::tree;
use crate::check::{Change, FieldChange, Modified, Removed, TextChange};
use crate::json::Value;
use crate::lock::{Field, Tool};
use crate::tell::notes::{NOT_AT_HAND, NOTHING};
use crate::untrusted::Untrusted;
use crate::untrusted::html::{Html, code, shown};

/// A member of a tool.
pub(super) struct Member {
    pub(super) name: Html,
    pub(super) note: Option<Html>,
    pub(super) body: Html,
}

impl Member {
    /// A member by that name.
    fn of(name: &str, body: Html) -> Self {
        Member {
            name: code(name),
            note: None,
            body,
        }
    }
}

/// A member that moved.
pub(super) fn moved(change: &FieldChange) -> askama::Result<Member> {
    let body = match &change.change {
        Change::Text(text) => text_sides(text)?,
        Change::Value(value) => tree(&value.places)?,
    };
    Ok(Member::of(change.field.name(), body))
}

/// The current side of what cannot be compared.
pub(super) fn untold(tool: &Modified) -> askama::Result<Vec<Member>> {
    let document = tool.current.members();
    let member = |field: &Field| {
        let (note, body) = match document.root.member(field.name()) {
            None | Some(Value::Null) => (format!("{NOTHING} now"), shown("")),
            Some(current) => (NOT_AT_HAND.to_owned(), value(current)?),
        };
        Ok(Member {
            note: Some(shown(note)),
            ..Member::of(field.name(), body)
        })
    };
    tool.untold.iter().map(member).collect()
}

/// Each member of a tool that reaches a model.
pub(super) fn whole(tool: &Tool) -> askama::Result<Vec<Member>> {
    let document = tool.members();
    let there = |field: Field| match document.root.member(field.name()) {
        None | Some(Value::Null) => None,
        Some(there) => Some((field, there)),
    };
    let member = |(field, there): (Field, &Value<'_>)| Ok(Member::of(field.name(), value(there)?));
    let all = Field::ALL.into_iter().filter_map(there);
    all.map(member).collect()
}

/// A tool that is gone, as far as it is at hand.
pub(super) fn gone(tool: &Removed) -> askama::Result<Vec<Member>> {
    match &tool.tool {
        Some(tool) => whole(tool),
        None => description(&tool.description),
    }
}

/// A description by itself, if there is one.
pub(super) fn description(there: &Option<Untrusted>) -> askama::Result<Vec<Member>> {
    let member = |there| Ok(Member::of(Field::Description.name(), text(there)?));
    there.iter().map(member).collect()
}

/// A text that moved.
pub(super) fn text_change(name: &str, change: &TextChange) -> askama::Result<Member> {
    Ok(Member::of(name, text_sides(change)?))
}

/// A name that its heading has not whole.
pub(super) fn name(name: &Untrusted) -> askama::Result<Member> {
    Ok(Member::of("name", text(name)?))
}
