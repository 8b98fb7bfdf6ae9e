//! Two values of one member → what a person must read (`modified_detail`, design §3).

use serde::{Serialize, Serializer};

use super::allowance::Allowance;
use super::lines::{MovedLines, moved_lines};
use super::places::ValueChange;
use super::words::{Moved, Weighed, weighed_words};
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

/// A text that changed, whole, and the words and lines that moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextChange {
    /// The approved text; `None` if there was none, or only its digest was kept.
    pub approved: Option<Untrusted>,
    /// The current text; `None` if there is none.
    pub current: Option<Untrusted>,
    /// What was kept of the approved side.
    pub kept: Kept,
    /// The words that moved; empty unless both texts are at hand.
    pub moved: Vec<Moved>,
    /// The lines that moved; empty too where both texts are one line.
    pub lines: Vec<MovedLines>,
    /// How closely the texts were compared; `None` unless both are at hand.
    pub weighed: Option<Weighed>,
}

/// What was kept of an approved value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// All of it, or the certainty that there was none.
    Whole,
    /// Its digest only: it cannot be shown.
    Digest,
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

    /// The value laid out over lines, as JSON for people.
    pub fn laid_out(&self) -> Untrusted {
        Untrusted::new(json::print(self).trim_end())
    }
}

impl Serialize for Form {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let document =
            json::read_own(self.0.as_arrived().as_bytes()).map_err(serde::ser::Error::custom)?;
        document.root.serialize(to)
    }
}

impl FieldChange {
    /// The change between two values of one member; `null`: it is absent.
    pub(super) fn between(
        field: Field,
        (approved, current): (&Value<'_>, &Value<'_>),
        allowance: &mut Allowance,
    ) -> Self {
        let change = match (text_or_null(approved), text_or_null(current)) {
            (Some(approved), Some(current)) => {
                Change::Text(TextChange::weighed(approved, current, allowance))
            }
            _ => Change::Value(ValueChange::between(field, (approved, current), allowance)),
        };
        FieldChange { field, change }
    }
}

/// `Some(None)` for `null`, `Some(Some(text))` for a string, `None` for anything else.
pub(super) fn text_or_null(value: &Value<'_>) -> Option<Option<Untrusted>> {
    if value.is_null() {
        Some(None)
    } else {
        value.as_str().map(|text| Some(Untrusted::new(text)))
    }
}

impl TextChange {
    /// The change between two texts.
    pub fn between(approved: Option<Untrusted>, current: Option<Untrusted>) -> Self {
        TextChange::weighed(approved, current, &mut Allowance::default())
    }

    /// The change from a text of which only the digest was kept.
    pub(super) fn from_digest(current: Option<Untrusted>) -> Self {
        TextChange {
            kept: Kept::Digest,
            ..TextChange::between(None, current)
        }
    }

    /// The change between two texts, within an allowance.
    pub(super) fn weighed(
        approved: Option<Untrusted>,
        current: Option<Untrusted>,
        allowance: &mut Allowance,
    ) -> Self {
        let mut change = TextChange {
            kept: Kept::Whole,
            moved: Vec::new(),
            lines: Vec::new(),
            weighed: None,
            approved,
            current,
        };
        if let (Some(approved), Some(current)) = (&change.approved, &change.current) {
            let (approved, current) = (approved.as_arrived(), current.as_arrived());
            let (moved, by_words) = weighed_words(approved, current, allowance);
            let (lines, by_lines) = moved_lines(approved, current, allowance);
            change.weighed = Some(by_words.max(by_lines));
            (change.moved, change.lines) = (moved, lines);
        }
        change
    }
}
