//! A place of a schema that differs → what the change is called.

use std::collections::BTreeSet;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::hints::HintMove;
use super::keyword::{Keyword, Position};
use super::paths::Difference;
use crate::json::{self, Value};
use crate::message::Message;
use crate::untrusted::Untrusted;

/// What a change of a schema or of an annotation is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// A parameter is new.
    ParameterNew(Untrusted),
    /// A parameter is gone.
    ParameterGone(Untrusted),
    /// Parameters must be given now.
    BecameRequired(Vec<Untrusted>),
    /// Parameters need not be given any more.
    NoLongerRequired(Vec<Untrusted>),
    /// Any value was taken, and now only those of an enum are.
    EnumNew,
    /// Only the values of an enum were taken, and now any is.
    EnumGone,
    /// An enum takes more values, each in canonical form.
    EnumGained(Vec<Untrusted>),
    /// An enum takes fewer values, each in canonical form.
    EnumLost(Vec<Untrusted>),
    /// The type is another; `None` is any type.
    TypeChanged {
        /// What was approved.
        approved: Option<Untrusted>,
        /// What is said now.
        current: Option<Untrusted>,
    },
    /// A default is new.
    DefaultNew,
    /// A default is gone.
    DefaultGone,
    /// The default is another.
    DefaultChanged,
    /// The same values in another order.
    Reordered,
    /// An annotation says something else about what the tool does.
    Hint(HintMove),
}

impl Named {
    /// As it stands in an answer.
    pub fn name(&self) -> &'static str {
        match self {
            Named::ParameterNew(_) => "parameter-new",
            Named::ParameterGone(_) => "parameter-gone",
            Named::BecameRequired(_) => "became-required",
            Named::NoLongerRequired(_) => "no-longer-required",
            Named::EnumNew => "enum-new",
            Named::EnumGone => "enum-gone",
            Named::EnumGained(_) => "enum-gained",
            Named::EnumLost(_) => "enum-lost",
            Named::TypeChanged { .. } => "type-changed",
            Named::DefaultNew => "default-new",
            Named::DefaultGone => "default-gone",
            Named::DefaultChanged => "default-changed",
            Named::Reordered => "reordered",
            Named::Hint(hint) => hint.name(),
        }
    }

    /// Does it take back a promise that the approver may have relied on?
    pub fn takes_back(&self) -> bool {
        match self {
            Named::Hint(hint) => hint.takes_back(),
            Named::ParameterNew(_)
            | Named::ParameterGone(_)
            | Named::BecameRequired(_)
            | Named::NoLongerRequired(_)
            | Named::EnumNew
            | Named::EnumGone
            | Named::EnumGained(_)
            | Named::EnumLost(_)
            | Named::TypeChanged { .. }
            | Named::DefaultNew
            | Named::DefaultGone
            | Named::DefaultChanged
            | Named::Reordered => false,
        }
    }

    /// In words.
    pub fn message(&self) -> Message {
        match self {
            Named::ParameterNew(name) => Message::new("").theirs(name).ours(" is new"),
            Named::ParameterGone(name) => Message::new("").theirs(name).ours(" is gone"),
            Named::BecameRequired(names) => Message::default().each(names).ours(" became required"),
            Named::NoLongerRequired(names) => Message::default()
                .each(names)
                .ours(verb(names, " is", " are"))
                .ours(" no longer required"),
            Named::EnumNew => Message::new("an enum came: only these values are taken now"),
            Named::EnumGone => Message::new("the enum is gone: any value is taken now"),
            Named::EnumGained(values) => Message::new("enum gained ").each(values),
            Named::EnumLost(values) => Message::new("enum lost ").each(values),
            Named::TypeChanged { approved, current } => Message::new("type ")
                .then(type_in_words(approved.as_ref()))
                .ours(" → ")
                .then(type_in_words(current.as_ref())),
            Named::DefaultNew => Message::new("the default is new"),
            Named::DefaultGone => Message::new("the default is gone"),
            Named::DefaultChanged => Message::new("default changed"),
            Named::Reordered => Message::new("the same values in another order"),
            Named::Hint(hint) => Message::new(hint.words()),
        }
    }
}

fn verb(names: &[Untrusted], one: &'static str, many: &'static str) -> &'static str {
    if names.len() == 1 { one } else { many }
}

fn type_in_words(name: Option<&Untrusted>) -> Message {
    name.map_or_else(
        || Message::new("any"),
        |name| Message::default().theirs(name),
    )
}

/// `{name, says}`
impl Serialize for Named {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut shape = to.serialize_struct("Named", 2)?;
        shape.serialize_field("name", self.name())?;
        shape.serialize_field("says", &self.message())?;
        shape.end()
    }
}

/// What the change at a place of a schema is called.
pub(super) fn named(difference: &Difference<'_>) -> Vec<Named> {
    let (approved, current) = (difference.approved, difference.current);
    match difference.position {
        Position::Keyword(Keyword::Required) => required(approved, current),
        Position::Keyword(Keyword::Enum) => values(approved, current),
        Position::Keyword(Keyword::Type) => vec![typed(approved, current)],
        Position::Keyword(Keyword::Default) => {
            let default = match (approved, current) {
                (None, _) => Named::DefaultNew,
                (Some(_), None) => Named::DefaultGone,
                (Some(_), Some(_)) => Named::DefaultChanged,
            };
            vec![default]
        }
        Position::Parameter => parameter(difference).into_iter().collect(),
        Position::Schema | Position::Schemas { .. } | Position::Data => Vec::new(),
    }
}

