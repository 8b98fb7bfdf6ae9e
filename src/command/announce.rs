//! The report of a run on the default branch → the repository's issues, kept up to date.
//!
//! Obeys design §8: a pull request, another branch and an offline run write nothing; what
//! cannot be written is a finding and changes no verdict.

use lockgate::check::{Finding, Mode, Report};
use lockgate::world::github::Pace;
use lockgate::world::signals::interruption;

use super::issues::{Context, OnBranch, sync, trouble};
use super::workflow::About;
use crate::runner::Runner;

/// Brings the issues up to date; gives the numbers of those that are open, and adds to the
/// report what could not be written.
pub(super) async fn announce(report: &mut Report, runner: &Runner, about: &About) -> Vec<u64> {
    let (on, branch) = match &about.default_branch {
        Some(branch) => (OnBranch::Default, branch.name()),
        None => (OnBranch::Other, ""),
    };
    let Some(token) = &runner.token else {
        let is_due = on == OnBranch::Default && report.mode == Mode::Online;
        report.findings.extend(is_due.then(without_token));
        return Vec::new();
    };
    let run_url = runner.page();
    let context = Context {
        api_url: &runner.api,
        repository: &runner.repository,
        token,
        on,
        branch,
        run_url: run_url.as_deref(),
        keys: &about.trust.keys,
        removed: &about.trust.policy.removed,
        scope: about.scope.clone(),
        pace: Pace::default(),
    };
    let (issues, findings) = tokio::select! {
        synced = sync(report, &context) => (synced.issues, synced.findings),
        _signal = interruption() => (Vec::new(), vec![stopped()]),
    };
    report.findings.extend(findings);
    report.findings.sort();
    issues
}

fn without_token() -> Finding {
    let message = "no token, so no issue is written";
    let hint = "give `GITHUB_TOKEN` to this step, and `issues: write` to its job";
    trouble(message.into(), hint).level(lockgate::check::Level::Note)
}

fn stopped() -> Finding {
    let message = "the run was stopped before every issue was written";
    *trouble(message.into(), "the next run goes on")
}
