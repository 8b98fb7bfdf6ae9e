//! [`Run`] → the first words of every page: what was found, and whether anything was stopped.

use super::counted;
use super::github::Run;
use super::order::{KINDS, kind};
use crate::check::{Decision, FailOn, Level, Mode, Report, Trigger, Verdict};
use crate::message::Message;

/// What was stopped.
#[derive(Debug)]
pub(super) struct Stopped {
    /// The one thing to know.
    pub(super) lead: &'static str,
    /// What it means.
    pub(super) told: Message,
}

/// `2 changed`, `1 needs credentials`, …, each with what it counts: what people must be able
/// to tell apart. Never empty.
pub(super) fn parts(report: &Report) -> Vec<(String, &'static str)> {
    let count = |wanted: &str| {
        let of_kind = report.checked.iter().filter(|one| kind(one) == wanted);
        of_kind.count()
    };
    let told = |wanted: &&'static str| match (count(wanted), *wanted) {
        (0, _) => None,
        (1, "need credentials") => Some(("1 needs credentials".to_owned(), *wanted)),
        (count, kind) => Some((format!("{count} {kind}"), kind)),
    };
    let mut parts: Vec<_> = KINDS.iter().filter_map(told).collect();
    let errors = report.findings.iter();
    match errors.filter(|one| one.level == Level::Error).count() {
        0 => {}
        errors => parts.push((counted(errors, "error"), "error")),
    }
    if parts.is_empty() {
        parts.push(("nothing checked".to_owned(), "not asked"));
    }
    parts
}

/// Whether anything was stopped, and what that means.
pub(super) fn stopped(run: &Run<'_>) -> Stopped {
    let report = run.report;
    let (lead, what) = match (report.passes(run.fail_on), report.trigger) {
        (false, Trigger::PullRequest(_) | Trigger::PullRequestTarget(_)) => (
            "This check fails:",
            "where it is required, this pull request cannot be merged. No agent was stopped.",
        ),
        (false, Trigger::MergeGroup) => (
            "This check fails:",
            "where it is required, this group cannot be merged. No agent was stopped.",
        ),
        (false, Trigger::Local | Trigger::Push | Trigger::Schedule | Trigger::Dispatch)
            if report.verdict() != Some(Verdict::Changed) =>
        {
            (
                "Nothing has been stopped:",
                "this run fails, and agents go on using these servers. Drift was not seen; of what could not be checked it is not known.",
            )
        }
        (false, Trigger::Local | Trigger::Push | Trigger::Schedule | Trigger::Dispatch) => (
            "Nothing has been stopped:",
            "this run fails, and agents that use these servers still receive what they offer now. To stop them, remove or disable the server in the client’s configuration.",
        ),
        (true, _) => ("Nothing was stopped:", passing(run)),
    };
    Stopped {
        lead,
        told: Message::new(format!("{what}{}", not_asked(report))),
    }
}

fn passing(run: &Run<'_>) -> &'static str {
    match (run.report.decision(), run.fail_on, run.report.mode) {
        (_, _, Mode::Offline) => "this check passes.",
        (Decision::Connect, _, _) => "every server offers what was approved.",
        (Decision::Block, FailOn::Never, _) => {
            "what is below would fail, and `fail-on: never` lets it pass."
        }
        (Decision::Block, FailOn::Error | FailOn::Warning, _) => {
            "what is below was so before this change, or is accepted for a while. Agents that use these servers still receive what they offer now."
        }
    }
}

fn not_asked(report: &Report) -> String {
    if report.mode == Mode::Online {
        return String::new();
    }
    let usable = report.checked.iter().filter(|one| one.lockfile.is_some());
    let servers = match usable.count() {
        1 => "1 server was".to_owned(),
        many => format!("{many} servers were"),
    };
    format!(
        " {servers} not asked (offline): the lockfiles were verified, and whether their servers drifted is not known."
    )
}
