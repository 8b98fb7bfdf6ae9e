//! The report of a run on the default branch → the repository's issues, kept up to date.
//!
//! Obeys design §8: a pull request, another branch and an offline run write nothing; what
//! cannot be written is a finding and changes no verdict.

use anyhow::{Result, anyhow};
use lockgate::change::Branch;
use lockgate::check::{Finding, Mode, Report};
use lockgate::world::github::{Access, BadAccess, Pace};
use lockgate::world::signals::{Interruption, Signals};

use super::issues::{Context, Synced, sync, trouble};
use super::workflow::About;
use crate::runner::Runner;

/// What became of the issues.
#[derive(Default)]
pub(super) struct Announced {
    /// The numbers of those that are open.
    pub(super) issues: Vec<u64>,
    /// The signal that ended the run before all was written.
    pub(super) stopped: Option<Interruption>,
}

/// Brings the issues up to date, until a signal comes; adds to the report what could not be
/// written.
///
/// # Errors
/// [`BadAccess`]: a setting that can write no issue, however often it is tried.
pub(super) async fn announce(
    report: &mut Report,
    (runner, about): (&Runner, &About),
    signals: &mut Signals,
) -> Result<Announced> {
    let Some(branch) = due(report, about) else {
        return Ok(Announced::default());
    };
    let Some(token) = &runner.token else {
        report.findings.push(without_token());
        return Ok(Announced::default());
    };
    let access = Access::new(&runner.api, &runner.repository, token).map_err(unusable)?;
    let run_url = runner.page();
    let context = Context {
        branch: branch.name(),
        run_url: run_url.as_deref(),
        keys: &about.trust.keys,
        removed: &about.trust.policy.removed,
        scope: about.scope.clone(),
        pace: Pace::default(),
    };
    let (synced, stopped) = tokio::select! {
        synced = sync(report, access, &context) => (synced, None),
        signal = signals.next() => (stopped(), Some(signal)),
    };
    report.findings.extend(synced.findings);
    report.findings.sort();
    Ok(Announced {
        issues: synced.issues,
        stopped,
    })
}

/// The default branch, if the run knows of all servers on it what they offer now. Of the
/// other shards' servers one shard knows nothing: the merge of all does.
fn due<'a>(report: &Report, about: &'a About) -> Option<&'a Branch> {
    let is_whole = report.mode == Mode::Online && report.shard.is_none();
    about.default_branch.as_ref().filter(|_| is_whole)
}

/// Names the setting, what is wrong with it, and the way out; never its value.
fn unusable(bad: BadAccess) -> anyhow::Error {
    let way_out = match bad {
        BadAccess::ApiUrl => "leave `GITHUB_API_URL` as the runner sets it",
        BadAccess::Repository => "leave `GITHUB_REPOSITORY` as the runner sets it",
        BadAccess::NoToken | BadAccess::Token => {
            "give `GITHUB_TOKEN` (the input `token`) the secret alone, without a line end"
        }
    };
    anyhow!("no issue can be written: {bad}\nhint: {way_out}; the verdicts stand as told")
}

fn without_token() -> Finding {
    let message = "no token, so no issue is written";
    let hint = "give `GITHUB_TOKEN` to this step, and `issues: write` to its job";
    trouble(message.into(), hint).level(lockgate::check::Level::Note)
}

fn stopped() -> Synced {
    let message = "the run was stopped before every issue was written";
    let finding = *trouble(message.into(), "the next run goes on");
    Synced {
        findings: vec![finding],
        ..Synced::default()
    }
}
