//! [`Run`] → the step's outputs, each between delimiters that no value holds.

use thiserror::Error;

use super::Run;
use crate::check::{Verdict, tally};

/// A value holds the delimiter: whoever wrote it could name outputs of their own.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the value of the output `{0}` holds the delimiter that should end it")]
pub struct DelimiterTaken(&'static str);

/// `verdict`, `decision`, `changed` and `unreachable` (how many lockfiles), `report` (its
/// path), `issues` (their numbers, a JSON array).
pub(super) fn outputs(run: &Run<'_>, random: &str) -> Result<String, DelimiterTaken> {
    let report = run.report;
    let tally = tally(&report.checked);
    let count = |verdict: Verdict| tally.get(verdict.name()).copied().unwrap_or_default();
    let issues: Vec<String> = run.issues.iter().map(u64::to_string).collect();
    let path = run.report_file.map_or("", |path| path.as_arrived());
    let values = [
        (
            "verdict",
            report.verdict().map_or("none", Verdict::name).to_owned(),
        ),
        ("decision", report.decision().name().to_owned()),
        ("changed", count(Verdict::Changed).to_string()),
        ("unreachable", count(Verdict::Unreachable).to_string()),
        ("report", path.to_owned()),
        ("issues", format!("[{}]", issues.join(","))),
    ];
    let delimiter = format!("ghadelimiter_{random}");
    let entry = |(name, value): &(&'static str, String)| match value.contains(&delimiter) {
        true => Err(DelimiterTaken(name)),
        false => Ok(format!("{name}<<{delimiter}\n{value}\n{delimiter}\n")),
    };
    values.iter().map(entry).collect()
}
