//! [`Report`] → the issues about it on GitHub: look, decide, write, and remember.
//!
//! Obeys design §8. What cannot be written is a finding that names it: never silent, and
//! never a change of a verdict. Called for the default branch's runs that asked the servers,
//! by an unsharded run or by the merge of all shards.

use std::collections::BTreeMap;

use lockgate::check::{Finding, Report, Rule};
use lockgate::issue::{self, Memory, Place, Plan, Recalled, Run, Scope, Shelf, Subject};
use lockgate::lock::ServerUrl;
use lockgate::message::Message;
use lockgate::trust::TrustedKey;
use lockgate::world::github::{Access, Failure, GitHub, Pace};

use super::issue_writer::Writer;

/// Who writes with the token that a workflow has by itself.
const WORKFLOW: &str = "github-actions[bot]";

/// What [`sync`] needs to know beside the report.
pub(crate) struct Context<'a> {
    /// The default branch's name.
    pub(crate) branch: &'a str,
    /// The page of this run.
    pub(crate) run_url: Option<&'a str>,
    /// The trust file's keys.
    pub(crate) keys: &'a [TrustedKey],
    /// `policy.removed`
    pub(crate) removed: &'a [ServerUrl],
    /// Which lockfiles the run looked for.
    pub(crate) scope: Scope,
    /// How fast and how patiently GitHub is asked.
    pub(crate) pace: Pace,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Synced {
    /// Numbers of the open issues about servers of this run, the crowd's included, sorted.
    pub(crate) issues: Vec<u64>,
    /// What could not be written, as warnings.
    pub(crate) findings: Vec<Finding>,
}

/// Brings the issues of the repository up to date with a report of the default branch, of a
/// run that asked every server.
pub(crate) async fn sync(report: &Report, access: Access, context: &Context<'_>) -> Synced {
    match Session::begin(report, access, context).await {
        Ok(session) => session.run().await,
        Err(failure) => Synced {
            findings: vec![*cannot_begin(&failure)],
            ..Synced::default()
        },
    }
}

/// A run that has seen what is there.
struct Session<'a> {
    run: Run<'a>,
    place: Place<'a>,
    shelf: Shelf,
    writer: Writer,
}

impl<'a> Session<'a> {
    async fn begin(
        report: &'a Report,
        access: Access,
        context: &Context<'a>,
    ) -> Result<Self, Failure> {
        let mut github = GitHub::new(access, context.pace.clone())?;
        let authors = authors(&mut github).await?;
        let mut writer = Writer::new(github, authors, report.checked_at);
        let shelf = writer.shelf().await?;
        let place = Place {
            now: report.checked_at,
            branch: context.branch.into(),
            run_url: context.run_url.map(str::to_owned),
            removed: context.removed,
            scope: context.scope.clone(),
        };
        Ok(Session {
            run: Run::of(report, context.keys),
            place,
            shelf,
            writer,
        })
    }

    async fn run(mut self) -> Synced {
        let recalled = issue::recalled(&self.shelf, self.place.now);
        let nothing = Memory::default();
        let before = match &recalled {
            Recalled::Memory(memory) => memory,
            Recalled::Nothing | Recalled::Unreadable => &nothing,
        };
        let Plan { actions, memory } = issue::plan(&self.run, before, &self.shelf, &self.place);
        for action in &actions {
            self.writer.write(action).await;
        }
        if self.writer.has_opened() {
            self.look_again().await;
        }
        let open = self.writer.open_issues(&self.shelf);
        if !self.run.servers.is_empty() || self.shelf.tracker().is_some() {
            let draft = issue::tracker(&self.run, (&memory, &recalled), &open, &self.place);
            self.writer.track(self.shelf.tracker(), draft).await;
        }
        let issues = self.numbers(open);
        let mut findings = self.writer.into_findings();
        findings.extend(anew(&recalled));
        Synced { issues, findings }
    }

    /// Another run at the same time may have opened the same issue: the younger one is closed.
    async fn look_again(&mut self) {
        if let Ok(shelf) = self.writer.shelf().await {
            for action in issue::doubles(&shelf) {
                self.writer.write(&action).await;
            }
            self.shelf = shelf;
        }
    }

    /// The open issues about what this run saw.
    fn numbers(&self, open: BTreeMap<Subject, u64>) -> Vec<u64> {
        let is_ours = |subject: &Subject| match subject {
            Subject::Server { key, .. } => self.run.servers.iter().any(|server| server.key == *key),
            Subject::Crowd => true,
            Subject::Tracker => false,
        };
        let ours = open.into_iter().filter(|(subject, _)| is_ours(subject));
        let mut numbers: Vec<u64> = ours.map(|(_, number)| number).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// As whom the token writes, and as whom a workflow does.
async fn authors(github: &mut GitHub) -> Result<Vec<String>, Failure> {
    let mut authors = vec![WORKFLOW.to_owned()];
    if let Some(login) = github.login().await?
        && !login.as_arrived().eq_ignore_ascii_case(WORKFLOW)
    {
        authors.insert(0, login.as_arrived().to_owned());
    }
    Ok(authors)
}

fn anew(recalled: &Recalled) -> Option<Finding> {
    match recalled {
        Recalled::Nothing | Recalled::Memory(_) => None,
        Recalled::Unreadable => Some(*trouble(
            Message::new(
                "what the tracker issue remembers could not be read, as if somebody had edited it",
            ),
            "it begins anew: a server that gives no listing gets its issue a night later",
        )),
    }
}

fn cannot_begin(failure: &Failure) -> Box<Finding> {
    let message = Message::new("no issue was written: ").then(failure.message());
    trouble(message, failure.hint())
}

pub(super) fn trouble(message: Message, hint: &str) -> Box<Finding> {
    Box::new(Finding::new(Rule::GithubIssues, message).hint(hint))
}

#[cfg(test)]
#[path = "../../tests/github_api/mod.rs"]
mod tests;
