//! [`Comparison`] → the members of an answer that tell every difference (design §3).
//!
//! Texts are whole. What could not be compared is named in `untold`, its approved side
//! `null` and its current side there.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{
    Comparison, FieldChange, Form, Kept, Modified, Removed, Renamed, Sameness, TextChange,
};
use crate::json::Value;
use crate::lock::{Field, Tool, ToolText};
use crate::untrusted::Untrusted;

/// Every difference, as it stands in an answer.
#[derive(Debug, Default, Serialize)]
pub(super) struct Difference<'a> {
    added: Vec<&'a Untrusted>,
    removed: Vec<&'a Untrusted>,
    modified: Vec<&'a Untrusted>,
    renamed: Vec<RenamedNames<'a>>,
    modified_detail: Vec<ModifiedText<'a>>,
    added_detail: Vec<AddedText<'a>>,
    removed_detail: Vec<RemovedText<'a>>,
    renamed_detail: Vec<RenamedText<'a>>,
    instructions: Option<&'a TextChange>,
}

impl<'a> Difference<'a> {
    /// Nothing where there was no comparison.
    pub(super) fn of(comparison: Option<&'a Comparison>) -> Self {
        let Some(comparison) = comparison else {
            return Difference::default();
        };
        let Comparison {
            approved: _,
            current: _,
            added,
            removed,
            modified,
            renamed,
            instructions,
            offer: _,
        } = comparison;
        Difference {
            added: added.iter().map(|tool| tool.name()).collect(),
            removed: removed.iter().map(|tool| &tool.name).collect(),
            modified: modified.iter().map(|tool| &tool.name).collect(),
            renamed: renamed.iter().map(RenamedNames::of).collect(),
            modified_detail: modified.iter().map(ModifiedText).collect(),
            added_detail: added.iter().map(AddedText::of).collect(),
            removed_detail: removed.iter().map(RemovedText::of).collect(),
            renamed_detail: renamed.iter().map(RenamedText).collect(),
            instructions: instructions.as_ref(),
        }
    }
}

#[derive(Debug, Serialize)]
struct RenamedNames<'a> {
    from: &'a Untrusted,
    to: &'a Untrusted,
    sameness: Sameness,
}

impl<'a> RenamedNames<'a> {
    fn of(renamed: &'a Renamed) -> Self {
        RenamedNames {
            from: &renamed.from,
            to: &renamed.to,
            sameness: renamed.sameness,
        }
    }
}

#[derive(Debug, Serialize)]
struct AddedText<'a> {
    name: &'a Untrusted,
    tool: ToolText<'a>,
}

impl<'a> AddedText<'a> {
    fn of(tool: &'a Tool) -> Self {
        AddedText {
            name: tool.name(),
            tool: ToolText(tool),
        }
    }
}

#[derive(Debug, Serialize)]
struct RemovedText<'a> {
    name: &'a Untrusted,
    description: Option<&'a Untrusted>,
    tool: Option<ToolText<'a>>,
}

impl<'a> RemovedText<'a> {
    fn of(removed: &'a Removed) -> Self {
        RemovedText {
            name: &removed.name,
            description: removed.description.as_ref(),
            tool: removed.tool.as_ref().map(ToolText),
        }
    }
}

/// `{name, fields, untold, <field>: {approved, current, …}}`.
#[derive(Debug)]
struct ModifiedText<'a>(&'a Modified);

impl Serialize for ModifiedText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("name", &self.0.name)?;
        write_detail(self.0, &mut map)?;
        map.end()
    }
}

/// `{from, to, fields, …}`, as of a modified tool.
#[derive(Debug)]
struct RenamedText<'a>(&'a Renamed);

impl Serialize for RenamedText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("from", &self.0.from)?;
        map.serialize_entry("to", &self.0.to)?;
        write_detail(&self.0.detail, &mut map)?;
        map.end()
    }
}

fn write_detail<M: SerializeMap>(modified: &Modified, to: &mut M) -> Result<(), M::Error> {
    let names = |fields: &mut dyn Iterator<Item = Field>| -> Vec<&str> {
        fields.map(Field::name).collect()
    };
    let mut fields = modified.changes.iter().map(|change| change.field);
    to.serialize_entry("fields", &names(&mut fields))?;
    if !modified.untold.is_empty() {
        to.serialize_entry("untold", &names(&mut modified.untold.iter().copied()))?;
    }
    if let Some(deviation) = modified.deviation {
        to.serialize_entry("deviation", deviation.words())?;
    }
    for FieldChange { field, change } in &modified.changes {
        to.serialize_entry(field.name(), change)?;
    }
    let document = modified.current.members();
    for field in &modified.untold {
        let current = document.root.member(field.name()).unwrap_or(&Value::Null);
        to.serialize_entry(field.name(), &Untold::of(current))?;
    }
    Ok(())
}

/// A member of which the approved side is not at hand.
#[derive(Debug, Serialize)]
struct Untold {
    approved: Option<Form>,
    current: Form,
    kept: Kept,
}

impl Untold {
    fn of(current: &Value<'_>) -> Self {
        Untold {
            approved: None,
            current: Form::of(current),
            kept: Kept::Digest,
        }
    }
}
