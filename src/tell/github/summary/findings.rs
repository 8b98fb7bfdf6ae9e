//! Findings → a table of what fails or warns, and a folded one of what is worth knowing.

use super::head::short;
use super::page::Page;
use super::rows::name;
use crate::check::{Finding, Level};
use crate::tell::counted;
use crate::tell::github::Run;

/// Most bytes of the errors and warnings, and of the notes.
const MOST: usize = 100 * 1024;
const MOST_NOTES: usize = 40 * 1024;

/// Errors, then warnings.
pub(super) fn findings(run: &Run<'_>) -> String {
    let told = table(run, &[Level::Error, Level::Warning], MOST);
    match told.is_empty() {
        true => told,
        false => format!("<h3>Findings</h3>\n\n{told}\n"),
    }
}

/// Notes, folded.
pub(super) fn notes(run: &Run<'_>) -> String {
    let told = table(run, &[Level::Note], MOST_NOTES);
    let many = run
        .report
        .findings
        .iter()
        .filter(|one| one.level == Level::Note)
        .count();
    match many {
        0 => String::new(),
        many => format!(
            "<details>\n<summary>{}</summary>\n{told}</details>\n\n",
            counted(many, "note")
        ),
    }
}

fn table(run: &Run<'_>, levels: &[Level], most: usize) -> String {
    let mut rows = Page::of(most);
    let mut left_out = 0;
    for level in levels {
        let of_level = run.report.findings.iter().filter(|one| one.level == *level);
        left_out += rows.take_each(of_level.map(row));
    }
    let rows = rows.text();
    if rows.is_empty() && left_out == 0 {
        return String::new();
    }
    let left_out = match left_out {
        0 => String::new(),
        many => format!(
            "<p>{} found no room here: the report has them</p>\n",
            counted(many, "finding")
        ),
    };
    format!("<table>\n{rows}</table>\n{left_out}")
}

fn row(finding: &Finding) -> String {
    let mark = match finding.level {
        Level::Error => "❌",
        Level::Warning => "⚠️",
        Level::Note => "ℹ️",
    };
    let line = finding.line.map(|line| format!(" line {line}"));
    let path = finding
        .path
        .as_ref()
        .map(|path| format!("{}{}", name(path), line.unwrap_or_default()));
    let hint = finding
        .hint
        .as_ref()
        .map(|hint| format!("<br>hint: {}", short(hint)));
    format!(
        "<tr><td>{mark} <b>{}</b></td><td>{}</td><td>{}{}</td></tr>\n",
        finding.rule.id(),
        path.unwrap_or_default(),
        short(&finding.message),
        hint.unwrap_or_default()
    )
}
