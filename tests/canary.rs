//! A server on loopback that must hear nothing: not by the word of a refused lockfile, and
//! no header at a URL that a change brought.
#![expect(
    clippy::unwrap_used,
    reason = "builds repositories and reads what the binary said"
)]

mod common;
mod fleet;
mod repo;

use fleet::{Running, Server, start};
use repo::*;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Tools as [`lockfile`] pins them for that day.
fn offers(day: u8) -> Server {
    Server {
        tools: json!([{"name": "search", "description": format!("as of {day}"), "inputSchema": {"type": "object"}}]),
        ..Server::default()
    }
}

fn requests(server: &Running) -> usize {
    server.with(|server| server.asked.values().sum())
}

fn seen(server: &Running) -> Vec<String> {
    server.with(|server| std::mem::take(&mut server.seen))
}

/// A trust file that sends a secret to that server.
fn trust_with_secret(policy: &str, approver: (&str, u8), server: &Running) -> String {
    let secret = format!(
        "\n[[server]]\nurl = \"{}\"\nheaders = {{ X-Seen = \"env:LOCKGATE_CANARY\" }}\n",
        server.url
    );
    trust(policy, &[approver]) + &secret
}

/// A lockfile as version 1 has it, without extended pins: it is asked with what may be sent.
fn plain_lockfile(server: &Running, day: u8, seeds: &[u8]) -> String {
    let text = unsigned(
        &server.url,
        &format!("2025-10-{day:02}T10:00:00Z"),
        &format!("as of {day}"),
    );
    let text = common::resealed(&text, |lockfile| {
        lockfile.as_object_mut().unwrap().remove("extended");
    });
    common::signed(&text, seeds)
}

