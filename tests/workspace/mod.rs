//! A workspace as a runner has it: a clone of a repository, something checked out, an event.
#![allow(dead_code, reason = "each test file uses its part")]
#![expect(clippy::unwrap_used, reason = "a test's own workspace")]

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::repo::{Repo, Told, git, lockgate, told};

/// A clone, and the event that started a run in it.
pub(crate) struct Workspace {
    folder: TempDir,
    elsewhere: TempDir,
    name: &'static str,
    payload: Value,
    sha: String,
    git_ref: String,
    actor: &'static str,
}

impl Workspace {
    /// A clone of a repository: the commit that the event is about, checked out.
    pub(crate) fn of(repo: &Repo, depth: Option<&str>, revision: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let sha = repo.git(&["rev-parse", revision]);
        let from = format!("file://{}", repo.path().display());
        git(folder.path(), &["init", "-q"]);
        git(folder.path(), &["remote", "add", "origin", &from]);
        let depth = depth.map(|depth| format!("--depth={depth}"));
        let mut fetch = vec!["fetch", "-q", "--no-tags"];
        fetch.extend(depth.as_deref());
        fetch.extend(["origin", &sha]);
        if depth.is_none() {
            fetch.push("+refs/heads/*:refs/remotes/origin/*");
        }
        git(folder.path(), &fetch);
        git(folder.path(), &["checkout", "-q", "--detach", &sha]);
        Workspace {
            folder,
            elsewhere: TempDir::new().unwrap(),
            name: "push",
            payload: Value::Null,
            git_ref: "refs/heads/main".to_owned(),
            actor: "alice",
            sha,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(self.path(), arguments)
    }

    pub(crate) fn event(mut self, name: &'static str, more: Value) -> Self {
        let mut payload =
            json!({"repository": {"full_name": "acme/tools", "default_branch": "main"}});
        let members = payload.as_object_mut().unwrap();
        members.extend(more.as_object().cloned().unwrap_or_default());
        (self.name, self.payload) = (name, payload);
        self
    }

    /// A pull request whose head is that commit.
    pub(crate) fn pull_request(self, into: &str, head: &str) -> Self {
        self.pull_request_from(into, head, json!({"full_name": "acme/tools"}))
    }

    pub(crate) fn pull_request_from(self, into: &str, head: &str, from: Value) -> Self {
        let stale = "1111111111111111111111111111111111111111";
        let pull_request = json!({
            "number": 12,
            "base": {"ref": into, "sha": stale},
            "head": {"ref": "change", "sha": head, "repo": from},
        });
        let event = self.event("pull_request", json!({"pull_request": pull_request}));
        Workspace {
            git_ref: "refs/pull/12/merge".to_owned(),
            ..event
        }
    }

    pub(crate) fn named(self, name: &'static str) -> Self {
        Workspace { name, ..self }
    }

    pub(crate) fn by(self, actor: &'static str) -> Self {
        Workspace { actor, ..self }
    }

    pub(crate) fn on(self, git_ref: &str) -> Self {
        Workspace {
            git_ref: git_ref.to_owned(),
            ..self
        }
    }

    pub(crate) fn about(self, sha: &str) -> Self {
        Workspace {
            sha: sha.to_owned(),
            ..self
        }
    }

    /// The origin is not to be reached any more.
    pub(crate) fn cut_off(self) -> Self {
        self.git(&["remote", "set-url", "origin", "file:///nonexistent"]);
        self
    }

    pub(crate) fn check(&self, arguments: &[&str]) -> Told {
        let arguments = [&["--format", "json"], arguments].concat();
        told(&self.command(&arguments).output().unwrap())
    }

    /// `lockgate check` as the runner starts it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.start(&[&["check"], arguments].concat())
    }

    /// lockgate as the runner starts it.
    pub(crate) fn start(&self, arguments: &[&str]) -> Command {
        let payload = self.elsewhere.path().join("event.json");
        std::fs::write(&payload, self.payload.to_string()).unwrap();
        let mut command = lockgate(self.path(), arguments);
        command
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_EVENT_NAME", self.name)
            .env("GITHUB_EVENT_PATH", &payload)
            .env("GITHUB_SHA", &self.sha)
            .env("GITHUB_REF", &self.git_ref)
            .env("GITHUB_ACTOR", self.actor)
            .env("GITHUB_SERVER_URL", "https://github.com")
            .env("GITHUB_RUN_ID", "4711")
            .env_remove("GITHUB_TOKEN")
            .env_remove("GITHUB_OUTPUT")
            .env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    pub(crate) fn judge(&self) -> Told {
        self.check(&["--offline"])
    }
}
