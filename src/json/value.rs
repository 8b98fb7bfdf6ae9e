//! The JSON value as it arrived: number tokens kept, strings borrowed, members sorted.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::Notice;
use super::order::Named;

/// One JSON text that [`super::read`] accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    /// The value the text holds.
    pub root: Value<'a>,
    /// What was accepted but should be told (design §1: a leading BOM, rounding).
    pub notices: Vec<Notice>,
}

/// A JSON value borrowing from the text it was read from.
///
/// Two values are equal when they hold the same tokens; whether they mean the same is
/// decided by their [canonical form](super::canonical).
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, kept as its token.
    Number(Number<'a>),
    /// A string, decoded.
    String(Text<'a>),
    /// An array in its order.
    Array(Box<[Value<'a>]>),
    /// An object; member names are unique.
    Object(Object<'a>),
}

impl<'a> Value<'a> {
    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text.as_str()),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        }
    }

    /// The items, if this is an array.
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        match self {
            Value::Array(items) => Some(items),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_) => None,
        }
    }

    /// The members, if this is an object.
    pub fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Value::Object(object) => Some(object),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => None,
        }
    }

    /// The number as an unsigned integer, if its token is one (`3`, not `3.0`).
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Number(number) => number.token().parse().ok(),
            Value::Null
            | Value::Bool(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        }
    }

    /// Is this `null`?
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The member `name`, if this is an object that has it.
    pub fn member(&self, name: &str) -> Option<&Value<'a>> {
        self.as_object()?.get(name)
    }

    /// What a message calls this: `null`, `a boolean`, `a number`, …
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

/// A number token that is in range (design §1); never reprinted before it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<'a>(pub(super) &'a str);

impl<'a> Number<'a> {
    /// The token as it arrived.
    pub fn token(self) -> &'a str {
        self.0
    }
}

/// A decoded string. One without escapes is borrowed and needs no escaping when written.
#[derive(Debug, Clone)]
pub struct Text<'a>(pub(super) Spelling<'a>);

#[derive(Debug, Clone)]
pub(super) enum Spelling<'a> {
    /// Stood between quotation marks without any escape.
    Plain(&'a str),
    /// Held at least one escape; decoded here.
    Escaped(Box<str>),
}

impl Text<'_> {
    /// The decoded text.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Spelling::Plain(text) => text,
            Spelling::Escaped(text) => text,
        }
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

/// The members of an object in canonical order (UTF-16 code units), names unique.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object<'a>(pub(super) Box<[Member<'a>]>);

impl<'a> Object<'a> {
    /// The value of the member `name`.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        Some(&self.member(name)?.value)
    }

    /// The member `name`, with the place it stood at.
    pub fn member(&self, name: &str) -> Option<&Member<'a>> {
        let found = self
            .0
            .binary_search_by(|m| super::order::utf16(m.name.as_str(), name));
        self.0.get(found.ok()?)
    }

    /// The members in canonical order.
    pub fn iter(&self) -> std::slice::Iter<'_, Member<'a>> {
        self.0.iter()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is it `{}`?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// One member of an object.
#[derive(Debug, Clone)]
pub struct Member<'a> {
    /// The member's name, decoded.
    pub name: Text<'a>,
    /// Byte offset of the name's opening quotation mark in the text read.
    pub at: usize,
    /// The member's value.
    pub value: Value<'a>,
}

/// Equal wherever they stood: where a member was read is no part of the value.
impl PartialEq for Member<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.value == other.value
    }
}

impl Named for Member<'_> {
    fn name(&self) -> &str {
        self.name.as_str()
    }

    fn at(&self) -> usize {
        self.at
    }
}

/// So that a value can stand inside a document of ours; numbers keep their value, not
/// their token, and so their canonical form.
impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => to.serialize_unit(),
            Value::Bool(flag) => to.serialize_bool(*flag),
            Value::Number(number) => number.serialize(to),
            Value::String(text) => to.serialize_str(text.as_str()),
            Value::Array(items) => {
                let mut seq = to.serialize_seq(Some(items.len()))?;
                items
                    .iter()
                    .try_for_each(|item| seq.serialize_element(item))?;
                seq.end()
            }
            Value::Object(object) => {
                let mut map = to.serialize_map(Some(object.len()))?;
                object
                    .iter()
                    .try_for_each(|m| map.serialize_entry(m.name.as_str(), &m.value))?;
                map.end()
            }
        }
    }
}

impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if let Ok(integer) = self.0.parse::<i64>() {
            to.serialize_i64(integer)
        } else if let Ok(integer) = self.0.parse::<u64>() {
            to.serialize_u64(integer)
        } else {
            to.serialize_f64(super::number::double(*self))
        }
    }
}
