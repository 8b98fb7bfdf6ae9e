//! A digest that does not match → would it, under a known deviation of other writers?
//!
//! Obeys design §11: asked on a mismatch only, told, and it still blocks.

use std::cmp::Ordering;

use crate::json::{self, Object, Value};
use crate::lock::{Digest, Field, Tool};

/// A way in which other programs are known to hash a tool otherwise than the page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deviation {
    /// Member names that are array indices first, in the order of their numbers: what a
    /// JavaScript object does to its members.
    IndicesFirst,
    /// Annotations that the protocol does not know left out: what typed readers do.
    KnownAnnotationsOnly,
    /// Both at once.
    Both,
}

impl Deviation {
    /// Each, the least deviating first.
    const ALL: [Deviation; 3] = [
        Deviation::IndicesFirst,
        Deviation::KnownAnnotationsOnly,
        Deviation::Both,
    ];

    /// As it stands in an answer.
    pub fn name(self) -> &'static str {
        match self {
            Deviation::IndicesFirst => "indices-first",
            Deviation::KnownAnnotationsOnly => "known-annotations-only",
            Deviation::Both => "indices-first-and-known-annotations-only",
        }
    }

    /// May a member have changed all the same? What is left out of a digest may, and what
    /// v1 does not hash.
    pub(super) fn leaves_open(self, field: Field) -> bool {
        match self {
            Deviation::IndicesFirst => !field.is_pinned_by_v1(),
            Deviation::KnownAnnotationsOnly | Deviation::Both => {
                field == Field::Annotations || !field.is_pinned_by_v1()
            }
        }
    }

    fn order(self) -> Order {
        match self {
            Deviation::IndicesFirst | Deviation::Both => Order::IndicesFirst,
            Deviation::KnownAnnotationsOnly => Order::Canonical,
        }
    }

    fn annotations(self) -> Annotations {
        match self {
            Deviation::IndicesFirst => Annotations::All,
            Deviation::KnownAnnotationsOnly | Deviation::Both => Annotations::Known,
        }
    }

    /// What a message calls it.
    pub fn words(self) -> &'static str {
        match self {
            Deviation::IndicesFirst => "member names that look like array indices were put first",
            Deviation::KnownAnnotationsOnly => {
                "annotations that the protocol does not know were left out"
            }
            Deviation::Both => {
                "member names that look like array indices were put first, and annotations that the protocol does not know were left out"
            }
        }
    }
}

const KNOWN_ANNOTATIONS: [&str; 5] = [
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
    "readOnlyHint",
    "title",
];

/// The deviation under which `tool` has the approved v1 digest.
pub(super) fn deviation(approved: Digest, tool: &Tool) -> Option<Deviation> {
    let document = tool.members();
    let members = document.root.as_object()?;
    let holds = |deviation: &Deviation| Digest::of(v1_form(members, *deviation)) == approved;
    Deviation::ALL.into_iter().find(holds)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Canonical,
    IndicesFirst,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Annotations {
    All,
    Known,
}

fn v1_form(members: &Object<'_>, deviation: Deviation) -> String {
    let mut form = String::new();
    let order = deviation.order();
    for (before, name) in ["{\"", ",\"", ",\"", ",\""].iter().zip([
        "annotations",
        "description",
        "inputSchema",
        "name",
    ]) {
        form.push_str(before);
        form.push_str(name);
        form.push_str("\":");
        let value = members.get(name).unwrap_or(&Value::Null);
        let is_cut = name == "annotations" && deviation.annotations() == Annotations::Known;
        match value.as_object().filter(|_| is_cut) {
            Some(annotations) => {
                let known = |name: &str| KNOWN_ANNOTATIONS.contains(&name);
                write_object(annotations, &known, order, &mut form);
            }
            None => write(value, order, &mut form),
        }
    }
    form.push('}');
    form
}

fn write(value: &Value<'_>, order: Order, to: &mut String) {
    match value {
        Value::Object(object) => write_object(object, &|_| true, order, to),
        Value::Array(items) => {
            to.push('[');
            for (index, item) in items.iter().enumerate() {
                to.push_str(if index > 0 { "," } else { "" });
                write(item, order, to);
            }
            to.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            json::write_canonical(value, to)
        }
    }
}

fn write_object(object: &Object<'_>, keep: &dyn Fn(&str) -> bool, order: Order, to: &mut String) {
    let mut members: Vec<_> = object
        .iter()
        .filter(|member| keep(member.name.as_str()))
        .collect();
    if order == Order::IndicesFirst {
        members.sort_by(|a, b| indices_first(a.name.as_str(), b.name.as_str()));
    }
    to.push('{');
    for (index, member) in members.into_iter().enumerate() {
        to.push_str(if index > 0 { "," } else { "" });
        json::write_canonical_text(&member.name, to);
        to.push(':');
        write(&member.value, order, to);
    }
    to.push('}');
}

/// Array indices by number before all other names, which keep their order (a stable sort).
fn indices_first(a: &str, b: &str) -> Ordering {
    match (array_index(a), array_index(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// An array index of ECMAScript: 0 to 2^32 - 2, spelled as a number is.
fn array_index(name: &str) -> Option<u32> {
    let index: u32 = name.parse().ok()?;
    (index < u32::MAX && index.to_string() == name).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(approved_form: &str, tool: &str, expect: Option<Deviation>) {
        let document = json::read(tool.as_bytes()).unwrap();
        let tool = Tool::read(&document.root).unwrap();
        assert_eq!(
            deviation(Digest::of(approved_form), &tool),
            expect,
            "{approved_form}"
        );
    }

    #[test]
    fn rows() {
        let tool = r#"{"name":"a","inputSchema":{"9":1,"10":2,"$ref":3},"annotations":{"category":"x","title":"t"}}"#;
        check(
            r#"{"annotations":{"category":"x","title":"t"},"description":null,"inputSchema":{"9":1,"10":2,"$ref":3},"name":"a"}"#,
            tool,
            Some(Deviation::IndicesFirst),
        );
        check(
            r#"{"annotations":{"title":"t"},"description":null,"inputSchema":{"$ref":3,"10":2,"9":1},"name":"a"}"#,
            tool,
            Some(Deviation::KnownAnnotationsOnly),
        );
        check(
            r#"{"annotations":{"title":"t"},"description":null,"inputSchema":{"9":1,"10":2,"$ref":3},"name":"a"}"#,
            tool,
            Some(Deviation::Both),
        );
        check(
            r#"{"annotations":{"title":"u"},"description":null,"inputSchema":{"$ref":3,"10":2,"9":1},"name":"a"}"#,
            tool,
            None,
        );
    }
}
