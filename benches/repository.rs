//! How fast the whole program verifies a repository of signed lockfiles offline; `cargo bench`.
//!
//! Commits 2,000 lockfiles of 100 tools, each with its companion listing and signed by the
//! last of ten trusted keys, and runs the binary on them as a nightly run does, and as a
//! run on a change does that adds them all. At most 2 s on two cores (design §10).
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a benchmark builds a repository, runs the binary, and prints"
)]

#[path = "../tests/common/mod.rs"]
mod common;
mod made;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{public, signed};
use made::TOOLS;
use tempfile::TempDir;

const LOCKFILES: usize = 2_000;
const KEYS: u8 = 10;
const RUNS: usize = 5;
const BAR: Duration = Duration::from_secs(2);

fn main() {
    // `cargo test --all-targets` runs benches too, without this argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let bytes = commit(folder);
    println!(
        "{LOCKFILES} signed lockfiles × {TOOLS} tools with companions, {KEYS} trusted keys, {bytes} bytes, best of {RUNS} runs"
    );
    measure(folder, &["check", "--offline"]);
    measure(
        folder,
        &["check", "--offline", "--base", "HEAD^", "--head", "HEAD"],
    );
}

/// The trust file in one commit, the lockfiles in the next.
fn commit(folder: &Path) -> usize {
    git(folder, &["init", "-q", "-b", "main"]);
    fs::create_dir(folder.join(".github")).unwrap();
    let key = |seed| {
        let public = public(seed).ssh_line();
        format!("[[key]]\nname = \"approver {seed}\"\nrole = \"approver\"\npublic = \"{public}\"\n")
    };
    let trust: String = (0..KEYS).map(key).collect();
    fs::write(folder.join(".github/lockgate.toml"), trust).unwrap();
    save(folder);
    fs::create_dir(folder.join("mcp")).unwrap();
    let bytes = (0..LOCKFILES).map(|number| write(folder, number)).sum();
    save(folder);
    bytes
}

fn write(folder: &Path, number: usize) -> usize {
    let (lockfile, companion) = made::lockfile(number);
    let lockfile = signed(&lockfile, &[KEYS - 1]);
    let at = |ending: &str| folder.join(format!("mcp/{number}.{ending}.json"));
    fs::write(at("mcp-lock"), &lockfile).unwrap();
    fs::write(at("mcp-listing"), &companion).unwrap();
    lockfile.len() + companion.len()
}

fn save(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "x"]);
}

fn git(folder: &Path, arguments: &[&str]) {
    let alice = [
        "-c",
        "user.name=alice",
        "-c",
        "user.email=alice@example.com",
    ];
    let status = clean(Command::new("git").args(alice).args(arguments), folder).status();
    assert!(status.unwrap().success(), "git {arguments:?}");
}

fn clean<'c>(command: &'c mut Command, folder: &Path) -> &'c mut Command {
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
}

/// Every lockfile must have been verified, and nothing found but that no config names it.
fn measure(folder: &Path, arguments: &[&str]) {
    let run = |_| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockgate"));
        let start = Instant::now();
        let output = clean(command.args(arguments), folder).output().unwrap();
        let took = start.elapsed();
        let said = String::from_utf8_lossy(&output.stdout);
        let all = format!("{LOCKFILES} lockfiles verified offline");
        assert!(output.status.success() && said.contains(&all), "{said}");
        took
    };
    let best: Duration = (0..RUNS).map(run).min().unwrap();
    let missed = if best > BAR { ": missed" } else { "" };
    println!(
        "{:>8.3} s  lockgate {} (bar {} s{missed})",
        best.as_secs_f64(),
        arguments.join(" "),
        BAR.as_secs()
    );
}
