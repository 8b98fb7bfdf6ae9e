//! [`Report`] → what the terminal shows: a row for each lockfile, what moved, the sum.

use super::change::comparison;
use super::paint::{ASIDE, BAD, GOOD, HEAD, UNSURE, paint};
use crate::check::{
    Checked, Decision, Due, Finding, Level, Mode, Outcome, Report, SignatureCheck, Verdict,
};
use crate::trust::TRUST_FILE;

/// No column is wider: one long path does not push every URL off the screen.
const WIDEST: usize = 120;

/// The whole report as text.
pub fn report(report: &Report) -> String {
    let width = report
        .checked
        .iter()
        .map(|one| one.path.in_terminal().to_string().chars().count())
        .max()
        .map(|width| width.min(WIDEST));
    let rows: String = report
        .checked
        .iter()
        .map(|one| row(one, report.mode, width.unwrap_or(0)))
        .collect();
    let gap = if report.findings.is_empty() || rows.is_empty() {
        ""
    } else {
        "\n"
    };
    format!(
        "{rows}{gap}{}\n{}\n{}",
        findings(&report.findings),
        sum(report),
        signatures(report)
    )
}

/// Whether anybody's approval counted in this run: every report says so.
pub(super) fn signatures(report: &Report) -> String {
    match (report.signatures, report.approvals) {
        (SignatureCheck::Required, Some(Due { needed, approvers })) => format!(
            "signatures: required, {} a lockfile; {} may sign now\n",
            counted(needed, "approval"),
            counted(approvers, "approver")
        ),
        (SignatureCheck::Required, None) => "signatures: required\n".to_owned(),
        (SignatureCheck::Off, _) => "signatures: off, only drift is checked\n".to_owned(),
        (SignatureCheck::NotChecked, _) => format!(
            "signatures: not checked, no trust file counts here and nobody's approval was verified (`lockgate keygen` begins `{TRUST_FILE}`)\n"
        ),
    }
}

/// The findings, one below the other, each with its way out.
pub fn findings(findings: &[Finding]) -> String {
    findings.iter().map(finding).collect()
}

fn row(one: &Checked, mode: Mode, width: usize) -> String {
    let path = one.path.in_terminal().to_string();
    let url = one
        .url()
        .map(|url| paint(ASIDE, url.untrusted().in_terminal()))
        .unwrap_or_default();
    let head = format!("{}  {path:width$}  {url}", verdict(one, mode));
    let head = head.trim_end();
    match &one.outcome {
        Outcome::Compared(compared) if compared.verdict() == Verdict::Unchanged => {
            format!("{head}\n")
        }
        Outcome::Compared(compared) => format!("{head}\n{}", comparison(compared)),
        Outcome::Unlisted(_) if mode == Mode::Offline && one.lockfile.is_some() => {
            format!("{head}\n")
        }
        Outcome::Unlisted(unlisted) => {
            let hint = unlisted
                .hint
                .as_ref()
                .map(|hint| format!("      hint: {hint}\n"))
                .unwrap_or_default();
            format!(
                "{head}\n      {}: {}\n{hint}",
                unlisted.reason,
                unlisted.message().in_terminal()
            )
        }
    }
}

fn verdict(one: &Checked, mode: Mode) -> String {
    if mode == Mode::Offline && one.lockfile.is_some() {
        return paint(ASIDE, "- not asked  ");
    }
    match one.verdict() {
        Verdict::Unchanged => paint(GOOD, "✓ unchanged  "),
        Verdict::Changed => paint(BAD, "✗ changed    "),
        Verdict::Unreachable => paint(UNSURE, "? unreachable"),
    }
}

fn finding(finding: &Finding) -> String {
    let style = match finding.level {
        Level::Note => HEAD,
        Level::Warning => UNSURE,
        Level::Error => BAD,
    };
    let line = finding
        .line
        .map(|line| format!(":{line}"))
        .unwrap_or_default();
    let place = finding
        .path
        .as_ref()
        .map(|path| format!("{}{line}: ", path.in_terminal()))
        .unwrap_or_default();
    let hint = finding
        .hint
        .as_ref()
        .map(|hint| format!("  hint: {}\n", hint.in_terminal()))
        .unwrap_or_default();
    let id = paint(ASIDE, format_args!("[{}]", finding.rule.id()));
    format!(
        "{}: {place}{} {id}\n{hint}",
        paint(style, finding.level.name()),
        finding.message.in_terminal()
    )
}

fn sum(report: &Report) -> String {
    let lockfiles = of_shard(report, counted(report.checked.len(), "lockfile"));
    if report.mode == Mode::Offline {
        return offline_sum(report);
    }
    let tally = crate::check::tally(&report.checked);
    let parts: Vec<String> = [Verdict::Unchanged, Verdict::Changed, Verdict::Unreachable]
        .iter()
        .filter_map(|verdict| {
            Some((
                verdict,
                tally.get(verdict.name()).filter(|count| **count > 0)?,
            ))
        })
        .map(|(verdict, count)| format!("{count} {}", verdict.name()))
        .collect();
    let decision = match report.decision() {
        Decision::Connect => paint(GOOD, "connect"),
        Decision::Block => paint(BAD, "block"),
    };
    let parts = if parts.is_empty() {
        "nothing checked".to_owned()
    } else {
        parts.join(", ")
    };
    format!("{lockfiles}: {parts} → {decision}")
}

fn offline_sum(report: &Report) -> String {
    let refused = report
        .checked
        .iter()
        .filter(|one| one.lockfile.is_none())
        .count();
    let usable = of_shard(report, counted(report.checked.len() - refused, "lockfile"));
    let refused = if refused > 0 {
        format!(", {refused} cannot be used")
    } else {
        String::new()
    };
    format!("{usable} verified offline{refused}: no server was asked")
}

/// Says of a number that it is a shard's, where it is no whole run's.
pub(super) fn of_shard(report: &Report, counted: String) -> String {
    match &report.shard {
        Some(part) => format!("{counted} of shard {}", part.shard),
        None => counted,
    }
}

/// `1 tool`, `2 tools`.
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
