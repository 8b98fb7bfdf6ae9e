//! The whole way: a run of the binary on the default branch, and the issues of a GitHub.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "runs the binary in a workspace"
)]

mod common;
#[path = "github_api/fake.rs"]
mod fake;
mod fleet;
mod repo;
#[path = "github_api/wire.rs"]
mod wire;
mod workspace;

use std::process::Output;

use fake::{Fake, REPOSITORY};
use repo::*;
use serde_json::json;
use workspace::Workspace;

/// A server that drifted, locked by alice on the default branch.
fn drifted() -> (Repo, fleet::Running) {
    let server = fleet::start(fleet::Server {
        tools: offered("drifted"),
        ..fleet::Server::default()
    });
    let repo = Repo::empty();
    repo.write(TRUST, trust("", &[("alice", ALICE)]));
    repo.write(LINEAR, lockfile(&server.url, 7, &[ALICE]));
    repo.commit();
    (repo, server)
}

fn run(workspace: &Workspace, github: &Fake) -> (Output, String) {
    let outputs = workspace.path().join(".git/outputs");
    let _none_yet = std::fs::remove_file(&outputs);
    let mut command = workspace.command(&["--allow-private-host", "127.0.0.1"]);
    command
        .env("GITHUB_API_URL", &github.origin)
        .env("GITHUB_REPOSITORY", REPOSITORY)
        .env("GITHUB_RUN_ID", "7")
        .env("GITHUB_TOKEN", "ghs_of_this_test")
        .env("GITHUB_OUTPUT", &outputs);
    let output = command.output().unwrap();
    (output, std::fs::read_to_string(outputs).unwrap())
}

#[test]
fn a_night_opens_an_issue_and_the_re_approval_closes_it() {
    let (repo, server) = drifted();
    let github = Fake::start();
    let night = || {
        let payload = json!({"schedule": "0 3 * * *"});
        Workspace::of(&repo, Some("1"), "main").event("schedule", payload)
    };
    let titled = || {
        let state = github.state();
        let about = |issue: &&fake::Issue| issue.title.contains("127.0.0.1");
        let issues = state.issues.values().filter(about);
        issues.map(|issue| issue.state.clone()).collect::<Vec<_>>()
    };
    let (output, outputs) = run(&night(), &github);
    assert_eq!(output.status.code(), Some(1), "{output:#?}");
    assert_eq!(titled(), ["open"], "{output:#?}");
    assert!(!outputs.contains("\n[]\n"), "{outputs}");
    // The same night again: nothing new.
    run(&night(), &github);
    assert_eq!(titled(), ["open"]);
    // A pull request writes nothing.
    let writes = |github: &Fake| {
        let state = github.state();
        state
            .log
            .iter()
            .filter(|line| !line.starts_with("GET"))
            .count()
    };
    let before = writes(&github);
    let head = repo.git(&["rev-parse", "main"]);
    let pull = Workspace::of(&repo, None, "main").pull_request("main", &head);
    run(&pull, &github);
    assert_eq!(writes(&github), before);
    // alice approves what the server offers now, and it is pushed.
    server.with(|server| server.tools[0]["description"] = json!("as of 8"));
    let was = repo.git(&["rev-parse", "HEAD"]);
    repo.write(LINEAR, lockfile(&server.url, 8, &[ALICE]));
    repo.commit();
    let push = Workspace::of(&repo, None, "main").event("push", json!({"before": was}));
    let (output, _) = run(&push, &github);
    assert_eq!(output.status.code(), Some(0), "{output:#?}");
    assert_eq!(titled(), ["closed"], "{output:#?}");
}

#[test]
fn what_cannot_be_written_is_told_and_changes_no_verdict() {
    let (repo, _server) = drifted();
    let night = Workspace::of(&repo, Some("1"), "main").event("schedule", json!({}));
    let mut command = night.command(&["--allow-private-host", "127.0.0.1"]);
    command
        .env("GITHUB_API_URL", "http://127.0.0.1:1")
        .env("GITHUB_REPOSITORY", REPOSITORY)
        .env("GITHUB_TOKEN", "ghs_of_this_test");
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("[github-issues]"), "{told}");
    assert!(told.contains("1 changed"), "{told}");
}

#[test]
fn a_run_without_a_token_says_so() {
    let (repo, _server) = drifted();
    let night = Workspace::of(&repo, Some("1"), "main").event("schedule", json!({}));
    let told = night.check(&["--allow-private-host", "127.0.0.1"]);
    told.notes("github-issues")
        .says("github-issues", "GITHUB_TOKEN");
}
