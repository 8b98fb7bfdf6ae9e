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

use std::process::{Command, Output};

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
    let output = command(workspace, github)
        .env("GITHUB_OUTPUT", &outputs)
        .output()
        .unwrap();
    (output, std::fs::read_to_string(outputs).unwrap())
}

/// A check, as a workflow on that GitHub starts it.
fn command(workspace: &Workspace, github: &Fake) -> Command {
    let mut command = workspace.command(&["--allow-private-host", "127.0.0.1"]);
    command
        .env("GITHUB_API_URL", &github.origin)
        .env("GITHUB_REPOSITORY", REPOSITORY)
        .env("GITHUB_TOKEN", "ghs_of_this_test");
    command
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
fn elsewhere_nothing_is_asked_of_github() {
    let (repo, _server) = drifted();
    let github = Fake::start();
    let night = || Workspace::of(&repo, Some("1"), "main").event("schedule", json!({}));
    let branch = Workspace::of(&repo, None, "main")
        .event("workflow_dispatch", json!({}))
        .on("refs/heads/another");
    for (workspace, flag) in [
        (branch, "--offline=false"),
        (night(), "--offline"),
        (night(), "--shard=1/1"),
    ] {
        let mut command = command(&workspace, &github);
        let output = command.arg(flag).output().unwrap();
        assert!(output.status.code() < Some(2), "{output:#?}");
        let state = github.state();
        assert_eq!(
            (&state.log, &state.asked_whose),
            (&vec![], &vec![]),
            "{flag}"
        );
    }
}

#[test]
fn what_cannot_be_written_is_told_and_changes_no_verdict() {
    let (repo, _server) = drifted();
    let night = Workspace::of(&repo, Some("1"), "main").event("schedule", json!({}));
    let github = Fake::start();
    let gone = fake::What::Status(410, r#"{"message": "Issues are disabled"}"#, &[]);
    github.fails_always("GET", "/issues", gone);
    let output = command(&night, &github).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("[github-issues]"), "{told}");
    assert!(told.contains("has its issues disabled"), "{told}");
    assert!(told.contains("1 changed"), "{told}");
}

/// A setting by which no issue can ever be written is a fault of whoever set it: the run
/// could not do its work, and says once what to set; what it found stands.
#[test]
fn a_setting_that_can_write_no_issue_is_told_once_and_changes_no_verdict() {
    let (repo, _server) = drifted();
    let github = Fake::start();
    let check = |variable: &str, value: &str| {
        let night = Workspace::of(&repo, Some("1"), "main").event("schedule", json!({}));
        let at = |name: &str| night.path().join(".git").join(name);
        let output = command(&night, &github)
            .arg("--report")
            .arg(at("report"))
            .env("GITHUB_OUTPUT", at("outputs"))
            .env("GITHUB_STEP_SUMMARY", at("summary"))
            .env(variable, value)
            .output()
            .unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        let troubles: Vec<&str> = { said.lines() }
            .filter(|line| line.contains("could not work"))
            .collect();
        assert_eq!(troubles.len(), 1, "{said}");
        assert!(troubles[0].contains(variable), "{said}");
        assert!(troubles[0].contains("hint: "), "{said}");
        assert!(!said.contains("[github-issues]"), "{said}");
        assert!(
            value.is_empty() || !said.contains(value.trim_end()),
            "{said}"
        );
        let read = |name: &str| std::fs::read_to_string(at(name)).unwrap();
        assert!(said.contains("1 changed → block"), "{said}");
        assert!(read("report").contains("\"decision\": \"block\""));
        assert!(read("outputs").contains("\nblock\n"));
        assert!(read("summary").contains("1 changed"));
    };
    check("GITHUB_TOKEN", "ghs_of_this_test\n");
    check("GITHUB_TOKEN", "ghs of this test");
    check("GITHUB_API_URL", "");
    check("GITHUB_API_URL", "api.github.example");
    check("GITHUB_API_URL", "http://api.github.example");
    check("GITHUB_API_URL", "https://alice:secret@api.github.example/");
    check("GITHUB_REPOSITORY", "");
    check("GITHUB_REPOSITORY", "acme");
    check("GITHUB_REPOSITORY", "acme/../other");
    assert_eq!(github.state().log, [""; 0]);
}

#[test]
fn a_run_without_a_token_says_so() {
    let (repo, _server) = drifted();
    let night = Workspace::of(&repo, Some("1"), "main").event("schedule", json!({}));
    let told = night.check(&["--allow-private-host", "127.0.0.1"]);
    told.notes("github-issues")
        .says("github-issues", "GITHUB_TOKEN");
}

/// Five hundred servers that drifted, locked by alice on the default branch, and the paths of
/// their lockfiles, in order.
fn many_drifted() -> (Repo, fleet::Running, Vec<String>) {
    let text = |of: &str| format!("as of {of}: {}", "what it does, at length. ".repeat(200));
    let server = fleet::start(fleet::Server {
        tools: offered(&text("that night")),
        ..fleet::Server::default()
    });
    let repo = Repo::empty();
    repo.write(TRUST, trust("", &[("alice", ALICE)]));
    let lock = |number: usize| {
        let url = server.beside(&format!("s{number:03}"));
        let path = format!("mcp/s{number:03}.mcp-lock.json");
        let lockfile = lockfile_of(&url, "2025-10-07T10:00:00Z", &text("7"), &[ALICE]);
        repo.write(&path, lockfile);
        path
    };
    let paths = (0..500).map(lock).collect();
    repo.commit();
    (repo, server, paths)
}

#[test]
#[ignore = "25 writes, a second apart: `tests/github_api/run` runs it"]
fn five_hundred_servers_drift_in_one_night() {
    let (repo, _server, paths) = many_drifted();
    let github = Fake::start();
    let night = || {
        let night = Workspace::of(&repo, Some("1"), "main").event("schedule", json!({}));
        let at = |name: &str| night.path().join(".git").join(name);
        let output = command(&night, &github)
            .arg("--report")
            .arg(at("report.json"))
            .env("GITHUB_STEP_SUMMARY", at("summary"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:#?}");
        let read = |name: &str| std::fs::read_to_string(at(name)).unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        (said, read("report.json"), read("summary"))
    };
    let (said, report, summary) = night();
    lost_nothing(&serde_json::from_str(&report).unwrap(), &paths);
    within_the_runners_limits(&said, &summary);
    let titles = || -> Vec<String> {
        let state = github.state();
        state
            .issues
            .values()
            .map(|issue| issue.title.clone())
            .collect()
    };
    let first = titles();
    let is_about_one = |title: &&String| title.starts_with("MCP tools changed: 127.0.0.1");
    assert_eq!(first.iter().filter(is_about_one).count(), 20, "{first:#?}");
    assert_eq!(
        first.len(),
        22,
        "the rest shares one, and the tracker: {first:#?}"
    );
    // The night after: nothing new to say.
    night();
    assert_eq!(titles(), first);
    let state = github.state();
    assert!(state.issues.values().all(|issue| issue.comments.is_empty()));
}

fn lost_nothing(report: &serde_json::Value, paths: &[String]) {
    let answers = report["answers"].as_array().unwrap();
    let told = answers
        .iter()
        .map(|answer| answer["path"].as_str().unwrap());
    assert_eq!(told.collect::<Vec<_>>(), paths);
    for answer in answers {
        let words = &answer["modified_detail"][0]["description"];
        assert_eq!(answer["verdict"], "changed");
        assert!(
            words["current"]
                .as_str()
                .unwrap()
                .starts_with("as of that night: ")
        );
    }
    let findings = report["findings"].to_string();
    assert!(!findings.contains("github-issues"), "{findings}");
}

/// 1 MiB of summary, of which lockgate takes 900 KiB at most; ten annotations a level, each of
/// at most 4,096 UTF-16 units.
fn within_the_runners_limits(said: &str, summary: &str) {
    assert!(summary.len() <= 900 * 1024, "{}", summary.len());
    for (level, count) in [("error", 10), ("warning", 0), ("notice", 0)] {
        let begins = format!("::{level} ");
        let of_level: Vec<&str> = said
            .lines()
            .filter(|line| line.starts_with(&begins))
            .collect();
        assert_eq!(of_level.len(), count, "{level}");
        for line in of_level {
            assert!(line.encode_utf16().count() <= 4096, "{line}");
        }
    }
    assert!(
        said.contains("::error title=lockgate::491 more of this level"),
        "{said}"
    );
}
