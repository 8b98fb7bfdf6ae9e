//! JSON value → [`Tool`]: its canonical form and the two digests that pin it.
//!
//! Obeys Lockfile v1, Hashing 1 and 2, and design §2 (extended pins). A tool keeps the
//! canonical form of all that is handed to a model and nothing else; `_meta`, `icons` and
//! `execution` vary and are never pinned.

use sha2::{Digest as _, Sha256};

use super::Digest;
use super::Malformed;
use super::twins::is_twin;
use crate::json::{self, Document, Member, Object, Value};
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
}

impl Tool {
    /// Takes a tool out of a listing.
    ///
    /// # Errors
    /// [`Malformed`] if it is no object, has no string `name`, or has a member that equals
    /// a hashed one but for letter case, which some readers would take for it.
    pub fn read(value: &Value<'_>) -> Result<Self, Malformed> {
        Tool::read_with(value, &mut String::new())
    }

    /// As [`Tool::read`], with room to write in that is kept for the next tool.
    pub(super) fn read_with(value: &Value<'_>, room: &mut String) -> Result<Self, Malformed> {
        let Value::Object(members) = value else {
            return Err(Malformed::ToolNotAnObject(value.kind()));
        };
        let (covered, twin) = covered(members);
        let Some(Value::String(name)) = covered[NAME] else {
            return Err(Malformed::ToolWithoutName);
        };
        let name = Untrusted::new(name.as_str());
        if let Some(member) = twin.map(Untrusted::new) {
            return Err(Malformed::CaseVariant { tool: name, member });
        }
        let (form, sha256, extended_sha256) = pin(&covered, room);
        Ok(Tool {
            name,
            form,
            sha256,
            extended_sha256,
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

    /// The v1 digest that the tool would have with that description: tells whether the
    /// description is all that changed.
    pub(crate) fn v1_sha256_with_description(&self, description: &Untrusted) -> Digest {
        let text = json::print_line(description);
        let document = self.members();
        let member = |name: &str| {
            document
                .root
                .member(name)
                .map_or_else(|| "null".to_owned(), json::canonical)
        };
        let description =
            json::read(text.as_bytes()).map(|document| json::canonical(&document.root));
        Digest::of(format!(
            r#"{{"annotations":{},"description":{},"inputSchema":{},"name":{}}}"#,
            member("annotations"),
            description.unwrap_or_default(),
            member("inputSchema"),
            member("name")
        ))
    }

    /// The tool without what v1 does not pin, for where nothing else vouches for it.
    pub(super) fn without_unpinned(self) -> Self {
        let document = self.members();
        let empty = Object::default();
        let kept = document
            .root
            .as_object()
            .unwrap_or(&empty)
            .without(&["outputSchema", "title"]);
        let (form, sha256, extended_sha256) = pin(&covered(&kept).0, &mut String::new());
        Tool {
            name: self.name.clone(),
            form,
            sha256,
            extended_sha256,
        }
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

/// The members that a digest covers, in canonical order: first the four that v1 hashes.
const COVERED: [&str; 6] = [
    "annotations",
    "description",
    "inputSchema",
    "name",
    "outputSchema",
    "title",
];
/// Where `name` stands among them.
const NAME: usize = 3;
/// How many of them v1 hashes.
const HASHED_BY_V1: usize = 4;

type Covered<'v> = [Option<&'v Value<'v>>; COVERED.len()];

/// Picks the covered members, and one that some readers would take for another of them.
/// Both sides are in canonical order, so one walk finds all.
fn covered<'v>(members: &'v Object<'v>) -> (Covered<'v>, Option<&'v str>) {
    let mut rest = members.iter().peekable();
    let mut twin = None;
    let mut look = |other: &'v Member<'v>| {
        let name = other.name.as_str();
        twin = twin.or(Some(name).filter(|name| is_twin(name, &COVERED)));
    };
    let covered = COVERED.map(|name| {
        while let Some(other) = rest.next_if(|member| member.name.as_str() < name) {
            look(other);
        }
        let found = rest.next_if(|member| member.name.as_str() == name);
        found.map(|member| &member.value)
    });
    rest.for_each(look);
    (covered, twin)
}

/// Writes the canonical form once and takes both digests on the way.
fn pin(covered: &Covered<'_>, form: &mut String) -> (Box<str>, Digest, Digest) {
    form.clear();
    let mut members = COVERED.iter().zip(covered);
    for (name, value) in members.by_ref().take(HASHED_BY_V1) {
        write_member(name, *value, form);
    }
    let hasher = Sha256::new_with_prefix(&*form);
    let sha256 = Digest::of_hasher(hasher.clone().chain_update("}"));
    let hashed_by_v1 = form.len();
    for (name, value) in members {
        write_member(name, *value, form);
    }
    form.push('}');
    let rest = form.get(hashed_by_v1..).unwrap_or_default();
    let extended_sha256 = Digest::of_hasher(hasher.chain_update(rest));
    (form.as_str().into(), sha256, extended_sha256)
}

fn write_member(name: &str, value: Option<&Value<'_>>, form: &mut String) {
    form.push_str(if form.is_empty() { "{\"" } else { ",\"" });
    form.push_str(name);
    form.push_str("\":");
    json::write_canonical(value.unwrap_or(&Value::Null), form);
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
