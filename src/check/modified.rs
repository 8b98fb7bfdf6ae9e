//! A pinned tool and the one that is offered → [`Modified`]: what moved, as far as it can
//! be known.
//!
//! With the companion listing every member is told. Without it the lockfile's texts and
//! digests tell what they can, and the rest is named as untold, never guessed.

use super::allowance::Allowance;
use super::compare::Modified;
use super::detail::FieldChange;
use super::deviation::deviation;
use crate::json::{Document, Value};
use crate::lock::{Field, LockedTool, Lockfile, Tool};
use crate::untrusted::Untrusted;

/// Is it another tool than the pinned one?
pub(super) fn changed(pinned: &LockedTool, current: &Tool) -> bool {
    pinned.sha256 != current.sha256() || !holds_extended(pinned, current)
}

fn holds_extended(pinned: &LockedTool, tool: &Tool) -> bool {
    let pin = pinned.extended_sha256;
    pin.is_none_or(|sha256| sha256 == tool.extended_sha256())
}

/// What moved in a tool that changed.
pub(super) fn modified(
    (approved, pinned): (&Lockfile, &LockedTool),
    current: &Tool,
    allowance: &mut Allowance,
) -> Modified {
    let seen_by_v1 = pinned.sha256 != current.sha256();
    let known = match approved
        .companion()
        .and_then(|full| full.tool(&pinned.name))
    {
        Some(full) => Known::whole(full.clone(), pinned),
        None => Known::from_digests((approved, pinned), current),
    };
    let is_unexplained = known.untold.contains(&Field::InputSchema);
    let asked = is_unexplained.then(|| deviation(pinned.sha256, current));
    let deviation = asked.flatten();
    let mut untold = known.untold;
    if let Some(deviation) = deviation {
        untold.retain(|field| deviation.leaves_open(*field));
    }
    let told = known.fields.into_iter();
    let (was, is) = (known.tool.members(), current.members());
    let changes = told
        .filter_map(|field| change(field, (&was, &is), allowance))
        .collect();
    Modified {
        name: pinned.name.clone(),
        line: pinned.line,
        changes,
        untold,
        seen_by_v1,
        deviation,
        current: current.clone(),
    }
}

fn change(
    field: Field,
    (approved, current): (&Document<'_>, &Document<'_>),
    allowance: &mut Allowance,
) -> Option<FieldChange> {
    let null = Value::Null;
    let approved = approved.root.member(field.name()).unwrap_or(&null);
    let current = current.root.member(field.name()).unwrap_or(&null);
    (approved != current).then(|| FieldChange::between(field, (approved, current), allowance))
}

/// What is known of an approved tool.
struct Known {
    /// A tool that has its members as far as they are known.
    tool: Tool,
    /// The members that are known.
    fields: Vec<Field>,
    /// The members that are not, and may have changed.
    untold: Vec<Field>,
}

impl Known {
    fn whole(tool: Tool, pinned: &LockedTool) -> Self {
        let covered = |field: &Field| pinned.extended_sha256.is_some() || field.is_pinned_by_v1();
        Known {
            tool,
            fields: Field::ALL.into_iter().filter(covered).collect(),
            untold: Vec::new(),
        }
    }

    /// The approved tool may be the current one with the description that the lockfile
    /// keeps, and without what was added since: its digest says so.
    fn from_digests((approved, pinned): (&Lockfile, &LockedTool), current: &Tool) -> Self {
        const OF_V1: [Field; 2] = [Field::InputSchema, Field::Annotations];
        const OF_EXTENDED: [Field; 2] = [Field::Title, Field::OutputSchema];
        let kept = approved.description(&pinned.name);
        let described = current.with(&[("description", kept)]);
        let begins = match kept {
            Some(_) => vec![described],
            None => vec![current.clone(), described],
        };
        let is_pinned = |tool: &Tool| tool.sha256() == pinned.sha256;
        let found = begins
            .iter()
            .find_map(|begin| without(begin, OF_V1, is_pinned));
        let Some(v1) = found else {
            return Known::of_description(kept, pinned, current);
        };
        match without(&v1, OF_EXTENDED, |tool| holds_extended(pinned, tool)) {
            Some(whole) => Known::whole(whole, pinned),
            None => Known {
                tool: v1,
                fields: Field::ALL
                    .into_iter()
                    .filter(|field| field.is_pinned_by_v1())
                    .collect(),
                untold: OF_EXTENDED.to_vec(),
            },
        }
    }

    fn of_description(kept: Option<&Untrusted>, pinned: &LockedTool, current: &Tool) -> Self {
        let mut untold = vec![Field::InputSchema, Field::Annotations];
        let mut fields = Vec::new();
        match kept {
            Some(_) => fields.push(Field::Description),
            None => untold.insert(0, Field::Description),
        }
        if pinned.extended_sha256.is_some() {
            untold.extend([Field::Title, Field::OutputSchema]);
        }
        Known {
            tool: current.with(&[("description", kept)]),
            fields,
            untold,
        }
    }
}

/// The tool without the fewest of these members for which `is_it`.
fn without(tool: &Tool, fields: [Field; 2], is_it: impl Fn(&Tool) -> bool) -> Option<Tool> {
    let [first, second] = fields.map(|field| (field.name(), None));
    let tries: [&[(&str, Option<&Untrusted>)]; 4] = [&[], &[first], &[second], &[first, second]];
    let mut tries = tries.into_iter();
    tries.find_map(|members| Some(tool.with(members)).filter(&is_it))
}
