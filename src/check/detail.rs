//! Two values of one member → what a person must read (`modified_detail`, design §3).

use serde::{Serialize, Serializer};

use super::paths::differences;
use super::words::{Moved, moved_words};
use crate::json::{self, Value};
use crate::lock::Field;
use crate::untrusted::Untrusted;

/// A member of a tool that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// Which.
    pub field: Field,
    /// How.
    pub change: Change,
}

/// How a member changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Change {
    /// A text, word by word.
    Text(TextChange),
    /// Any other value, place by place.
    Value(ValueChange),
}

/// A text that changed, whole, and the words that moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextChange {
    /// The approved text; `None` if there was none, or only its digest was kept.
    pub approved: Option<Untrusted>,
    /// The current text; `None` if there is none.
    pub current: Option<Untrusted>,
    /// What moved; empty unless both texts are at hand.
    pub moved: Vec<Moved>,
}

/// A value that changed, whole, and the places that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueChange {
    /// The approved value in canonical form.
    pub approved: Form,
    /// The current value in canonical form.
    pub current: Form,
    /// The places that differ.
    pub places: Vec<Place>,
}

/// One place of a value that differs; `None` where there is nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// JSON Pointer from the member; `""` is the whole of it.
    pub pointer: Untrusted,
    /// What was approved there.
    pub approved: Option<Form>,
    /// What is there now.
    pub current: Option<Form>,
}

/// A JSON value in canonical form: untrusted text like any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form(Untrusted);

impl Form {
    /// The canonical form of `value`.
    pub fn of(value: &Value<'_>) -> Self {
        Form(Untrusted::new(json::canonical(value)))
    }

    /// The canonical form as text from outside.
    pub fn untrusted(&self) -> &Untrusted {
        &self.0
    }

    /// The text, if the value is a string.
    pub fn as_text(&self) -> Option<Untrusted> {
        let document = json::read_own(self.0.as_arrived().as_bytes()).ok()?;
        document.root.as_str().map(Untrusted::new)
    }
}

impl Serialize for Form {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let document =
            json::read_own(self.0.as_arrived().as_bytes()).map_err(serde::ser::Error::custom)?;
        document.root.serialize(to)
    }
}

/// The shape of design §3: whole values and the pointers of the places that differ.
impl Serialize for ValueChange {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shape<'a> {
            approved: &'a Form,
            current: &'a Form,
            paths: Vec<&'a Untrusted>,
        }
        let paths = self.places.iter().map(|place| &place.pointer).collect();
        Shape {
            approved: &self.approved,
            current: &self.current,
            paths,
        }
        .serialize(to)
    }
}

impl FieldChange {
    /// A text that changed.
    pub fn text(field: Field, approved: Option<Untrusted>, current: Option<Untrusted>) -> Self {
        FieldChange {
            field,
            change: Change::Text(TextChange::between(approved, current)),
        }
    }

    /// The change between two canonical forms of one member (`null`: it is absent).
    pub fn between(field: Field, approved: &str, current: &str) -> Self {
        let read = |form: &'_ str| {
            json::read_own(form.as_bytes()).map(|document| text_or_null(&document.root))
        };
        match (read(approved), read(current)) {
            (Ok(Some(approved)), Ok(Some(current))) => FieldChange::text(field, approved, current),
            _ => FieldChange {
                field,
                change: Change::Value(ValueChange::between(approved, current)),
            },
        }
    }
}

/// `Some(None)` for `null`, `Some(Some(text))` for a string, `None` for anything else.
fn text_or_null(value: &Value<'_>) -> Option<Option<Untrusted>> {
    if value.is_null() {
        Some(None)
    } else {
        value.as_str().map(|text| Some(Untrusted::new(text)))
    }
}

impl TextChange {
    /// The change between two texts.
    pub fn between(approved: Option<Untrusted>, current: Option<Untrusted>) -> Self {
        let moved = match (&approved, &current) {
            (Some(approved), Some(current)) => {
                moved_words(approved.as_arrived(), current.as_arrived())
            }
            (Some(_), None) | (None, Some(_)) | (None, None) => Vec::new(),
        };
        TextChange {
            approved,
            current,
            moved,
        }
    }
}

impl ValueChange {
    fn between(approved: &str, current: &str) -> Self {
        let form = |text: &str| Form(Untrusted::new(text));
        let mut change = ValueChange {
            approved: form(approved),
            current: form(current),
            places: Vec::new(),
        };
        if let (Ok(approved), Ok(current)) = (
            json::read_own(approved.as_bytes()),
            json::read_own(current.as_bytes()),
        ) {
            let found = differences(&approved.root, &current.root).into_iter();
            let place = |difference: super::paths::Difference<'_>| Place {
                pointer: Untrusted::new(difference.pointer),
                approved: difference.approved.map(Form::of),
                current: difference.current.map(Form::of),
            };
            change.places = found.map(place).collect();
        }
        change
    }
}