fn parameter(difference: &Difference<'_>) -> Option<Named> {
    let name = || Untrusted::new(difference.name);
    match (difference.approved, difference.current) {
        (None, Some(_)) => Some(Named::ParameterNew(name())),
        (Some(_), None) => Some(Named::ParameterGone(name())),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

type Side<'a> = Option<&'a Value<'a>>;

fn required(approved: Side<'_>, current: Side<'_>) -> Vec<Named> {
    let names = |side: Side<'_>| match side {
        None => Some(BTreeSet::new()),
        Some(value) => value.as_array()?.iter().map(text).collect(),
    };
    let (Some(was), Some(is)) = (names(approved), names(current)) else {
        return Vec::new();
    };
    moves(&was, &is, (Named::NoLongerRequired, Named::BecameRequired))
}

fn values(approved: Side<'_>, current: Side<'_>) -> Vec<Named> {
    let values = |side: &Value<'_>| -> Option<BTreeSet<Untrusted>> {
        let form = |value| Untrusted::new(json::canonical(value));
        Some(side.as_array()?.iter().map(form).collect())
    };
    match (approved, current) {
        (None, _) => vec![Named::EnumNew],
        (Some(_), None) => vec![Named::EnumGone],
        (Some(was), Some(is)) => match (values(was), values(is)) {
            (Some(was), Some(is)) => moves(&was, &is, (Named::EnumLost, Named::EnumGained)),
            (None, _) | (_, None) => Vec::new(),
        },
    }
}

type OfNames = fn(Vec<Untrusted>) -> Named;

fn moves(
    was: &BTreeSet<Untrusted>,
    is: &BTreeSet<Untrusted>,
    (lost, gained): (OfNames, OfNames),
) -> Vec<Named> {
    let only =
        |a: &BTreeSet<Untrusted>, b| -> Vec<Untrusted> { a.difference(b).cloned().collect() };
    let named = [(gained, only(is, was)), (lost, only(was, is))];
    let named = named.into_iter().filter(|(_, names)| !names.is_empty());
    let named: Vec<Named> = named.map(|(name, names)| name(names)).collect();
    match named.is_empty() {
        true => vec![Named::Reordered],
        false => named,
    }
}

fn typed(approved: Side<'_>, current: Side<'_>) -> Named {
    let name = |side: Side<'_>| {
        let value = side?;
        let list = value.as_array().and_then(|types| {
            let types = types.iter().map(|one| one.as_str());
            Some(types.collect::<Option<Vec<&str>>>()?.join(" or "))
        });
        let one = value.as_str().map(str::to_owned).or(list);
        Some(Untrusted::new(
            one.unwrap_or_else(|| json::canonical(value)),
        ))
    };
    let (approved, current) = (name(approved), name(current));
    Named::TypeChanged { approved, current }
}

fn text(value: &Value<'_>) -> Option<Untrusted> {
    value.as_str().map(Untrusted::new)
}

#[cfg(test)]
mod tests {
    use super::super::paths::differences;
    use super::*;

    fn check(approved: &str, current: &str, expect: &[&str]) {
        let (approved, current) = (
            json::read(approved.as_bytes()).unwrap(),
            json::read(current.as_bytes()).unwrap(),
        );
        let found: Vec<String> =
            differences(Some(&approved.root), Some(&current.root), Position::Schema)
                .iter()
                .flat_map(|difference| {
                    let named = named(difference).into_iter();
                    named.map(|one| {
                        format!("{} {}", difference.pointer, one.message().in_terminal())
                    })
                })
                .collect();
        assert_eq!(found, expect, "{approved:?} {current:?}");
    }

    #[test]
    fn rows() {
        check(
            r#"{"required":["a"]}"#,
            r#"{"required":["q","a"]}"#,
            &["/required `q` became required"],
        );
        check(
            r#"{"required":["a","b"]}"#,
            "{}",
            &["/required `a`, `b` are no longer required"],
        );
        check(
            r#"{"required":["a","b"]}"#,
            r#"{"required":["b","a"]}"#,
            &["/required the same values in another order"],
        );
        check(
            r#"{"properties":{"k":{"enum":["a",1]}}}"#,
            r#"{"properties":{"k":{"enum":["a","1"]}}}"#,
            &[
                "/properties/k/enum enum gained `\"1\"`",
                "/properties/k/enum enum lost `1`",
            ],
        );
        check(
            r#"{"type":"string"}"#,
            r#"{"type":["array","null"]}"#,
            &["/type type `string` → `array or null`"],
        );
        check("{}", r#"{"type":7}"#, &["/type type any → `7`"]);
        check(
            r#"{"default":1}"#,
            r#"{"default":2}"#,
            &["/default default changed"],
        );
        check(
            "{}",
            r#"{"default":null}"#,
            &["/default the default is new"],
        );
        check(
            r#"{"properties":{"required":{}}}"#,
            r#"{"properties":{"enum":{}}}"#,
            &[
                "/properties/enum `enum` is new",
                "/properties/required `required` is gone",
            ],
        );
        check(
            r#"{"default":{"enum":["a"]}}"#,
            r#"{"default":{"enum":["b"]}}"#,
            &[],
        );
    }
}
