//! Object → its members by name, each with the pointer and line that a fault names.

use super::Digest;
use super::fault::{LockfileFault, Problem};
use crate::json::{self, Document, Lines, Object, Value};
use crate::untrusted::Untrusted;

/// An object of a document that is being read, and where it stands.
pub(super) struct Members<'a> {
    object: &'a Object<'a>,
    pointer: String,
    lines: &'a Lines,
    line: usize,
}

/// Reads a document strictly; a refusal becomes a fault on its line.
pub(super) fn read<'a>(bytes: &'a [u8], lines: &Lines) -> Result<Document<'a>, LockfileFault> {
    json::read(bytes).map_err(|error| Problem::Json(error).at_line(lines.line(error.at)))
}

impl<'a> Members<'a> {
    /// The document's root, which must be an object.
    pub(super) fn of_root(root: &'a Value<'a>, lines: &'a Lines) -> Result<Self, LockfileFault> {
        match root {
            Value::Object(object) => Ok(Members {
                object,
                pointer: String::new(),
                lines,
                line: 1,
            }),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Err(Problem::NotAnObject(root.kind()).at_line(1)),
        }
    }

    pub(super) fn object(&self) -> &'a Object<'a> {
        self.object
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.object.iter().map(|member| member.name.as_str())
    }

    pub(super) fn demand_kind(&self, kind: &str) -> Result<(), LockfileFault> {
        match self.find("kind").map(Value::as_str) {
            Some(Some(found)) if found == kind => Ok(()),
            Some(found) => Err(self.at("kind", Problem::Kind(found.map(Untrusted::new)))),
            None => Err(self.at("kind", Problem::Kind(None))),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<&'a Value<'a>> {
        self.object.get(name)
    }

    pub(super) fn get(&self, name: &str) -> Result<&'a Value<'a>, LockfileFault> {
        self.find(name)
            .ok_or_else(|| self.at(name, Problem::Missing(self.pointer_to(name))))
    }

    pub(super) fn text(&self, name: &str) -> Result<Untrusted, LockfileFault> {
        let text = self.get(name)?.as_str().map(Untrusted::new);
        text.ok_or_else(|| self.shape(name, "a string"))
    }

    /// `None` where the member is absent or `null`.
    pub(super) fn text_or_null(&self, name: &str) -> Result<Option<Untrusted>, LockfileFault> {
        match self.find(name) {
            Some(value) if !value.is_null() => self.text(name).map(Some),
            Some(_) | None => Ok(None),
        }
    }

    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, LockfileFault> {
        let items = self.get(name)?.as_array();
        let texts = items.and_then(|items| {
            items
                .iter()
                .map(|item| item.as_str().map(str::to_owned))
                .collect()
        });
        texts.ok_or_else(|| self.shape(name, "an array of strings"))
    }

    pub(super) fn digest(&self, name: &str) -> Result<Digest, LockfileFault> {
        let digest = self.get(name)?.as_str().and_then(|text| text.parse().ok());
        digest.ok_or_else(|| self.shape(name, "a digest of 64 lower-case hexadecimal digits"))
    }

    pub(super) fn inner(&self, name: &str) -> Result<Members<'a>, LockfileFault> {
        let object = self
            .get(name)?
            .as_object()
            .ok_or_else(|| self.shape(name, "an object"))?;
        Ok(self.place(object, self.pointer_to(name), self.line_of(name)))
    }

    /// The items of an array of objects.
    pub(super) fn each(&self, name: &str) -> Result<Vec<Members<'a>>, LockfileFault> {
        let items = self
            .get(name)?
            .as_array()
            .ok_or_else(|| self.shape(name, "an array of objects"))?;
        let place = |(index, item): (usize, &'a Value<'a>)| {
            let object = item
                .as_object()
                .ok_or_else(|| self.shape(name, "an array of objects"))?;
            let pointer = format!("{}/{index}", self.pointer_to(name));
            Ok(self.place(object, pointer, self.line_of(name)))
        };
        items.iter().enumerate().map(place).collect()
    }

    fn place(&self, object: &'a Object<'a>, pointer: String, line: usize) -> Members<'a> {
        Members {
            object,
            pointer,
            lines: self.lines,
            line,
        }
    }

    /// The line on which the member stands, or this object does if it has no such member.
    pub(super) fn line_of(&self, name: &str) -> usize {
        self.object
            .member(name)
            .map_or(self.line, |member| self.lines.line(member.at))
    }

    pub(super) fn shape(&self, name: &str, due: &'static str) -> LockfileFault {
        let pointer = self.pointer_to(name);
        self.at(name, Problem::Shape { pointer, due })
    }

    fn pointer_to(&self, name: &str) -> String {
        format!("{}/{}", self.pointer, escape(name))
    }

    pub(super) fn at(&self, name: &str, problem: Problem) -> LockfileFault {
        problem.at_line(self.line_of(name))
    }
}

/// A member name as a token of a JSON Pointer (RFC 6901 §3).
pub(crate) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
