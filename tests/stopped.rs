//! `approve` that is killed, or cannot write: what it leaves, what `check` says of that, and
//! how the next `approve` mends it.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "runs the binary and reads what it wrote"
)]
#![cfg(unix)]

mod common;
mod fleet;
mod person;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use fleet::{Running, Server, start};
use lockgate::{Listing, Lockfile, Verdict, compare};
use person::{Person, commit, lockgate, repository};
use serde_json::{Value, json};
use tempfile::TempDir;

const OPEN: [&str; 2] = ["--allow-private-host", "127.0.0.1"];
const FIRST: &str = "00.mcp-lock.json";

/// The files of a repository, by name.
type Files = BTreeMap<String, Vec<u8>>;

/// A repository with lockfiles of one server that alice approved, and a key of hers.
struct Scene {
    folder: TempDir,
    keys: TempDir,
    server: Running,
}

impl Scene {
    /// With so many lockfiles.
    fn new(count: usize) -> Self {
        let server = start(Server {
            tools: common::tools(),
            ..Server::default()
        });
        let scene = Scene {
            folder: repository(),
            keys: TempDir::new().unwrap(),
            server,
        };
        let key = scene.key();
        assert_eq!(scene.runs(&["keygen", "--name", "alice", "-o", &key]).0, 0);
        let lock = ["lock", &scene.server.url, "-o", FIRST, OPEN[0], OPEN[1]];
        assert_eq!(scene.runs(&lock).0, 0);
        for number in 1..count {
            for ending in ["mcp-lock.json", "mcp-listing.json"] {
                let copy = scene.path().join(format!("{number:02}.{ending}"));
                fs::copy(scene.path().join(format!("00.{ending}")), copy).unwrap();
            }
        }
        scene.approves_all(4);
        commit(scene.path());
        scene
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn key(&self) -> String {
        let path = self.keys.path().join("alice.pem");
        path.to_str().unwrap().to_owned()
    }

    fn runs(&self, arguments: &[&str]) -> (i32, String) {
        let output = lockgate(self.path(), arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let told = [output.stdout, output.stderr].concat();
        (
            output.status.code().unwrap(),
            String::from_utf8(told).unwrap(),
        )
    }

    fn approves(&self) -> Person {
        let key = self.key();
        Person::runs(
            self.path(),
            &["approve", FIRST, "--key", &key, OPEN[0], OPEN[1]],
        )
    }

    /// Says yes to so many questions.
    fn approves_all(&self, questions: usize) -> String {
        let mut alice = self.approves();
        alice.agrees(questions);
        let (code, told) = alice.leaves();
        assert_eq!(code, 0, "{told}");
        told
    }

    /// The server offers a longer text, a new tool, and one less.
    fn pull_the_rug(&self) {
        self.server.with(|server| {
            server.tools[0]["description"] = json!("Create an issue. Labels are optional");
            server.tools[1] = json!({"name": "export_all"});
        });
    }

    fn files(&self) -> Files {
        let entries = fs::read_dir(self.path()).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
        files
            .map(|entry| {
                let name = entry.file_name().into_string().unwrap();
                (name, fs::read(entry.path()).unwrap())
            })
            .collect()
    }

    fn puts(&self, files: &Files) {
        for (name, bytes) in files {
            fs::write(self.path().join(name), bytes).unwrap();
        }
    }

    fn check(&self) -> (i32, Value) {
        let output = lockgate(
            self.path(),
            &["check", "--format", "json", OPEN[0], OPEN[1]],
        )
        .output()
        .unwrap();
        let report = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code().unwrap(), report)
    }

    /// All lockfiles are signed, hold what the server offers, and so do their companions;
    /// nothing else lies about.
    fn is_well(&self, count: usize) {
        let (code, report) = self.check();
        assert_eq!((code, &report["findings"]), (0, &json!([])), "{report:#}");
        let files = self.files();
        assert_eq!(files.len(), 2 * count, "{:?}", files.keys());
        let offers = self.server.with(|server| server.tools.to_string());
        let offers = Listing::parse(offers.as_bytes()).unwrap();
        for (name, bytes) in files {
            if name.ends_with("mcp-lock.json") {
                let lockfile = Lockfile::parse(&bytes).unwrap();
                assert_eq!(compare(&lockfile, &offers).verdict(), Verdict::Unchanged);
                assert_eq!(lockfile.signatures().len(), 1, "{name}");
            } else {
                let listing = Listing::parse(&bytes).unwrap();
                assert_eq!(listing.tools_sha256(), offers.tools_sha256(), "{name}");
            }
        }
    }
}

fn is_lockfile(name: &str) -> bool {
    name.ends_with("mcp-lock.json")
}

/// The states between two approvals, in the order in which the files are moved, each with
/// what is new in it.
fn between(before: &Files, after: &Files) -> Vec<(usize, Files)> {
    let mut order: Vec<&String> = before.keys().collect();
    order.sort_by_key(|name| is_lockfile(name));
    let state = |count: usize| {
        let is_new = |name: &String| order[..count].contains(&name);
        let of = |name: &String| if is_new(name) { after } else { before };
        let files = before
            .keys()
            .map(|name| (name.clone(), of(name)[name].clone()));
        (count, files.collect())
    };
    (0..=order.len()).map(state).collect()
}

#[test]
fn wherever_it_is_stopped_check_tells_it_and_the_next_approve_mends_it() {
    let scene = Scene::new(2);
    let before = scene.files();
    scene.pull_the_rug();
    scene.approves_all(4);
    let after = scene.files();
    scene.is_well(2);
    for (count, state) in between(&before, &after) {
        scene.puts(&state);
        let (code, report) = scene.check();
        let told = report["findings"].to_string();
        let is_done = count == 4;
        assert_eq!(code, i32::from(!is_done), "{count}: {report:#}");
        if (1..=3).contains(&count) {
            assert!(told.contains("companion-refused"), "{count}: {told}");
            assert!(told.contains("`lockgate approve` writes it anew"), "{told}");
        }
        let told = scene.approves_all(if is_done { 0 } else { 4 });
        assert_eq!(told.contains("signed already with"), is_done, "{told}");
        scene.is_well(2);
    }
}

#[test]
fn a_companion_that_is_gone_or_older_than_its_lockfile_is_written_anew() {
    let scene = Scene::new(1);
    let before = scene.files();
    let listing = "00.mcp-listing.json";
    scene.server.with(|server| {
        // A longer list: what the old companion holds, the new lockfile pins as well.
        let tools = server.tools.as_array_mut().unwrap();
        tools.push(json!({"name": "export_all"}));
    });
    scene.approves_all(2);
    let lockfile = scene.files()[FIRST].clone();
    for older in [None, Some(&before[listing][..]), Some(b"{}"), Some(b"\xff")] {
        let path = scene.path().join(listing);
        match older {
            None => fs::remove_file(&path).unwrap(),
            Some(bytes) => fs::write(&path, bytes).unwrap(),
        }
        let told = scene.approves_all(0);
        assert!(told.contains("only companion listings were"), "{told}");
        assert!(
            told.contains("`00.mcp-listing.json`  written anew"),
            "{told}"
        );
        assert_eq!(scene.files()[FIRST], lockfile, "nothing is signed twice");
        scene.is_well(1);
    }
}

#[test]
fn a_run_that_is_killed_leaves_the_lockfiles_for_last() {
    const COUNT: usize = 20;
    let scene = Scene::new(COUNT);
    let before = scene.files();
    scene.pull_the_rug();
    for first in [
        "00.mcp-listing.json",
        "19.mcp-listing.json",
        FIRST,
        "10.mcp-lock.json",
    ] {
        let mut alice = scene.approves();
        alice.agrees(4);
        let is_new = |name: &String| fs::read(scene.path().join(name)).unwrap() != before[name];
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
        while !is_new(&first.to_owned()) {
            assert!(std::time::Instant::now() < deadline, "nothing was written");
        }
        alice.dies();
        let new: Vec<&String> = before.keys().filter(|name| is_new(name)).collect();
        let lockfiles = new.iter().filter(|name| is_lockfile(name)).count();
        let companions = new.len() - lockfiles;
        assert!(lockfiles == 0 || companions == COUNT, "{new:?}");
        for name in &new {
            let text = fs::read(scene.path().join(name)).unwrap();
            match is_lockfile(name) {
                true => assert_eq!(Lockfile::parse(&text).unwrap().signatures().len(), 1),
                false => assert_eq!(Listing::parse(&text).unwrap().tools().len(), 3),
            }
        }
        if lockfiles == COUNT {
            scene.puts(&before);
            continue;
        }
        scene.approves_all(4);
        scene.is_well(COUNT);
        scene.puts(&before);
    }
}

#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let scene = Scene::new(2);
    scene.pull_the_rug();
    let before = scene.files();
    // No file may grow: what a full disk does to whoever writes.
    let mut command = Command::new("/bin/sh");
    let program = lockgate(scene.path(), &[]).get_program().to_owned();
    command
        .current_dir(scene.path())
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""])
        .arg(program)
        .args(["approve", FIRST, "--key", &scene.key(), OPEN[0], OPEN[1]]);
    let mut alice = Person::starts(command);
    alice.agrees(4);
    let (code, told) = alice.leaves();
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("`00.mcp-listing.json` cannot be written: no file was changed"),
        "{told}"
    );
    assert_eq!(told.matches("error").count(), 1, "{told}");
    assert_eq!(scene.files(), before);
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_anything_is_asked() {
    let scene = Scene::new(1);
    scene.pull_the_rug();
    let listing = scene.path().join("00.mcp-listing.json");
    fs::remove_file(&listing).unwrap();
    fs::create_dir(&listing).unwrap();
    let before = scene.files();
    let (code, told) = scene.approves().leaves();
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("cannot be written: no file was changed"),
        "{told}"
    );
    assert!(!told.contains("[y/N]"), "{told}");
    assert_eq!(scene.files(), before);
}

