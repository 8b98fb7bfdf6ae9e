//! A real git repository, built by script: lockfiles signed by keys of the test's own.
#![allow(dead_code, reason = "each test file uses its part")]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test's own repository"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lockgate::lock::{Approval, HeaderPins, Listing, ServerUrl};
use lockgate::trust::TrustStep;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common;

pub(crate) const TRUST: &str = ".github/lockgate.toml";
pub(crate) const SIGNATURE: &str = ".github/lockgate.toml.sig";
pub(crate) const LINEAR: &str = "mcp/linear.mcp-lock.json";
pub(crate) const GITHUB: &str = "mcp/github.mcp-lock.json";
pub(crate) const ALICE: u8 = 1;
pub(crate) const BOB: u8 = 2;
/// alice's second key.
pub(crate) const ALICE_TOO: u8 = 3;
/// A service's key.
pub(crate) const SERVICE: u8 = 4;
/// Nobody's that is trusted.
pub(crate) const MALLORY: u8 = 9;

/// A repository and the commit that stands for base.
pub(crate) struct Repo {
    folder: TempDir,
    pub(crate) base: String,
}

/// What a run said.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) code: i32,
    pub(crate) report: Value,
    pub(crate) stderr: String,
}

impl Repo {
    /// An empty repository.
    pub(crate) fn empty() -> Self {
        let repo = Repo {
            folder: TempDir::new().unwrap(),
            base: "main".to_owned(),
        };
        repo.git(&["init", "-q", "-b", "main"]);
        repo.write("README.md", "a repository\n");
        repo.commit();
        repo
    }

    /// Two servers, locked and signed by alice, named by a client config; HEAD stands on a
    /// branch of its own.
    pub(crate) fn new() -> Self {
        Repo::with_policy("")
    }

    /// As [`Repo::new`], under that `[policy]`.
    pub(crate) fn with_policy(policy: &str) -> Self {
        let repo = Repo::empty();
        repo.write(TRUST, trust(policy, &[("alice", ALICE), ("bob", BOB)]));
        repo.two_servers();
        repo.commit();
        repo.branch();
        repo
    }

    pub(crate) fn two_servers(&self) {
        self.write(LINEAR, lockfile("linear", 7, &[ALICE]));
        self.write(GITHUB, lockfile("github", 7, &[ALICE]));
        self.write(".mcp.json", clients(&["linear", "github"]));
    }

