//! JSON value → [`Tool`]: its canonical form and the two digests that pin it.
//!
//! Obeys Lockfile v1, Hashing 1 and 2, and design §2 (extended pins). A tool keeps the
//! canonical form of all that is handed to a model; `_meta`, `icons` and `execution` vary,
//! are never pinned, and are kept beside it to be scanned.

use super::Digest;
use super::Malformed;
use super::covered::{COVERED, Covered, HASHED_BY_V1, NAME, covered, pin, text_of};
use super::uncovered::Uncovered;
use crate::json::{self, Document, Item, Value};
use crate::untrusted::Untrusted;

/// A member of a tool that a digest covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// `description`, pinned by v1.
    Description,
    /// `inputSchema`, pinned by v1.
    InputSchema,
    /// `annotations`, pinned by v1.
    Annotations,
    /// `title`, pinned by the extended digest only.
    Title,
    /// `outputSchema`, pinned by the extended digest only.
    OutputSchema,
}

impl Field {
    /// All of them, in the order in which a person reads them.
    pub const ALL: [Field; 5] = [
        Field::Title,
        Field::Description,
        Field::InputSchema,
        Field::OutputSchema,
        Field::Annotations,
    ];

    /// The member's name in a tool.
    pub fn name(self) -> &'static str {
        match self {
            Field::Description => "description",
            Field::InputSchema => "inputSchema",
            Field::Annotations => "annotations",
            Field::Title => "title",
            Field::OutputSchema => "outputSchema",
        }
    }

    /// Does the v1 digest cover it?
    pub fn is_pinned_by_v1(self) -> bool {
        match self {
            Field::Description | Field::InputSchema | Field::Annotations => true,
            Field::Title | Field::OutputSchema => false,
        }
    }
}

/// One tool that a server offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    name: Untrusted,
    form: Box<str>,
    sha256: Digest,
    extended_sha256: Digest,
    uncovered: Uncovered,
}

impl Tool {
    /// Takes a tool out of a listing.
    ///
    /// # Errors
    /// [`Malformed`] if it is no object, has no string `name`, or has a member that equals
    /// a hashed one but for letter case, which some readers would take for it.
    pub fn read(value: &Value<'_>) -> Result<Self, Malformed> {
        let Value::Object(members) = value else {
            return Err(Malformed::ToolNotAnObject(value.kind()));
        };
        let uncovered = Uncovered::of(
            members
                .iter()
                .map(|member| (member.name.as_str(), || json::canonical(&member.value))),
        );
        let members = members
            .iter()
            .map(|member| (member.name.as_str(), &member.value));
        let (values, twin) = covered(members);
        let forms = values.map(|value| value.map(json::canonical));
        let tool = Tool::of_forms(forms.each_ref().map(Option::as_deref), twin)?;
        Ok(Tool { uncovered, ..tool })
    }

    /// As [`Tool::read`], out of a text that is read item by item.
    pub(super) fn read_item(item: &Item<'_, '_>) -> Result<Self, Malformed> {
        let (members, forms) = match item {
            Item::Object { members, forms } => (members, forms),
            Item::Other(kind) => return Err(Malformed::ToolNotAnObject(kind)),
        };
        let uncovered = Uncovered::of(
            members
                .iter()
                .map(|member| (member.name(), || member.form(forms))),
        );
        let members = members
            .iter()
            .map(|member| (member.name(), member.form(forms)));
        let (forms, twin) = covered(members);
        let tool = Tool::of_forms(forms, twin)?;
        Ok(Tool { uncovered, ..tool })
    }

    fn of_forms(forms: Covered<&str>, twin: Option<&str>) -> Result<Self, Malformed> {
        let name = forms[NAME]
            .and_then(text_of)
            .ok_or(Malformed::ToolWithoutName)?;
        if let Some(member) = twin.map(Untrusted::new) {
            return Err(Malformed::CaseVariant { tool: name, member });
        }
        let (form, sha256, extended_sha256) = pin(&forms);
        Ok(Tool {
            name,
            form,
            sha256,
            extended_sha256,
            uncovered: Uncovered::default(),
        })
    }

    /// The tool's name.
    pub fn name(&self) -> &Untrusted {
        &self.name
    }

    /// The tool's digest: SHA-256 of the canonical form of `{name, description,
    /// inputSchema, annotations}`, absent members as `null` (Lockfile v1, Hashing 1, 2).
    pub fn sha256(&self) -> Digest {
        self.sha256
    }

