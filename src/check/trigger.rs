//! What started a run → what its blocks mean for the outcome.
//!
//! Obeys design §5 (Exit in pull requests and merge groups) and §8 (Fork and Dependabot).

use serde::{Serialize, Serializer};

use super::Bearing;

/// What started a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trigger {
    /// A person, or a machine that says nothing of an event.
    #[default]
    Local,
    /// `pull_request`
    PullRequest(Author),
    /// `pull_request_target`: base is checked out, the pull request is objects only.
    PullRequestTarget(Author),
    /// `merge_group`
    MergeGroup,
    /// `push`
    Push,
    /// `schedule`
    Schedule,
    /// `workflow_dispatch` or `repository_dispatch`
    Dispatch,
}

/// Whose pull request it is, as far as it decides what the run may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// Somebody who may push to this repository.
    Inside,
    /// Somebody from a fork: no secrets, no writing.
    Fork,
    /// Dependabot: no secrets, no writing.
    Dependabot,
}

impl Trigger {
    /// Its name: GitHub's own for an event.
    pub fn name(self) -> &'static str {
        match self {
            Trigger::Local => "local",
            Trigger::PullRequest(_) => "pull_request",
            Trigger::PullRequestTarget(_) => "pull_request_target",
            Trigger::MergeGroup => "merge_group",
            Trigger::Push => "push",
            Trigger::Schedule => "schedule",
            Trigger::Dispatch => "workflow_dispatch",
        }
    }

    /// Whose pull request it is.
    pub fn author(self) -> Option<Author> {
        match self {
            Trigger::PullRequest(author) | Trigger::PullRequestTarget(author) => Some(author),
            Trigger::Local
            | Trigger::MergeGroup
            | Trigger::Push
            | Trigger::Schedule
            | Trigger::Dispatch => None,
        }
    }

    /// Is it somebody's from outside, whose keys and configuration begin nothing?
    pub fn is_from_fork(self) -> bool {
        self.author() == Some(Author::Fork)
    }

    /// Is the pull request there as objects only, beside base?
    pub fn is_objects_only(self) -> bool {
        matches!(self, Trigger::PullRequestTarget(_))
    }

    /// What a block means where the change does not touch the lockfile: nothing for a
    /// change that is proposed, all for what stands already.
    pub fn untouched(self) -> Bearing {
        match self {
            Trigger::Local
            | Trigger::PullRequest(_)
            | Trigger::PullRequestTarget(_)
            | Trigger::MergeGroup => Bearing::Told,
            Trigger::Push | Trigger::Schedule | Trigger::Dispatch => Bearing::Decides,
        }
    }

    /// Why no server is asked unless it is asked for; `None` where servers are asked.
    pub fn offline_because(self) -> Option<&'static str> {
        match self {
            Trigger::PullRequestTarget(_) => Some(
                "`pull_request_target` may hold secrets, and the pull request names the servers",
            ),
            Trigger::PullRequest(Author::Fork) => Some("a fork's pull request has no secrets"),
            Trigger::PullRequest(Author::Dependabot) => {
                Some("Dependabot's pull requests have no secrets")
            }
            Trigger::Local
            | Trigger::PullRequest(Author::Inside)
            | Trigger::MergeGroup
            | Trigger::Push
            | Trigger::Schedule
            | Trigger::Dispatch => None,
        }
    }
}

impl Serialize for Trigger {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}