    /// main moves on: bob approves both servers again, and alice may approve no more; HEAD
    /// stands on the branch again.
    pub(crate) fn main_moves_on(&self) {
        self.git(&["switch", "-q", "main"]);
        self.write(LINEAR, lockfile("linear", 8, &[BOB]));
        self.write(GITHUB, lockfile("github", 8, &[BOB]));
        let next = trust("", &[("bob", BOB)]);
        self.sign_trust(&self.read(TRUST), &next, &[BOB]);
        self.commit();
        self.git(&["switch", "-q", "change"]);
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn branch(&self) {
        self.git(&["switch", "-q", "-c", "change"]);
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let to = self.at(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.at(path)).unwrap();
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn commit(&self) -> String {
        self.git(&["add", "-A", "-f"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
        self.git(&["rev-parse", "HEAD"])
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(self.path(), arguments)
    }

    /// Puts a blob at a path that no file system need hold.
    pub(crate) fn index(&self, mode: &str, path: &str, content: &str) {
        self.write("tmp-blob", content);
        let id = match mode {
            "160000" => self.git(&["rev-parse", "HEAD"]),
            _ => self.git(&["hash-object", "-w", "tmp-blob"]),
        };
        self.remove("tmp-blob");
        let spec = format!("{mode},{id},{path}");
        self.git(&["update-index", "--add", "--cacheinfo", &spec]);
    }

    /// Commits what the index holds.
    pub(crate) fn commit_index(&self) {
        self.git(&["commit", "-q", "-m", "x"]);
    }

    /// The trust file `next`, and the signatures of these keys over the step from `previous`.
    pub(crate) fn sign_trust(&self, previous: &str, next: &str, seeds: &[u8]) {
        self.write(TRUST, next);
        let step = TrustStep::between(previous.as_bytes(), next.as_bytes());
        let message = step.message();
        let signatures: Vec<Value> = seeds
            .iter()
            .map(|seed| common::entry(*seed, &message))
            .collect();
        let text = json!({"previous": step.previous.to_string(), "signatures": signatures});
        self.write(SIGNATURE, text.to_string());
    }

    /// Judges HEAD against base, as objects and offline.
    pub(crate) fn judge(&self) -> Told {
        self.check(&["--offline", "--base", &self.base, "--head", "HEAD"])
    }

    pub(crate) fn check(&self, arguments: &[&str]) -> Told {
        check(self.path(), arguments)
    }
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=alice",
            "-c",
            "user.email=alice@example.com",
        ])
        .args([
            "-c",
            "commit.gpgsign=false",
            "-c",
            "protocol.file.allow=always",
        ])
        .args([
            "-c",
            "core.autocrlf=false",
            "-c",
            "advice.detachedHead=false",
        ])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "git {arguments:?}: {said}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

pub(crate) fn check(folder: &Path, arguments: &[&str]) -> Told {
    let arguments = [&["check", "--format", "json"], arguments].concat();
    told(&lockgate(folder, &arguments).output().unwrap())
}

pub(crate) fn told(output: &Output) -> Told {
    Told {
        code: output.status.code().unwrap(),
        report: serde_json::from_slice(&output.stdout).unwrap_or(Value::Null),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

pub(crate) fn lockgate(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockgate"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("GITHUB_ACTIONS")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap());
    command
}

impl Told {
    fn rules(&self, level: &str) -> BTreeSet<String> {
        let findings = self.report["findings"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let of_level = findings.iter().filter(|finding| finding["level"] == level);
        of_level
            .map(|finding| finding["rule"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The run ended so, with exactly these errors.
    pub(crate) fn fails_by(&self, rules: &[&str]) {
        let rules: BTreeSet<String> = rules.iter().map(|rule| (*rule).to_owned()).collect();
        assert_eq!(self.rules("error"), rules, "{self:#?}");
        assert_eq!(self.code, i32::from(!rules.is_empty()), "{self:#?}");
    }

    pub(crate) fn passes(&self) {
        self.fails_by(&[]);
    }

    pub(crate) fn warns_of(&self, rule: &str) -> &Self {
        assert!(self.rules("warning").contains(rule), "{self:#?}");
        self
    }

    pub(crate) fn notes(&self, rule: &str) -> &Self {
        assert!(self.rules("note").contains(rule), "{self:#?}");
        self
    }

    /// The run could not work, and says so with a way out.
    pub(crate) fn could_not_work(&self, say: &str) {
        assert_eq!(self.code, 2, "{self:#?}");
        assert!(self.stderr.contains(say), "{self:#?}");
        assert!(self.stderr.contains("hint: "), "{self:#?}");
    }

    /// Some finding of that rule says so, in its message or its way out.
    pub(crate) fn says(&self, rule: &str, text: &str) -> &Self {
        let findings = self.report["findings"].as_array().unwrap();
        let mut of_rule = findings.iter().filter(|finding| finding["rule"] == rule);
        let says = |finding: &Value| {
            [&finding["message"], &finding["hint"]]
                .iter()
                .any(|part| part.as_str().is_some_and(|part| part.contains(text)))
        };
        assert!(of_rule.any(says), "no {rule} says {text:?}: {self:#?}");
        self
    }
}

pub(crate) fn url(server: &str) -> String {
    match server.contains("://") {
        true => server.to_owned(),
        false => format!("https://{server}.example.com/mcp"),
    }
}

/// A lockfile of a server as approved on that day of October 2025, signed by these keys.
pub(crate) fn lockfile(server: &str, day: u8, seeds: &[u8]) -> String {
    lockfile_of(
        server,
        &format!("2025-10-{day:02}T10:00:00Z"),
        &format!("as of {day}"),
        seeds,
    )
}

pub(crate) fn lockfile_of(server: &str, at: &str, text: &str, seeds: &[u8]) -> String {
    common::signed(&unsigned(server, at, text), seeds)
}

pub(crate) fn unsigned(server: &str, at: &str, text: &str) -> String {
    let listing = json!({"tools": offered(text)});
    let listing = Listing::parse(listing.to_string().as_bytes()).unwrap();
    let approval = Approval {
        url: &ServerUrl::parse(&url(server)).unwrap(),
        listing: &listing,
        headers: HeaderPins::default(),
        approved_at: at.parse().unwrap(),
        scan: None,
    };
    approval.lockfile().unwrap()
}

/// The tools that a lockfile of [`lockfile_of`] pins.
pub(crate) fn offered(text: &str) -> Value {
    json!([{"name": "search", "description": text, "inputSchema": {"type": "object"}}])
}

/// A client config that names these servers.
pub(crate) fn clients(servers: &[&str]) -> String {
    let entries: serde_json::Map<String, Value> = servers
        .iter()
        .map(|name| {
            (
                (*name).to_owned(),
                json!({"type": "http", "url": url(name)}),
            )
        })
        .collect();
    json!({"mcpServers": entries}).to_string()
}

/// A trust file.
pub(crate) fn trust(policy: &str, approvers: &[(&str, u8)]) -> String {
    let keys: String = approvers
        .iter()
        .map(|(name, seed)| key(name, *seed, "approver", ""))
        .collect();
    format!("[policy]\n{policy}\n{keys}")
}

pub(crate) fn key(name: &str, seed: u8, role: &str, more: &str) -> String {
    let public = common::public(seed).ssh_line();
    format!("\n[[key]]\nname = \"{name}\"\nrole = \"{role}\"\npublic = \"{public}\"\n{more}\n")
}