#[test]
fn a_folder_without_write_permission_is_told_before_anything_is_asked() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let scene = Scene::new(1);
    scene.pull_the_rug();
    let before = scene.files();
    let is_root = fs::metadata(scene.path()).unwrap().uid() == 0;
    let key = scene.key();
    let typed = ["approve", FIRST, "--key", &key, OPEN[0], OPEN[1]];
    let mut command = lockgate(scene.path(), &typed);
    if is_root {
        // Root writes wherever it likes; somebody else does not, and has a program that
        // they can reach.
        const NOBODY: u32 = 65534;
        use std::os::unix::process::CommandExt;
        let program = scene.keys.path().join("lockgate");
        // Copied by a program of its own: a file that this one has open for writing, and a
        // test beside this one has inherited, cannot be run ("text file busy").
        let mut copy = Command::new("cp");
        copy.arg(command.get_program()).arg(&program);
        assert!(copy.status().unwrap().success());
        for path in [scene.path(), scene.keys.path(), Path::new(&key), &program] {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        command = Command::new(&program);
        command.current_dir(scene.path()).args(typed);
        command.env("NO_COLOR", "1").uid(NOBODY).gid(NOBODY);
        command.env("GIT_CONFIG_COUNT", "1");
        command.env("GIT_CONFIG_KEY_0", "safe.directory");
        command.env("GIT_CONFIG_VALUE_0", "*");
    }
    let allow = |mode| fs::set_permissions(scene.path(), fs::Permissions::from_mode(mode)).unwrap();
    allow(0o500);
    let (code, told) = Person::starts(command).leaves();
    allow(0o700);
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("`00.mcp-listing.json` cannot be written: no file was changed"),
        "{told}"
    );
    assert!(told.contains("permission denied"), "{told}");
    assert!(!told.contains("[y/N]"), "{told}");
    assert_eq!(scene.files(), before);
}
