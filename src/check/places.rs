//! Two values of one member → the places that differ, each with both sides and its name.

use serde::{Serialize, Serializer};

use super::allowance::Allowance;
use super::detail::{Form, TextChange};
use super::hints::{Annotations, Hint};
use super::keyword::Position;
use super::named::{Named, named};
use super::paths::{Difference, differences, member_differences};
use super::words::Moved;
use crate::json::Value;
use crate::lock::Field;
use crate::untrusted::Untrusted;

/// A value that changed, whole, and the places that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueChange {
    /// The approved value in canonical form; `null` if there was none.
    pub approved: Form,
    /// The current value in canonical form; `null` if there is none.
    pub current: Form,
    /// The places that differ.
    pub places: Vec<Place>,
}

/// One place of a value that differs; `None` where there is nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// JSON Pointer from the member, into each side that has something there; `""` is the
    /// whole of it.
    pub pointer: Untrusted,
    /// What was approved there.
    pub approved: Option<Form>,
    /// What is there now.
    pub current: Option<Form>,
    /// Where both are texts, the words that moved.
    pub text: Option<TextChange>,
    /// What the change is called.
    pub named: Vec<Named>,
}

impl ValueChange {
    /// The change between two values of one member; `null`: it is absent.
    pub(super) fn between(
        field: Field,
        (approved, current): (&Value<'_>, &Value<'_>),
        allowance: &mut Allowance,
    ) -> Self {
        let found = match field {
            Field::Annotations => of_annotations(approved, current),
            Field::InputSchema | Field::OutputSchema => of_schema(there(approved), there(current)),
            Field::Title | Field::Description => {
                let found = differences(there(approved), there(current), Position::Data);
                found.into_iter().map(|one| (one, Vec::new())).collect()
            }
        };
        let place = |(difference, named)| Place::of(&difference, named, allowance);
        ValueChange {
            approved: Form::of(approved),
            current: Form::of(current),
            places: found.into_iter().map(place).collect(),
        }
    }
}

type Called<'a> = Vec<(Difference<'a>, Vec<Named>)>;

fn there<'a>(value: &'a Value<'a>) -> Option<&'a Value<'a>> {
    (!value.is_null()).then_some(value)
}

fn of_schema<'a>(approved: Option<&'a Value<'a>>, current: Option<&'a Value<'a>>) -> Called<'a> {
    let found = differences(approved, current, Position::Schema).into_iter();
    let called = found.map(|difference| {
        let named = named(&difference);
        (difference, named)
    });
    called.collect()
}

/// Hint by hint, also where one side has no annotations at all.
fn of_annotations<'a>(approved: &'a Value<'a>, current: &'a Value<'a>) -> Called<'a> {
    let annotations = Annotations {
        approved: approved.as_object(),
        current: current.as_object(),
    };
    let found = member_differences(annotations.approved, annotations.current);
    let found = match found.is_empty() {
        true => differences(there(approved), there(current), Position::Data),
        false => found,
    };
    let called = found.into_iter().map(|difference| {
        let hint = Hint::of(difference.name).filter(|hint| difference.is_member(hint.name()));
        let moves = hint.map(|hint| annotations.moves(hint));
        let named = moves.unwrap_or_default().into_iter().map(Named::Hint);
        (difference, named.collect())
    });
    called.collect()
}

impl Place {
    fn of(difference: &Difference<'_>, named: Vec<Named>, allowance: &mut Allowance) -> Self {
        let text = |side: Option<&Value<'_>>| side?.as_str().map(Untrusted::new);
        let texts = (text(difference.approved), text(difference.current));
        let text = match texts {
            (Some(approved), Some(current)) => Some(TextChange::weighed(
                Some(approved),
                Some(current),
                allowance,
            )),
            (Some(_), None) | (None, Some(_)) | (None, None) => None,
        };
        Place {
            pointer: Untrusted::new(difference.pointer.as_str()),
            approved: difference.approved.map(Form::of),
            current: difference.current.map(Form::of),
            text,
            named,
        }
    }
}

/// The shape of design §3: whole values, the pointers of the places that differ, and each
/// of these places with its values; what a side does not have there is left out.
impl Serialize for ValueChange {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shape<'a> {
            approved: &'a Form,
            current: &'a Form,
            paths: Vec<&'a Untrusted>,
            places: Vec<At<'a>>,
        }
        #[derive(Serialize)]
        struct At<'a> {
            path: &'a Untrusted,
            #[serde(skip_serializing_if = "Option::is_none")]
            approved: Option<&'a Form>,
            #[serde(skip_serializing_if = "Option::is_none")]
            current: Option<&'a Form>,
            #[serde(skip_serializing_if = "Option::is_none")]
            moved: Option<&'a [Moved]>,
            named: &'a [Named],
        }
        let places = self.places.iter().map(|place| At {
            path: &place.pointer,
            approved: place.approved.as_ref(),
            current: place.current.as_ref(),
            moved: place.text.as_ref().map(|text| text.moved.as_slice()),
            named: &place.named,
        });
        Shape {
            approved: &self.approved,
            current: &self.current,
            paths: self.places.iter().map(|place| &place.pointer).collect(),
            places: places.collect(),
        }
        .serialize(to)
    }
}
