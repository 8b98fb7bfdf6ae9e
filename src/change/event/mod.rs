//! What the runner says of an event → [`Event`]: what started the run, and what is compared.
//!
//! Obeys design §5 (Base) and §8 (Action). The payload is GitHub's, its texts are anybody's:
//! a branch name is checked before it becomes a part of a revision. `base.sha` of a pull
//! request and `base_sha` of a merge group are never read: they go stale.

mod branch;
mod payload;

pub use self::branch::Branch;
use self::payload::Payload;
use crate::check::Trigger;
use crate::untrusted::Untrusted;

/// What the runner says of the event that started a run.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// `GITHUB_EVENT_NAME`
    pub name: &'a str,
    /// What the file at `GITHUB_EVENT_PATH` holds.
    pub payload: &'a [u8],
    /// `GITHUB_REF`
    pub git_ref: &'a str,
    /// `GITHUB_ACTOR`
    pub actor: &'a str,
}

/// What started a run, and what is compared for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What started it.
    pub trigger: Trigger,
    /// The branch that is protected in any case.
    pub default_branch: Branch,
    /// What is compared.
    pub compared: Compared,
}

/// What an event compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// A pull request into a branch: `head` is the commit that was proposed.
    Proposed {
        /// The branch.
        into: Branch,
        /// The proposed commit, as GitHub spells its id.
        head: String,
    },
    /// What would be merged into a branch.
    Merged(Branch),
    /// A branch, and the commit it stood at before; `None`: there was none.
    Pushed(Branch, Option<String>),
    /// What stands on a branch; `None`: on a tag, or on nothing with a name.
    Standing(Option<Branch>),
}

/// An event by which nothing can be judged.
#[derive(Debug, thiserror::Error)]
pub enum EventFault {
    /// It runs with secrets on what anybody proposed.
    #[error(
        "`workflow_run` runs with secrets after a run that anybody may have started, so lockgate does not run in it\nhint: run it on `pull_request`, which needs no secret, and on `schedule` and `push`"
    )]
    WorkflowRun,
    /// It says nothing of what is to be compared.
    #[error(
        "the event `{}` does not say what is to be checked\nhint: run it on `pull_request`, `merge_group`, `push`, `schedule` or `workflow_dispatch`, or name the commit to compare with: `--base REV`",
        .0.in_terminal()
    )]
    Unknown(Untrusted),
    /// The payload cannot be read.
    #[error(
        "the event's payload cannot be read: {0}\nhint: leave GITHUB_EVENT_PATH and GITHUB_EVENT_NAME as the runner sets them"
    )]
    Payload(String),
    /// A branch of that name is none that git has.
    #[error("the event names the branch `{}`, which is no name of a branch\nhint: leave GITHUB_REF and GITHUB_EVENT_PATH as the runner sets them", .0.in_terminal())]
    Branch(Untrusted),
}

impl Event {
    /// Reads what the runner says.
    ///
    /// # Errors
    /// [`EventFault`] if it cannot be read or nothing can be judged by it.
    pub fn read(said: Said<'_>) -> Result<Self, EventFault> {
        let kind = Kind::of(said.name)?;
        let payload: Payload = serde_json::from_slice(said.payload)
            .map_err(|error| EventFault::Payload(error.to_string()))?;
        let (trigger, compared) = match kind {
            Kind::PullRequest => {
                let author = payload.author(said.actor)?;
                (Trigger::PullRequest(author), payload.proposed()?)
            }
            Kind::PullRequestTarget => {
                let author = payload.author(said.actor)?;
                (Trigger::PullRequestTarget(author), payload.proposed()?)
            }
            Kind::MergeGroup => (Trigger::MergeGroup, payload.merged()?),
            Kind::Push => (Trigger::Push, payload.pushed(said.git_ref)?),
            Kind::Schedule => (Trigger::Schedule, standing(said.git_ref)?),
            Kind::Dispatch => (Trigger::Dispatch, standing(said.git_ref)?),
        };
        Ok(Event {
            trigger,
            default_branch: branch(payload.default_branch())?,
            compared,
        })
    }
}

enum Kind {
    PullRequest,
    PullRequestTarget,
    MergeGroup,
    Push,
    Schedule,
    Dispatch,
}

impl Kind {
    fn of(name: &str) -> Result<Self, EventFault> {
        match name {
            "pull_request" => Ok(Kind::PullRequest),
            "pull_request_target" => Ok(Kind::PullRequestTarget),
            "merge_group" => Ok(Kind::MergeGroup),
            "push" => Ok(Kind::Push),
            "schedule" => Ok(Kind::Schedule),
            "workflow_dispatch" | "repository_dispatch" => Ok(Kind::Dispatch),
            "workflow_run" => Err(EventFault::WorkflowRun),
            other => Err(EventFault::Unknown(Untrusted::new(other))),
        }
    }
}

fn standing(git_ref: &str) -> Result<Compared, EventFault> {
    let name = git_ref.strip_prefix("refs/heads/");
    name.map(branch).transpose().map(Compared::Standing)
}

fn branch(name: &str) -> Result<Branch, EventFault> {
    Branch::new(name).ok_or_else(|| EventFault::Branch(Untrusted::new(name)))
}
