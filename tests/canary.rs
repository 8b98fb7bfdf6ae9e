//! A server on loopback that must hear nothing: not by the word of a refused lockfile, and
//! no header at a URL that a change brought.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "builds repositories and reads what the binary said"
)]

mod common;
mod fleet;
mod person;
mod repo;

use std::path::Path;

use fleet::{Running, Server, start};
use lockgate::trust::SigningKey;
use person::Person;
use repo::*;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Tools as [`lockfile`] pins them for that day.
fn offers(day: u8) -> Server {
    Server {
        tools: offered(&format!("as of {day}")),
        ..Server::default()
    }
}

fn requests(server: &Running) -> usize {
    server.with(|server| server.asked.values().sum())
}

fn seen_by(server: &Running) -> Vec<String> {
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

fn run(repo: &Path, more: &[&str]) -> Value {
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
        assert_eq!(!seen_by(&canary).is_empty(), expect == 1, "{policy}");
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
        assert_eq!(!seen_by(&canary).is_empty(), expect == 1, "{policy}");
        // Once the URL stands on base, it is asked as it was approved.
        repo.git(&["branch", "-f", "main", &base]);
        run(repo.path(), &CHANGE);
        assert!(!seen_by(&canary).is_empty(), "{policy}");
        run(repo.path(), &[]);
        assert!(!seen_by(&canary).is_empty(), "{policy}");
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
    assert!(seen_by(&canary).is_empty());
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
    assert!(seen_by(&canary).is_empty());
    // Base's secret for that URL waits until the URL stands on base.
    let trusted = trust_with_secret("signatures = \"off\"", ("alice", ALICE), &canary);
    let clone = hostile_checkout(Some(&trusted), &canary, &[]);
    run(clone.path(), &[]);
    assert!(seen_by(&canary).is_empty());
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

/// A lockfile that says it was listed with the header.
fn pinned_lockfile(server: &Running, day: u8, seeds: &[u8]) -> String {
    let text = lockfile(&server.url, day, &[]);
    let text = common::resealed(&text, |lockfile| {
        lockfile["extended"]["secret_headers"] = json!(["x-seen"]);
    });
    common::signed(&text, seeds)
}

/// A key file that git does not see.
fn key_file(repo: &Path, seed: u8) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = repo.join(".git/key.pem");
    let pem = SigningKey::of_secret(&[seed; 32]).pem();
    std::fs::write(&path, pem.as_bytes()).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A maintainer at a terminal, who has the secret in their environment.
fn sits_down(repo: &Path, command: &str, more: &[&str]) -> Person {
    let typed = [command, LINEAR, "--key", &key_file(repo, ALICE)];
    let open = ["--allow-private-host", "127.0.0.1"];
    let mut command = person::lockgate(repo, &[&typed, &open[..], more].concat());
    command
        .env("LOCKGATE_CANARY", "secret")
        .env("LOCKGATE_OTHER", "another secret");
    Person::starts(command)
}

/// The last question, declined; gives all that was told before it.
fn declines(mut person: Person) -> String {
    let seen = person.answers("n");
    let (code, told) = person.leaves();
    assert_eq!(code, 1, "{told}");
    seen + &told
}

const QUESTION: &str = "send what this variable holds to this origin? ";

#[test]
fn approve_in_a_hostile_branch_asks_before_a_header_is_sent() {
    let canary = start(offers(8));
    let trusted = trust("", &[("alice", ALICE)]);
    let clone = hostile_checkout(Some(&trusted), &canary, &[MALLORY]);
    // A second lockfile of that server is no second question.
    let again = "mcp/again.mcp-lock.json";
    std::fs::copy(clone.path().join(LINEAR), clone.path().join(again)).unwrap();
    for command in ["approve", "sign"] {
        let mut alice = sits_down(clone.path(), command, &[]);
        let seen = alice.sees(QUESTION);
        assert!(
            seen.contains(&format!("origin    {}", canary.origin)),
            "{seen}"
        );
        assert!(seen.contains("header    x-seen"), "{seen}");
        assert!(seen.contains("variable  LOCKGATE_CANARY"), "{seen}");
        assert_eq!(
            requests(&canary),
            0,
            "{command} asked before it was told to"
        );
        // Whoever goes away has not said yes.
        alice.presses_control('c');
        assert_eq!(alice.leaves().0, 130);
        assert_eq!(requests(&canary), 0, "{command}");

        let mut alice = sits_down(clone.path(), command, &[]);
        alice.sees(QUESTION);
        alice.answers("n");
        declines(alice);
        assert!(requests(&canary) > 0, "{command} asks without the header");
        assert!(seen_by(&canary).is_empty(), "{command}");
        canary.with(|server| server.asked.clear());

        let mut alice = sits_down(clone.path(), command, &[again]);
        alice.sees(QUESTION);
        alice.answers("y");
        if command == "sign" {
            alice.answers("y");
        }
        let told = declines(alice);
        assert!(!told.contains(QUESTION), "{told}");
        assert!(!seen_by(&canary).is_empty(), "{command}: a yes is a yes");
        canary.with(|server| server.asked.clear());
    }
}

#[test]
fn a_refused_header_that_a_lockfile_needs_sends_nothing() {
    let canary = start(offers(8));
    let trusted = trust("", &[("alice", ALICE)]);
    let clone = hostile_checkout(Some(&trusted), &canary, &[MALLORY]);
    let text = pinned_lockfile(&canary, 8, &[MALLORY]);
    std::fs::write(clone.path().join(LINEAR), text).unwrap();
    let mut alice = sits_down(clone.path(), "approve", &[]);
    alice.sees(QUESTION);
    alice.answers("no");
    let (code, told) = alice.leaves();
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("auth-required"), "{told}");
    assert_eq!(requests(&canary), 0);
}

/// A clone whose base sends a secret to `good`, with a branch that moves the lockfile's URL
/// to `to`.
fn moved_url(good: &Running, to: &str) -> (Repo, TempDir) {
    let upstream = Repo::empty();
    upstream.write(TRUST, trust_with_secret("", ("alice", ALICE), good));
    upstream.write(LINEAR, pinned_lockfile(good, 8, &[ALICE]));
    upstream.commit();
    upstream.branch();
    let text = upstream.read(LINEAR).replace(&good.url, to);
    upstream.write(LINEAR, common::resealed(&text, |_| {}));
    upstream.commit();
    upstream.git(&["switch", "-q", "main"]);
    let clone = TempDir::new().unwrap();
    let from = format!("file://{}", upstream.path().display());
    git(clone.path(), &["clone", "-q", &from, "."]);
    (upstream, clone)
}

#[test]
fn a_lockfile_that_a_branch_points_elsewhere_takes_no_header_along() {
    let (good, canary) = (start(offers(8)), start(offers(8)));
    let (_upstream, clone) = moved_url(&good, &canary.url);
    let typed = format!("{} X-Seen: env:LOCKGATE_CANARY", good.origin);
    // On main the same header reaches the server that base names, and nobody is asked.
    for command in ["approve", "sign"] {
        git(clone.path(), &["switch", "-q", "main"]);
        let mut alice = sits_down(clone.path(), command, &[]);
        let (code, told) = match command {
            "approve" => {
                let left = alice.leaves();
                assert!(!seen_by(&good).is_empty());
                left
            }
            _ => alice.leaves(),
        };
        assert!(code == 0 && told.contains("signed already"), "{told}");
        assert!(!told.contains(QUESTION), "{told}");

        git(clone.path(), &["switch", "-q", "change"]);
        for more in [&[][..], &["--header", &typed]] {
            alice = sits_down(clone.path(), command, more);
            let told = match command {
                "approve" => alice.leaves().1,
                // The companion listing says what to sign; the server is not asked.
                _ => declines(alice),
            };
            assert!(told.contains("auth-required"), "{command}: {told}");
            assert_eq!(requests(&canary), 0, "{command}: {told}");
        }
    }
    // Without the header in its pins it is asked, and still without the header.
    let text = std::fs::read_to_string(clone.path().join(LINEAR)).unwrap();
    let text = common::resealed(&text, |lockfile| {
        lockfile.as_object_mut().unwrap().remove("extended");
    });
    std::fs::write(clone.path().join(LINEAR), text).unwrap();
    declines(sits_down(clone.path(), "approve", &["--header", &typed]));
    assert!(requests(&canary) > 0);
    assert!(seen_by(&canary).is_empty());
    assert!(seen_by(&good).is_empty());
}

#[test]
fn another_path_of_the_same_origin_takes_no_header_along() {
    let good = start(offers(8));
    let (_upstream, clone) = moved_url(&good, &format!("{}/other", good.origin));
    git(clone.path(), &["switch", "-q", "change"]);
    let (code, told) = sits_down(clone.path(), "approve", &[]).leaves();
    assert!(code == 1 && told.contains("auth-required"), "{told}");
    assert_eq!(requests(&good), 0);
}

#[test]
fn a_branch_does_not_choose_which_variable_base_sends() {
    let good = start(offers(9));
    let (_upstream, clone) = moved_url(&good, &good.url);
    git(clone.path(), &["switch", "-q", "change"]);
    let file = clone.path().join(TRUST);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("LOCKGATE_CANARY", "LOCKGATE_OTHER")).unwrap();
    let mut alice = sits_down(clone.path(), "approve", &[]);
    let seen = alice.answers("n");
    assert!(
        seen.contains("CI will list with its own LOCKGATE_CANARY"),
        "{seen}"
    );
    assert_eq!(alice.leaves().0, 1);
    let sent = seen_by(&good);
    assert!(!sent.is_empty() && sent.iter().all(|one| one == "secret"));
}

