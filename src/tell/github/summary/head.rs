//! [`Run`] → the first words: what was found, whether anything was stopped, what is next.

use crate::check::{Decision, Mode};
use crate::message::Message;
use crate::tell::counted;
use crate::tell::excerpt::start_of;
use crate::tell::github::Run;
use crate::tell::headline::{parts, stopped};
use crate::tell::order::steps;
use crate::tell::report::of_shard;

/// So many next steps.
const STEPS: usize = 3;

/// Heading, what was stopped, next steps.
pub(super) fn head(run: &Run<'_>) -> String {
    let steps = list(&steps(run.report));
    let steps = match steps.is_empty() {
        true => String::new(),
        false => format!("\n<ul>\n{steps}</ul>\n"),
    };
    let stopped = stopped(run);
    format!(
        "<h2>{}</h2>\n\n<p><b>{}</b> {}</p>\n{steps}",
        title(run),
        stopped.lead,
        stopped.told.in_html()
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
    let decision = match report.mode {
        Mode::Online => decision.name(),
        Mode::Offline => "verified offline",
    };
    let lockfiles = of_shard(report, counted(report.checked.len(), "MCP lockfile"));
    let parts: Vec<String> = parts(report).into_iter().map(|(told, _)| told).collect();
    format!("{mark} {decision} · {lockfiles}: {}", parts.join(", "))
}

/// The first steps.
fn list(all: &[Message]) -> String {
    let more = all.len().saturating_sub(STEPS);
    let told = all.iter().take(STEPS);
    let told = told.map(|step| format!("<li>{}</li>\n", short(step)));
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
