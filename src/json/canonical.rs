//! [`Value`] → canonical form (RFC 8785): the only text that is ever hashed.

use serde::Serialize;

use super::value::{Member, Object, Spelling, Text, Value};
use super::{ReadError, number, read_own, string};

/// The canonical form of `value`.
pub fn canonical(value: &Value<'_>) -> String {
    let mut to = String::new();
    write_canonical(value, &mut to);
    to
}

/// The canonical form of a document of ours: written, read back strictly, and sealed as
/// any reader of the written bytes would see it.
///
/// # Errors
/// [`ReadError`] if what was written is not acceptable JSON, which only a hand-made
/// `Serialize` can cause.
pub fn canonical_of(document: &impl Serialize) -> Result<String, ReadError> {
    let written = super::print_line(document);
    Ok(canonical(&read_own(written.as_bytes())?.root))
}

/// The canonical form of an object without the members named.
pub fn canonical_without(object: &Object<'_>, without: &[&str]) -> String {
    let mut to = String::new();
    let kept = object
        .iter()
        .filter(|member| !without.contains(&member.name.as_str()));
    write_members(kept, &mut to);
    to
}

/// Appends the canonical form of `value`.
pub fn write_canonical(value: &Value<'_>, to: &mut String) {
    match value {
        Value::Null => to.push_str("null"),
        Value::Bool(true) => to.push_str("true"),
        Value::Bool(false) => to.push_str("false"),
        Value::Number(token) => number::write_canonical(*token, to),
        Value::String(text) => write_canonical_text(text, to),
        Value::Array(items) => {
            to.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(index, to);
                write_canonical(item, to);
            }
            to.push(']');
        }
        Value::Object(object) => write_members(object.iter(), to),
    }
}

fn write_members<'a>(members: impl Iterator<Item = &'a Member<'a>>, to: &mut String) {
    to.push('{');
    for (index, member) in members.enumerate() {
        separate(index, to);
        write_canonical_text(&member.name, to);
        to.push(':');
        write_canonical(&member.value, to);
    }
    to.push('}');
}

/// Appends the canonical form of a string: as `JSON.stringify` writes it.
pub fn write_canonical_text(text: &Text<'_>, to: &mut String) {
    to.push('"');
    match &text.0 {
        Spelling::Plain(plain) => to.push_str(plain),
        Spelling::Escaped(decoded) => write_escaped(decoded, to),
    }
    to.push('"');
}

fn separate(index: usize, to: &mut String) {
    if index > 0 {
        to.push(',');
    }
}

fn write_escaped(mut text: &str, to: &mut String) {
    loop {
        let (plain, rest) = text.split_at(string::plain_length(text.as_bytes()));
        to.push_str(plain);
        let mut characters = rest.chars();
        match characters.next() {
            Some('"') => to.push_str("\\\""),
            Some('\\') => to.push_str("\\\\"),
            Some('\u{8}') => to.push_str("\\b"),
            Some('\t') => to.push_str("\\t"),
            Some('\n') => to.push_str("\\n"),
            Some('\u{c}') => to.push_str("\\f"),
            Some('\r') => to.push_str("\\r"),
            Some(control) => to.push_str(&format!("\\u{:04x}", u32::from(control))),
            None => return,
        }
        text = characters.as_str();
    }
}