#[test]
fn where_base_is_not_known_every_header_is_asked_for() {
    let good = start(offers(8));
    let (_upstream, clone) = moved_url(&good, &good.url);
    for gone in [
        &["symbolic-ref", "-d", "refs/remotes/origin/HEAD"][..],
        &["update-ref", "-d", "refs/remotes/origin/main"],
    ] {
        git(clone.path(), gone);
    }
    let mut alice = sits_down(clone.path(), "approve", &[]);
    alice.sees(QUESTION);
    alice.answers("n");
    assert_eq!(alice.leaves().0, 1);
    assert_eq!(requests(&good), 0);
}

#[test]
fn a_missing_secret_is_named_and_nothing_is_sent() {
    let canary = start(offers(8));
    let (_upstream, clone) = moved_url(&canary, &canary.url);
    git(clone.path(), &["switch", "-q", "change"]);
    let hostile = trust_with_secret("", ("mallory", MALLORY), &canary);
    // By base's word, and by the work tree's alone: there is nothing to ask about.
    for secret in ["LOCKGATE_CANARY", "LOCKGATE_NOWHERE"] {
        let file = clone.path().join(TRUST);
        if secret == "LOCKGATE_NOWHERE" {
            git(
                clone.path(),
                &["update-ref", "-d", "refs/remotes/origin/main"],
            );
            git(
                clone.path(),
                &["symbolic-ref", "-d", "refs/remotes/origin/HEAD"],
            );
        }
        std::fs::write(&file, hostile.replace("LOCKGATE_CANARY", secret)).unwrap();
        for empty in [None, Some("")] {
            let typed = ["approve", LINEAR, "--key", &key_file(clone.path(), BOB)];
            let open = ["--allow-private-host", "127.0.0.1"];
            let mut command = person::lockgate(clone.path(), &[&typed[..], &open].concat());
            command.env_remove(secret);
            command.envs(empty.map(|nothing| (secret, nothing)));
            let (code, told) = Person::starts(command).leaves();
            assert_eq!(code, 1, "{told}");
            let named = format!("environment variable `{secret}`, which is not set or empty");
            let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(told.contains("auth-required"), "{told}");
            assert!(told.contains(&named), "{told}");
        }
    }
    assert_eq!(requests(&canary), 0);
}

