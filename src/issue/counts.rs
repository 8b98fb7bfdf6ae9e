//! [`Evidence`] → what moved, counted: enough to triage by, and no word of the server's.

use super::evidence::Evidence;
use crate::check::{Comparison, FieldChange, Modified, Outcome};
use crate::lock::Field;

/// `1 description, 2 schemas, 1 new tool`; a reason where nothing can be compared.
pub(super) fn counts(evidence: &Evidence<'_>) -> String {
    let texts = evidence.drifts.iter().map(|one| match &one.outcome {
        Outcome::Compared(comparison) => of_comparison(comparison),
        Outcome::Unlisted(unlisted) => unlisted.reason.name().to_owned(),
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts.dedup();
    texts.join("; ")
}

fn of_comparison(comparison: &Comparison) -> String {
    let of = |fields: &[Field]| -> usize {
        let modified = comparison.modified.iter();
        modified
            .map(|tool| {
                tool.changes
                    .iter()
                    .filter(|change| fields.contains(&change.field))
                    .count()
            })
            .sum()
    };
    let of_tools =
        |is: fn(&Modified) -> bool| comparison.modified.iter().filter(|tool| is(tool)).count();
    let parts = [
        (of(&[Field::Description]), "description", "descriptions"),
        (
            of(&[Field::InputSchema, Field::OutputSchema]),
            "schema",
            "schemas",
        ),
        (of(&[Field::Title]), "title", "titles"),
        (
            of_tools(is_annotated),
            "tool's annotations",
            "tools' annotations",
        ),
        (
            of_tools(is_untold),
            "tool (digest only)",
            "tools (digest only)",
        ),
        (comparison.added.len(), "new tool", "new tools"),
        (comparison.removed.len(), "tool gone", "tools gone"),
    ];
    let told = parts.iter().filter(|(count, ..)| *count > 0);
    let told = told.map(|(count, one, many)| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    });
    let instructions = comparison
        .instructions
        .iter()
        .map(|_| "the instructions".to_owned());
    let told: Vec<String> = told.chain(instructions).collect();
    match told.is_empty() {
        true => "the list".to_owned(),
        false => told.join(", "),
    }
}

fn is_annotated(tool: &Modified) -> bool {
    let is_annotation = |change: &FieldChange| change.field == Field::Annotations;
    tool.changes.iter().any(is_annotation)
}

/// Is nothing known of what moved in it but that something did?
fn is_untold(tool: &Modified) -> bool {
    tool.changes.is_empty() && !tool.untold.is_empty()
}
