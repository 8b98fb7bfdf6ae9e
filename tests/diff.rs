//! `lockgate diff` against servers on loopback: the same as the gate shows, either way round.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "runs the binary and reads what it wrote"
)]

mod common;
mod fleet;
mod repo;

use std::path::Path;

use fleet::{Running, Server, start};
use repo::lockgate;
use serde_json::{Value, json};
use tempfile::TempDir;

const OPEN: [&str; 2] = ["--allow-private-host", "127.0.0.1"];

struct Told {
    code: i32,
    stdout: String,
    stderr: String,
}

fn run(folder: &Path, arguments: &[&str]) -> Told {
    let mut command = lockgate(folder, arguments);
    let output = command.env("LOCKGATE_TEST_TOKEN", "sesame").output();
    let output = output.unwrap();
    Told {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn diff(folder: &Path, arguments: &[&str]) -> Told {
    run(folder, &[&["diff"], arguments, &OPEN[..]].concat())
}

fn offers(description: &str) -> Server {
    let mut tools = common::tools();
    tools[0]["description"] = json!(description);
    Server {
        tools,
        instructions: Some("Ask first.".into()),
        ..Server::default()
    }
}

fn locked(server: &Running, more: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let lock = ["lock", &server.url, "-o", "one.mcp-lock.json"];
    let told = run(folder.path(), &[&lock[..], more, &OPEN[..]].concat());
    assert_eq!(told.code, 0, "{}", told.stderr);
    folder
}

#[test]
fn a_lockfile_and_its_server_as_the_gate_shows_them() {
    let server = start(offers("Create an issue"));
    let folder = locked(&server, &[]);
    let lockfile = "one.mcp-lock.json";
    let told = diff(folder.path(), &[lockfile, &server.url]);
    assert_eq!((told.code, told.stdout.as_str()), (0, "nothing differs\n"));
    server.with(|server| {
        server.tools[0]["description"] = json!("Create one issue");
        server.instructions = Some("Ask nobody.".into());
    });
    let told = diff(folder.path(), &[lockfile, &server.url]);
    let gate = run(folder.path(), &[&["check"], &OPEN[..]].concat());
    assert_eq!((told.code, gate.code), (1, 1));
    assert!(
        told.stdout.contains("Create [-an-]{+one+} issue"),
        "{}",
        told.stdout
    );
    assert!(
        gate.stdout.contains(&told.stdout),
        "{}\n{}",
        gate.stdout,
        told.stdout
    );
    let told = diff(folder.path(), &[lockfile, &server.url, "--format", "json"]);
    let answer: Value = serde_json::from_str(&told.stdout).unwrap();
    let gate = run(
        folder.path(),
        &[&["check", "--format", "json"], &OPEN[..]].concat(),
    );
    let report: Value = serde_json::from_str(&gate.stdout).unwrap();
    for member in [
        "verdict",
        "tools_sha256",
        "modified",
        "modified_detail",
        "instructions",
        "renamed",
        "server",
    ] {
        assert_eq!(answer[member], report["answers"][0][member], "{member}");
    }
}

#[test]
fn two_servers_and_either_way_round() {
    let (staging, live) = (
        start(offers("Create one issue")),
        start(offers("Create an issue")),
    );
    let folder = TempDir::new().unwrap();
    let told = diff(folder.path(), &[&live.url, &staging.url]);
    assert_eq!(told.code, 1, "{}", told.stderr);
    assert!(
        told.stdout.contains("Create [-an-]{+one+} issue"),
        "{}",
        told.stdout
    );
    let told = diff(folder.path(), &[&staging.url, &live.url]);
    assert!(
        told.stdout.contains("Create [-one-]{+an+} issue"),
        "{}",
        told.stdout
    );
    assert_eq!(diff(folder.path(), &[&live.url, &live.url]).code, 0);
}

#[test]
fn a_file_that_tells_no_instructions_says_nothing_of_them() {
    let server = start(offers("Create an issue"));
    let folder = locked(&server, &[]);
    let mut tools = common::tools();
    tools[0]["description"] = json!("Create an issue");
    std::fs::write(folder.path().join("tools.json"), tools.to_string()).unwrap();
    for sides in [
        ["tools.json", &server.url],
        ["tools.json", "one.mcp-lock.json"],
    ] {
        let told = diff(folder.path(), &sides);
        assert_eq!(
            (told.code, told.stdout.as_str()),
            (0, "nothing differs\n"),
            "{sides:?}"
        );
    }
    for sides in [
        [&*server.url, "tools.json"],
        ["one.mcp-lock.json", "tools.json"],
    ] {
        let told = diff(folder.path(), &sides);
        assert_eq!(
            (told.code, told.stdout.as_str()),
            (0, "nothing differs\n"),
            "{sides:?}"
        );
        assert!(
            told.stderr
                .contains("`tools.json` does not tell the server's instructions"),
            "{}",
            told.stderr
        );
    }
}

#[test]
fn a_secret_goes_to_the_origin_that_was_named_and_nowhere_else() {
    let guarded = || Server {
        wants: Some(("x-seen", "sesame")),
        ..offers("Create an issue")
    };
    let (one, other) = (start(guarded()), start(offers("Create an issue")));
    let header = format!("{} x-seen: env:LOCKGATE_TEST_TOKEN", one.origin);
    let folder = locked(&one, &["--header", "x-seen: env:LOCKGATE_TEST_TOKEN"]);
    let told = diff(folder.path(), &[&one.url, &other.url, "--header", &header]);
    assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
    assert_eq!(
        other.with(|server| server.seen.clone()),
        Vec::<String>::new()
    );
    assert!(one.with(|server| server.seen.contains(&"sesame".to_owned())));
    // A lockfile says which headers chose its list.
    let told = diff(folder.path(), &["one.mcp-lock.json", &one.url]);
    assert_eq!(told.code, 2, "{}", told.stdout);
    assert!(told.stderr.contains("auth-required"), "{}", told.stderr);
    let told = diff(
        folder.path(),
        &["one.mcp-lock.json", &one.url, "--header", &header],
    );
    assert_eq!(told.code, 0, "{}", told.stderr);
    // One that nobody asks is a mistake.
    let told = diff(
        folder.path(),
        &["one.mcp-lock.json", &other.url, "--header", &header],
    );
    assert_eq!(told.code, 2);
    assert!(
        told.stderr.contains("no server there was named"),
        "{}",
        told.stderr
    );
    let told = diff(
        folder.path(),
        &[
            "one.mcp-lock.json",
            &one.url,
            "--header",
            "x-seen: env:LOCKGATE_TEST_TOKEN",
        ],
    );
    assert_eq!(told.code, 2);
    assert!(
        told.stderr.contains("does not say where"),
        "{}",
        told.stderr
    );
}

#[test]
fn what_cannot_be_compared_is_exit_2_and_says_why() {
    let server = start(offers("Create an issue"));
    let folder = locked(&server, &[]);
    let could_not = |sides: [&str; 2], why: &str| {
        let told = diff(folder.path(), &sides);
        assert_eq!((told.code, told.stdout.as_str()), (2, ""), "{sides:?}");
        assert!(told.stderr.contains(why), "{sides:?}: {}", told.stderr);
    };
    let lockfile = "one.mcp-lock.json";
    could_not(
        [lockfile, "http://127.0.0.1:1/mcp"],
        "cannot be compared: connect",
    );
    could_not([lockfile, "http://mcp.example.com/mcp"], "it is not https");
    could_not(
        [lockfile, "https://a:b@mcp.example.com/mcp"],
        "a user name or password",
    );
    could_not(
        ["nothing.json", &server.url],
        "`nothing.json` cannot be read",
    );
    server.with(|server| server.tools = json!([{"name": "a"}, {"name": "a"}]));
    could_not([lockfile, &server.url], "malformed-listing");
    std::fs::remove_file(folder.path().join("one.mcp-listing.json")).unwrap();
    could_not([lockfile, lockfile], "holds digests only");
    let told = run(folder.path(), &["diff", lockfile, &server.url]);
    assert_eq!(told.code, 2);
    assert!(
        told.stderr.contains("--allow-private-host 127.0.0.1"),
        "{}",
        told.stderr
    );
}

#[test]
fn a_server_that_does_not_answer_in_time() {
    let server = start(offers("Create an issue"));
    let folder = locked(&server, &[]);
    server.with(|server| server.delay = std::time::Duration::from_secs(60));
    let told = diff(
        folder.path(),
        &["one.mcp-lock.json", &server.url, "--timeout", "1"],
    );
    assert_eq!(told.code, 2, "{}", told.stdout);
    assert!(told.stderr.contains("timeout"), "{}", told.stderr);
}
