//! A person at a pseudo-terminal, and a repository on which they work.
#![allow(dead_code, reason = "each test file uses its part")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "drives the binary as a person would"
)]

use std::path::Path;
use std::process::{Command, Stdio};

use rexpect::process::{Signal, WaitStatus};
use rexpect::session::{PtySession, spawn_command};
use tempfile::TempDir;

/// Longest wait for a text; machines that test are slow at times.
const PATIENCE: u64 = 30_000;

/// The binary in a folder, with nothing of this machine's own.
pub(crate) fn lockgate(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockgate"));
    command
        .current_dir(folder)
        .args(arguments)
        .env("NO_COLOR", "1")
        .env_remove("GITHUB_ACTIONS")
        .env_remove("SSH_AUTH_SOCK");
    hermetic(&mut command);
    command
}

fn hermetic(command: &mut Command) {
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
}

/// A repository without a commit.
pub(crate) fn repository() -> TempDir {
    let folder = TempDir::new().unwrap();
    git(folder.path(), &["init", "-q", "-b", "main"]);
    folder
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(folder)
        .args([
            "-c",
            "user.name=alice",
            "-c",
            "user.email=alice@example.com",
        ])
        .args(arguments)
        .stdout(Stdio::null());
    hermetic(&mut git);
    assert!(git.status().unwrap().success(), "{arguments:?}");
}

pub(crate) fn commit(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "as it is"]);
}

/// Somebody at a terminal who runs the binary.
pub(crate) struct Person(PtySession);

impl Person {
    pub(crate) fn runs(folder: &Path, arguments: &[&str]) -> Self {
        Person::starts(lockgate(folder, arguments))
    }

    pub(crate) fn starts(command: Command) -> Self {
        Person(spawn_command(command, Some(PATIENCE)).unwrap())
    }

    /// Waits for a text; gives what stood before it.
    pub(crate) fn sees(&mut self, text: &str) -> String {
        let seen = self.0.exp_string(text);
        seen.unwrap_or_else(|error| panic!("no {text:?}: {error}"))
    }

    pub(crate) fn says(&mut self, line: &str) {
        self.0.send_line(line).unwrap();
    }

    /// Answers the next question; gives what stood before it.
    pub(crate) fn answers(&mut self, line: &str) -> String {
        let seen = self.sees("[y/N] ");
        self.says(line);
        seen
    }

    /// Says yes to so many questions.
    pub(crate) fn agrees(&mut self, times: usize) -> String {
        (0..times).map(|_| self.answers("y")).collect()
    }

    pub(crate) fn presses_control(&mut self, key: char) {
        self.0.send_control(key).unwrap();
    }

    /// Kills the run; nothing of it has a last word.
    pub(crate) fn dies(mut self) {
        let status = self.0.process_mut().kill(Signal::SIGKILL).unwrap();
        assert!(matches!(status, WaitStatus::Signaled(..)), "{status:?}");
    }

    /// The exit code, and what was said last.
    pub(crate) fn leaves(mut self) -> (i32, String) {
        let rest = self.0.exp_eof().unwrap();
        let status = self.0.process().wait().unwrap();
        let WaitStatus::Exited(_, code) = status else {
            panic!("{status:?}: {rest}");
        };
        (code, rest)
    }
}
