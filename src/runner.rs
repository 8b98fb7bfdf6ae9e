//! GitHub's runner → what it says of a run: the variables it sets, read by this door only.

use std::path::PathBuf;

use crate::settings::variable;

/// What the runner of a workflow says.
#[derive(Clone)]
pub(crate) struct Runner {
    /// `GITHUB_EVENT_NAME`
    pub(crate) event: String,
    /// `GITHUB_EVENT_PATH`
    pub(crate) payload: Option<PathBuf>,
    /// `GITHUB_SHA`
    pub(crate) sha: String,
    /// `GITHUB_REF`
    pub(crate) git_ref: String,
    /// `GITHUB_ACTOR`
    pub(crate) actor: String,
    /// `GITHUB_SERVER_URL`
    pub(crate) server: String,
    /// `GITHUB_API_URL`
    pub(crate) api: String,
    /// `GITHUB_REPOSITORY`
    pub(crate) repository: String,
    /// `GITHUB_RUN_ID`, the same for all jobs of a run.
    pub(crate) run: Option<String>,
    /// `GITHUB_STEP_SUMMARY`
    pub(crate) summary: Option<PathBuf>,
    /// `GITHUB_OUTPUT`
    pub(crate) output: Option<PathBuf>,
    /// `GITHUB_TOKEN`, which the runner does not set by itself.
    pub(crate) token: Option<String>,
}

/// The runner that this process is run by, if there is one.
pub(crate) fn runner() -> Option<Runner> {
    let is_there = variable("GITHUB_ACTIONS").as_deref() == Some("true");
    is_there.then(|| {
        let of = |name| variable(name).unwrap_or_default();
        Runner {
            event: of("GITHUB_EVENT_NAME"),
            payload: variable("GITHUB_EVENT_PATH").map(PathBuf::from),
            sha: of("GITHUB_SHA"),
            git_ref: of("GITHUB_REF"),
            actor: of("GITHUB_ACTOR"),
            server: of("GITHUB_SERVER_URL"),
            api: of("GITHUB_API_URL"),
            repository: of("GITHUB_REPOSITORY"),
            run: variable("GITHUB_RUN_ID"),
            summary: variable("GITHUB_STEP_SUMMARY").map(PathBuf::from),
            output: variable("GITHUB_OUTPUT").map(PathBuf::from),
            token: variable("GITHUB_TOKEN"),
        }
    })
}

impl Runner {
    /// The page of this run; `None` if the runner does not say where it is.
    pub(crate) fn page(&self) -> Option<String> {
        let Runner {
            server, repository, ..
        } = self;
        let is_known = !server.is_empty() && !repository.is_empty();
        let id = self.run.as_ref().filter(|_| is_known)?;
        Some(format!("{server}/{repository}/actions/runs/{id}"))
    }
}