fn run(repo: &std::path::Path, more: &[&str]) -> Value {
    let arguments = [
        &[
            "check",
            "--format",
            "json",
            "--allow-private-host",
            "127.0.0.1",
        ],
        more,
    ]
    .concat();
    let output = lockgate(repo, &arguments)
        .env("LOCKGATE_CANARY", "secret")
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

const CHANGE: [&str; 4] = ["--base", "main", "--head", "HEAD"];

#[test]
fn a_refused_lockfile_names_nobody_to_ask() {
    let canary = start(offers(8));
    let repo = Repo::empty();
    repo.write(TRUST, trust("", &[("alice", ALICE)]));
    repo.commit();
    repo.branch();
    repo.write(LINEAR, lockfile(&canary.url, 8, &[MALLORY]));
    repo.commit();
    let report = run(repo.path(), &CHANGE);
    assert_eq!(
        report["answers"][0]["reason"], "lockfile-refused",
        "{report:#}"
    );
    assert_eq!(requests(&canary), 0);
    repo.write(LINEAR, lockfile(&canary.url, 8, &[ALICE]));
    repo.commit();
    assert_eq!(run(repo.path(), &CHANGE)["decision"], "connect");
    assert!(requests(&canary) > 0);
}

#[test]
fn no_header_reaches_a_url_that_the_change_brought() {
    let canary = start(offers(8));
    for (policy, seeds, expect) in [("signatures = \"off\"", &[][..], 0), ("", &[ALICE][..], 1)] {
        let repo = Repo::empty();
        repo.write(TRUST, trust_with_secret(policy, ("alice", ALICE), &canary));
        repo.commit();
        repo.branch();
        repo.write(LINEAR, plain_lockfile(&canary, 8, seeds));
        let base = repo.commit();
        let report = run(repo.path(), &CHANGE);
        assert_eq!(report["answers"][0]["verdict"], "unchanged", "{report:#}");
        assert_eq!(!seen(&canary).is_empty(), expect == 1, "{policy}");
        // Typed for the origin, it stays away from the new URL too.
        run(
            repo.path(),
            &[
                &CHANGE[..],
                &[
                    "--header",
                    &format!("{} X-Seen: env:LOCKGATE_CANARY", canary.origin),
                ],
            ]
            .concat(),
        );
        assert_eq!(!seen(&canary).is_empty(), expect == 1, "{policy}");
        // Once the URL stands on base, it is asked as it was approved.
        repo.git(&["branch", "-f", "main", &base]);
        run(repo.path(), &CHANGE);
        assert!(!seen(&canary).is_empty(), "{policy}");
        run(repo.path(), &[]);
        assert!(!seen(&canary).is_empty(), "{policy}");
    }
}

#[test]
fn a_first_trust_file_sends_no_secret() {
    let canary = start(offers(8));
    let repo = Repo::empty();
    repo.branch();
    repo.write(TRUST, trust_with_secret("", ("mallory", MALLORY), &canary));
    repo.write(LINEAR, plain_lockfile(&canary, 8, &[MALLORY]));
    repo.commit();
    run(repo.path(), &CHANGE);
    assert!(seen(&canary).is_empty());
}

/// A clone in which mallory's branch is checked out.
fn hostile_checkout(upstream_trust: Option<&str>, canary: &Running, seeds: &[u8]) -> TempDir {
    let upstream = Repo::empty();
    if let Some(text) = upstream_trust {
        upstream.write(TRUST, text);
    }
    upstream.two_servers();
    upstream.remove(LINEAR);
    upstream.remove(GITHUB);
    upstream.commit();
    upstream.branch();
    upstream.write(TRUST, trust_with_secret("", ("mallory", MALLORY), canary));
    upstream.write(LINEAR, plain_lockfile(canary, 8, seeds));
    upstream.commit();
    upstream.git(&["switch", "-q", "main"]);
    let clone = TempDir::new().unwrap();
    let from = format!("file://{}", upstream.path().display());
    git(clone.path(), &["clone", "-q", &from, "."]);
    git(clone.path(), &["switch", "-q", "change"]);
    clone
}

#[test]
fn a_hostile_branch_that_is_checked_out() {
    let canary = start(offers(8));
    let trusted = trust("", &[("alice", ALICE)]);
    let clone = hostile_checkout(Some(&trusted), &canary, &[MALLORY]);
    let report = run(clone.path(), &[]);
    assert_eq!(
        report["answers"][0]["reason"], "lockfile-refused",
        "{report:#}"
    );
    assert_eq!(report["signatures"], "required");
    assert_eq!(requests(&canary), 0);
    // Where base has no trust file, nobody refuses it; its own words send no secret.
    let clone = hostile_checkout(None, &canary, &[MALLORY]);
    let report = run(clone.path(), &[]);
    assert_eq!(report["signatures"], "not-checked", "{report:#}");
    assert!(requests(&canary) > 0);
    assert!(seen(&canary).is_empty());
    // Base's secret for that URL waits until the URL stands on base.
    let trusted = trust_with_secret("signatures = \"off\"", ("alice", ALICE), &canary);
    let clone = hostile_checkout(Some(&trusted), &canary, &[]);
    run(clone.path(), &[]);
    assert!(seen(&canary).is_empty());
}

#[test]
fn a_remote_whose_default_branch_is_not_known() {
    let canary = start(offers(8));
    let clone = hostile_checkout(None, &canary, &[MALLORY]);
    git(
        clone.path(),
        &["update-ref", "-d", "refs/remotes/origin/main"],
    );
    git(
        clone.path(),
        &["symbolic-ref", "-d", "refs/remotes/origin/HEAD"],
    );
    check(clone.path(), &[]).could_not_work("set-head");
    assert_eq!(requests(&canary), 0);
}

#[test]
fn a_missing_secret_is_that_servers_answer() {
    let canary = start(offers(8));
    let repo = Repo::empty();
    repo.write(TRUST, trust_with_secret("", ("alice", ALICE), &canary));
    repo.write(LINEAR, plain_lockfile(&canary, 8, &[ALICE]));
    repo.commit();
    let told = repo.check(&["--allow-private-host", "127.0.0.1"]);
    assert_eq!(told.code, 1, "{told:#?}");
    assert_eq!(told.report["answers"][0]["reason"], "auth-required");
    assert_eq!(requests(&canary), 0);
}
