//! The payload of an event → what is read of it, GitHub's webhook events.

use serde::Deserialize;

use super::{Compared, EventFault, branch};
use crate::check::Author;

const DEPENDABOT: &str = "dependabot[bot]";

/// What is read of a payload.
#[derive(Deserialize)]
pub(super) struct Payload {
    repository: RepositoryText,
    pull_request: Option<PullRequestText>,
    merge_group: Option<MergeGroupText>,
    before: Option<String>,
}

#[derive(Deserialize)]
struct RepositoryText {
    full_name: String,
    default_branch: String,
}

#[derive(Deserialize)]
struct PullRequestText {
    base: BaseText,
    head: HeadText,
}

#[derive(Deserialize)]
struct BaseText {
    #[serde(rename = "ref")]
    branch: String,
}

#[derive(Deserialize)]
struct HeadText {
    sha: String,
    /// `null` once the fork was deleted.
    repo: Option<HeadRepositoryText>,
}

#[derive(Deserialize)]
struct HeadRepositoryText {
    full_name: String,
}

#[derive(Deserialize)]
struct MergeGroupText {
    base_ref: String,
}

impl Payload {
    /// The name of the branch that is protected in any case.
    pub(super) fn default_branch(&self) -> &str {
        &self.repository.default_branch
    }

    fn pull_request(&self) -> Result<&PullRequestText, EventFault> {
        self.pull_request
            .as_ref()
            .ok_or_else(|| missing("pull_request"))
    }

    /// Whose pull request it is; a deleted fork is a fork.
    pub(super) fn author(&self, actor: &str) -> Result<Author, EventFault> {
        let head = self.pull_request()?.head.repo.as_ref();
        let is_inside = head.is_some_and(|repo| repo.full_name == self.repository.full_name);
        Ok(match (is_inside, actor == DEPENDABOT) {
            (false, _) => Author::Fork,
            (true, true) => Author::Dependabot,
            (true, false) => Author::Inside,
        })
    }

    /// The pull request.
    pub(super) fn proposed(&self) -> Result<Compared, EventFault> {
        let PullRequestText { base, head } = self.pull_request()?;
        match is_id(&head.sha) {
            true => Ok(Compared::Proposed {
                into: branch(&base.branch)?,
                head: head.sha.clone(),
            }),
            false => Err(missing("pull_request.head.sha")),
        }
    }

    /// The merge group.
    pub(super) fn merged(&self) -> Result<Compared, EventFault> {
        let group = self.merge_group.as_ref();
        let group = group.ok_or_else(|| missing("merge_group"))?;
        branch(&group.base_ref).map(Compared::Merged)
    }

    /// The push; to a tag nothing stood before.
    pub(super) fn pushed(&self, git_ref: &str) -> Result<Compared, EventFault> {
        let Some(name) = git_ref.strip_prefix("refs/heads/") else {
            return Ok(Compared::Standing(None));
        };
        let is_one = |id: &String| is_id(id) && id.bytes().any(|digit| digit != b'0');
        let before = self.before.clone().filter(is_one);
        Ok(Compared::Pushed(branch(name)?, before))
    }
}

/// The full id of a commit.
fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn missing(member: &str) -> EventFault {
    EventFault::Payload(format!("`{member}` is missing"))
}