#[test]
fn sign_uses_the_header_of_base_and_says_what_ci_needs() {
    let good = start(offers(8));
    let (_upstream, clone) = moved_url(&good, &good.url);
    git(clone.path(), &["switch", "-q", "change"]);
    std::fs::write(clone.path().join(LINEAR), pinned_lockfile(&good, 8, &[BOB])).unwrap();
    let tools = good.with(|server| server.tools.clone());
    let companion =
        json!({"kind": "lockgate-mcp-listing", "v": 1, "instructions": null, "tools": tools});
    let place = clone.path().join("mcp/linear.mcp-listing.json");
    std::fs::write(place, companion.to_string()).unwrap();
    let ci = "CI will list with its own LOCKGATE_CANARY: make sure it has the same scopes";
    let scopes = "a token with other scopes is a likely cause";
    let seen = declines(sits_down(clone.path(), "sign", &[]));
    assert!(seen.contains("offers exactly this list now"), "{seen}");
    assert_eq!(seen.matches(ci).count(), 1, "{seen}");
    assert!(!seen.contains(scopes), "{seen}");
    let sent = seen_by(&good);
    assert!(!sent.is_empty() && sent.iter().all(|one| one == "secret"));
    // Only whole tools went: sign and approve name the token.
    good.with(|server| server.tools = json!([]));
    for command in ["sign", "approve"] {
        let seen = declines(sits_down(clone.path(), command, &[]));
        assert_eq!(seen.matches(ci).count(), 1, "{command}: {seen}");
        assert!(seen.contains(scopes), "{command}: {seen}");
    }
    assert!(!seen_by(&good).is_empty());
}
