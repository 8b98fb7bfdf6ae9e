//! [`Run`] → the first words: what was found, whether anything was stopped, what is next.

use crate::check::{
    Bearing, Checked, Decision, FailOn, Level, Mode, Outcome, Reason, Report, Verdict,
};
use crate::message::Message;
use crate::tell::counted;
use crate::tell::excerpt::start_of;
use crate::tell::github::{Occasion, Run};
use crate::tell::report::of_shard;
use crate::tell::way_out::next_step;

use super::rows::by_weight;

/// So many next steps.
const STEPS: usize = 3;

/// Heading, what was stopped, next steps.
pub(super) fn head(run: &Run<'_>) -> String {
    let steps = steps(run);
    let steps = match steps.is_empty() {
        true => String::new(),
        false => format!("\n<ul>\n{steps}</ul>\n"),
    };
    format!(
        "<h2>{}</h2>\n\n<p>{}</p>\n{steps}",
        title(run),
        stopped(run)
    )
}

fn title(run: &Run<'_>) -> String {
    let report = run.report;
    let decision = report.decision();
    let mark = match (run.report.passes(run.fail_on), decision) {
        (_, Decision::Connect) => "✅",
        (true, Decision::Block) => "⚠️",
        (false, Decision::Block) => "❌",
    };
    let mut parts = kinds(report);
    let errors = report
        .findings
        .iter()
        .filter(|one| one.level == Level::Error);
    match errors.count() {
        0 => {}
        errors => parts.push(counted(errors, "error")),
    }
    if parts.is_empty() {
        parts.push("nothing checked".to_owned());
    }
    let decision = match report.mode {
        Mode::Online => decision.name(),
        Mode::Offline => "verified offline",
    };
    let lockfiles = of_shard(report, counted(report.checked.len(), "MCP lockfile"));
    format!("{mark} {decision} · {lockfiles}: {}", parts.join(", "))
}

/// `2 changed`, `1 needs credentials`, …: what people must be able to tell apart.
fn kinds(report: &Report) -> Vec<String> {
    let kinds = [
        "changed",
        "refused",
        "need credentials",
        "could not be checked",
        "not asked",
        "unchanged",
    ];
    let count = |kind: &&str| {
        report
            .checked
            .iter()
            .filter(|one| self::kind(one) == *kind)
            .count()
    };
    kinds
        .iter()
        .map(|kind| (count(kind), kind))
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| format!("{count} {kind}"))
        .collect()
}

/// What came of one check, in the words of a person who has to do something about it.
pub(super) fn kind(one: &Checked) -> &'static str {
    match (&one.outcome, one.verdict()) {
        (_, Verdict::Unchanged) => "unchanged",
        (Outcome::Compared(_), _) | (_, Verdict::Changed) => "changed",
        (Outcome::Unlisted(unlisted), Verdict::Unreachable) => match unlisted.reason {
            Reason::AuthRequired => "need credentials",
            Reason::LockfileRefused => "refused",
            Reason::NotChecked => "not asked",
            Reason::Dns
            | Reason::Connect
            | Reason::Tls
            | Reason::Timeout
            | Reason::HttpStatus
            | Reason::Redirect
            | Reason::RateLimited
            | Reason::PrivateAddress
            | Reason::TooLarge
            | Reason::NotMcp
            | Reason::RpcError
            | Reason::InternalError
            | Reason::MalformedListing
            | Reason::UnstableListing => "could not be checked",
        },
    }
}

fn stopped(run: &Run<'_>) -> String {
    let report = run.report;
    let asked = match report.mode {
        Mode::Online => String::new(),
        Mode::Offline => {
            let usable = report
                .checked
                .iter()
                .filter(|one| one.lockfile.is_some())
                .count();
            format!(
                " {} not asked (offline): the lockfiles were verified, and whether their servers drifted is not known.",
                match usable {
                    1 => "1 server was".to_owned(),
                    many => format!("{many} servers were"),
                }
            )
        }
    };
    let what = match (report.passes(run.fail_on), run.occasion) {
        (false, Occasion::PullRequest) => {
            "<b>This check fails:</b> where it is required, this pull request cannot be merged. No agent was stopped."
        }
        (false, Occasion::MergeGroup) => {
            "<b>This check fails:</b> where it is required, this group cannot be merged. No agent was stopped."
        }
        (false, Occasion::Standing) => {
            "<b>Nothing has been stopped:</b> this run fails, and agents that use these servers still receive what they offer now. To stop them, remove or disable the server in the client’s configuration."
        }
        (true, _) => passing(run),
    };
    format!("{what}{asked}")
}

fn passing(run: &Run<'_>) -> &'static str {
    match (run.report.decision(), run.fail_on, run.report.mode) {
        (_, _, Mode::Offline) => "<b>Nothing was stopped:</b> this check passes.",
        (Decision::Connect, _, _) => {
            "<b>Nothing was stopped:</b> every server offers what was approved."
        }
        (Decision::Block, FailOn::Never, _) => {
            "<b>Nothing was stopped:</b> what is below would fail, and <code>fail-on: never</code> lets it pass."
        }
        (Decision::Block, FailOn::Error | FailOn::Warning, _) => {
            "<b>Nothing was stopped:</b> what is below was so before this change, or is accepted for a while. Agents that use these servers still receive what they offer now."
        }
    }
}

/// The first steps for whoever can mend it, each once, worst first.
fn steps(run: &Run<'_>) -> String {
    let failing = run.report.findings.iter();
    let failing = failing.filter(|finding| finding.level == Level::Error);
    let hints = failing.filter_map(|finding| {
        let place = finding.path.as_ref();
        let place = place.map_or_else(Message::default, |path| {
            Message::new("").theirs(path).ours(": ")
        });
        Some(place.then(finding.hint.clone()?))
    });
    let decides = |one: &&Checked| one.bearing == Bearing::Decides;
    let checked = by_weight(&run.report.checked).into_iter().filter(decides);
    let next = checked
        .filter(|one| kind(one) != "not asked")
        .filter_map(|one| {
            Some(
                Message::new("")
                    .theirs(&one.path)
                    .ours(": ")
                    .then(next_step(one)?),
            )
        });
    let mut steps: Vec<String> = Vec::new();
    for step in next.chain(hints).map(|step| short(&step)) {
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    let more = steps.len().saturating_sub(STEPS);
    let told = steps
        .iter()
        .take(STEPS)
        .map(|step| format!("<li>{step}</li>\n"));
    let more = (more > 0).then(|| format!("<li>… and {more} more below</li>\n"));
    told.chain(more).collect()
}

/// A message as HTML; as code, and cut, where it is longer than any of ours.
pub(super) fn short(message: &Message) -> String {
    const LONGEST: usize = 3000;
    const SHORT: usize = 600;
    let html = message.in_html();
    match html.len() > LONGEST {
        false => html,
        true => {
            let shown = message.in_terminal().to_string();
            Message::default().shown(start_of(&shown, SHORT)).in_html()
        }
    }
}
