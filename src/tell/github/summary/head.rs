//! [`Run`] → the first words: what was found, whether anything was stopped, what is next.

use crate::check::{
    Bearing, Cause, Checked, Decision, FailOn, Level, Mode, Outcome, Report, Trigger, Verdict,
};
use crate::message::Message;
use crate::tell::counted;
use crate::tell::excerpt::start_of;
use crate::tell::github::Run;
use crate::tell::report::of_shard;
use crate::tell::way_out::{approve, next_step};
use crate::untrusted::Untrusted;

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
        .map(|(count, kind)| match (count, *kind) {
            (1, "need credentials") => "1 needs credentials".to_owned(),
            (count, kind) => format!("{count} {kind}"),
        })
        .collect()
}

/// What came of one check, in the words of a person who has to do something about it.
pub(super) fn kind(one: &Checked) -> &'static str {
    match (&one.outcome, one.verdict()) {
        (_, Verdict::Unchanged) => "unchanged",
        (Outcome::Compared(_), _) | (_, Verdict::Changed) => "changed",
        (Outcome::Unlisted(unlisted), Verdict::Unreachable) => match unlisted.reason.cause() {
            Cause::Credentials => "need credentials",
            Cause::Lockfile => "refused",
            Cause::NotAsked => "not asked",
            Cause::Silence | Cause::Ours | Cause::Drift => "could not be checked",
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
    let what = match (report.passes(run.fail_on), report.trigger) {
        (false, Trigger::PullRequest(_) | Trigger::PullRequestTarget(_)) => {
            "<b>This check fails:</b> where it is required, this pull request cannot be merged. No agent was stopped."
        }
        (false, Trigger::MergeGroup) => {
            "<b>This check fails:</b> where it is required, this group cannot be merged. No agent was stopped."
        }
        (false, Trigger::Local | Trigger::Push | Trigger::Schedule | Trigger::Dispatch)
            if report.verdict() != Some(Verdict::Changed) =>
        {
            "<b>Nothing has been stopped:</b> this run fails, and agents go on using these servers. Drift was not seen; of what could not be checked it is not known."
        }
        (false, Trigger::Local | Trigger::Push | Trigger::Schedule | Trigger::Dispatch) => {
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
    let decides = |one: &&Checked| one.bearing == Bearing::Decides && kind(one) != "not asked";
    let blocks: Vec<&Checked> = by_weight(&run.report.checked)
        .into_iter()
        .filter(decides)
        .collect();
    let is_drift = |one: &&Checked| matches!(one.outcome, Outcome::Compared(_));
    let drifted: Vec<&Untrusted> = blocks
        .iter()
        .copied()
        .filter(is_drift)
        .filter(|one| one.decision() == Decision::Block)
        .map(|one| &one.path)
        .collect();
    let drift = (!drifted.is_empty()).then(|| approve(&drifted));
    let silent = silent(blocks.iter().copied().filter(|one| !is_drift(one)));
    let errors = run.report.findings.iter();
    let errors = errors.filter(|finding| finding.level == Level::Error);
    let errors = errors.filter_map(|finding| {
        let place = finding.path.as_ref().map(about);
        Some(place.unwrap_or_default().then(finding.hint.clone()?))
    });
    let mut steps: Vec<String> = Vec::new();
    for step in drift.into_iter().chain(errors).chain(silent) {
        let step = short(&step);
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

/// One step for all that need the same.
fn silent<'a>(checks: impl Iterator<Item = &'a Checked>) -> Vec<Message> {
    let mut same: Vec<(Message, Vec<&Untrusted>)> = Vec::new();
    for one in checks {
        let Some(step) = next_step(one) else { continue };
        match same.iter_mut().find(|(known, _)| *known == step) {
            Some((_, paths)) => paths.push(&one.path),
            None => same.push((step, vec![&one.path])),
        }
    }
    let told = |(step, paths): (Message, Vec<&Untrusted>)| {
        let more = match paths.len().saturating_sub(STEPS) {
            0 => ": ".to_owned(),
            more => format!(" and {more} more: "),
        };
        let named = Message::default().each(paths.into_iter().take(STEPS));
        named.ours(more).then(step)
    };
    same.into_iter().map(told).collect()
}

fn about(path: &Untrusted) -> Message {
    Message::default().theirs(path).ours(": ")
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
