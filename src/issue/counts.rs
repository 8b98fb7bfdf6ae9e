//! [`Evidence`] → what moved, counted: enough to triage by, and no word of the server's.

use super::evidence::Evidence;
use super::words::changed;
use crate::check::{Comparison, Modified, Outcome};
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
    let fields = |of: &[Field]| {
        let changes = changed(comparison).flat_map(|tool| &tool.changes);
        changes.filter(|one| of.contains(&one.field)).count()
    };
    let schemas = fields(&[Field::InputSchema, Field::OutputSchema]);
    // A member changes once a tool.
    let annotated = fields(&[Field::Annotations]);
    let untold = changed(comparison).filter(is_untold).count();
    let parts = [
        some(
            fields(&[Field::Description]),
            ["description", "descriptions"],
        ),
        some(schemas, ["schema", "schemas"]),
        some(fields(&[Field::Title]), ["title", "titles"]),
        some(annotated, ["tool's annotations", "tools' annotations"]),
        some(untold, ["tool (digest only)", "tools (digest only)"]),
        some(
            comparison.renamed.len(),
            ["tool likely renamed", "tools likely renamed"],
        ),
        some(comparison.only_added().count(), ["new tool", "new tools"]),
        some(
            comparison.only_removed().count(),
            ["tool gone", "tools gone"],
        ),
        comparison
            .instructions
            .as_ref()
            .map(|_| "the instructions".to_owned()),
    ];
    let told: Vec<String> = parts.into_iter().flatten().collect();
    match told.is_empty() {
        true => "the list".to_owned(),
        false => told.join(", "),
    }
}

/// `1 schema`, `2 schemas`, nothing for none.
fn some(count: usize, [one, many]: [&str; 2]) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    }
}

/// Is nothing known of what moved in it but that something did?
fn is_untold(tool: &&Modified) -> bool {
    tool.changes.is_empty() && !tool.untold.is_empty()
}