    /// The extended digest: the same over all of a tool that is handed to a model,
    /// `title` and `outputSchema` too (design §2).
    pub fn extended_sha256(&self) -> Digest {
        self.extended_sha256
    }

    /// The canonical form under the extended digest, absent members as `null`.
    pub fn canonical(&self) -> &str {
        &self.form
    }

    /// The tool with some members otherwise, each a text or absent: tells by its digests
    /// whether it is what was approved, where only digests were kept.
    pub(crate) fn with(&self, members: &[(&str, Option<&Untrusted>)]) -> Tool {
        let document = self.members();
        let otherwise = |covered: &str| members.iter().find(|(name, _)| *name == covered);
        let forms = COVERED.map(|covered| match otherwise(covered) {
            Some((_, text)) => text.map(form_of),
            None => document.root.member(covered).map(json::canonical),
        });
        let (form, sha256, extended_sha256) = pin(&forms.each_ref().map(Option::as_deref));
        let name = otherwise(COVERED[NAME]).and_then(|(_, name)| *name);
        Tool {
            name: name.unwrap_or(&self.name).clone(),
            form,
            sha256,
            extended_sha256,
            uncovered: Uncovered::default(),
        }
    }

    /// The tool without what v1 does not pin, for where nothing else vouches for it.
    pub(crate) fn without_unpinned(self) -> Self {
        let document = self.members();
        let mut forms = Covered::default();
        for (form, name) in forms.iter_mut().zip(COVERED).take(HASHED_BY_V1) {
            *form = document.root.member(name).map(json::canonical);
        }
        let forms = forms.each_ref().map(Option::as_deref);
        let (form, sha256, extended_sha256) = pin(&forms);
        Tool {
            name: self.name.clone(),
            form,
            sha256,
            extended_sha256,
            uncovered: Uncovered::default(),
        }
    }

    /// The members that no digest covers, as they arrived; `None` if there are none, or if
    /// the tool is one of a companion listing.
    pub fn uncovered(&self) -> Option<Document<'_>> {
        json::read_own(self.uncovered.text()?.as_bytes()).ok()
    }

    /// The tool's members, read from its canonical form.
    pub fn members(&self) -> Document<'_> {
        let read = json::read_own(self.form.as_bytes());
        debug_assert!(read.is_ok(), "a canonical form is JSON: {read:?}");
        read.unwrap_or(Document {
            root: Value::Null,
            notices: Vec::new(),
        })
    }
}

/// The canonical form of a text.
fn form_of(text: &Untrusted) -> String {
    let written = json::print_line(text);
    let read = json::read_own(written.as_bytes());
    debug_assert!(read.is_ok(), "a text of ours is JSON: {read:?}");
    read.map_or_else(|_| "null".to_owned(), |read| json::canonical(&read.root))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(text: &str) -> Result<Tool, Malformed> {
        Tool::read(&json::read(text.as_bytes()).expect("a test's own JSON").root)
    }

    #[test]
    fn both_digests_are_of_the_canonical_form() {
        let tool = tool(r#"{"title":"T","name":"a","inputSchema":{"b":1,"a":2},"_meta":{"x":1}}"#)
            .expect("a tool");
        let four =
            r#"{"annotations":null,"description":null,"inputSchema":{"a":2,"b":1},"name":"a"}"#;
        let six = r#"{"annotations":null,"description":null,"inputSchema":{"a":2,"b":1},"name":"a","outputSchema":null,"title":"T"}"#;
        assert_eq!(tool.sha256(), Digest::of(four));
        assert_eq!(tool.extended_sha256(), Digest::of(six));
        assert_eq!(tool.canonical(), six);
    }

    #[test]
    fn refuses_what_readers_would_take_differently() {
        for member in [
            "Description",
            "DESCRIPTION",
            "inputschema",
            "Name",
            "de\u{17f}cription",
            "Title",
        ] {
            let text = format!(r#"{{"name":"a","{member}":"x"}}"#);
            assert!(
                matches!(tool(&text), Err(Malformed::CaseVariant { .. })),
                "{member}"
            );
        }
        assert!(matches!(
            tool(r#"{"description":"x"}"#),
            Err(Malformed::ToolWithoutName)
        ));
        assert!(matches!(
            tool(r#"{"name":1}"#),
            Err(Malformed::ToolWithoutName)
        ));
        assert!(matches!(
            tool("[]"),
            Err(Malformed::ToolNotAnObject("an array"))
        ));
    }
}
