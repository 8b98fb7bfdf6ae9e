//! `approve` and `sign` at a real pseudo-terminal: what is shown, asked, and written.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "runs the binary and reads what it wrote"
)]
#![cfg(unix)]

mod common;
mod fleet;
mod person;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use fleet::{Running, Server, start};
use lockgate::Lockfile;
use lockgate::trust::{
    KeyState, Moment, PrivateKey, PublicKey, Role, Scheme, TrustSignature, TrustStep, TrustedKey,
    approvals,
};
use person::{Person, commit, git, lockgate, repository};
use serde_json::{Value, json};
use ssh_key::private::{Ed25519Keypair, Ed25519PrivateKey};
use ssh_key::public::Ed25519PublicKey;
use tempfile::TempDir;

const LOCKFILE: &str = "one.mcp-lock.json";
const TRUST: &str = ".github/lockgate.toml";
const OPEN: [&str; 2] = ["--allow-private-host", "127.0.0.1"];
/// Three tools and the instructions: so many questions the first time.
const PARTS: usize = 4;

/// A repository with a fresh, unsigned lockfile of a server, and the keys of alice and bob.
struct Scene {
    folder: TempDir,
    keys: TempDir,
    server: Running,
}

impl Scene {
    fn new() -> Self {
        let server = start(Server {
            tools: common::tools(),
            instructions: Some("Ask first.".into()),
            ..Server::default()
        });
        let scene = Scene {
            folder: repository(),
            keys: TempDir::new().unwrap(),
            server,
        };
        for name in ["alice", "bob"] {
            let (code, told) = scene.runs(&["keygen", "--name", name, "-o", &scene.key(name)]);
            assert_eq!(code, 0, "{told}");
        }
        scene.lock(LOCKFILE);
        scene
    }

    /// With a lockfile that alice has approved and committed.
    fn approved() -> Self {
        let scene = Scene::new();
        let mut alice = scene.approves("alice", &[]);
        alice.agrees(PARTS + 1);
        let (code, told) = alice.leaves();
        assert_eq!(code, 0, "{told}");
        commit(scene.path());
        scene
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn key(&self, name: &str) -> String {
        let path = self.keys.path().join(format!("{name}.pem"));
        path.to_str().unwrap().to_owned()
    }

    fn public(&self, name: &str) -> PublicKey {
        let text = fs::read_to_string(self.key(name)).unwrap();
        PrivateKey::parse(&text).unwrap().public().unwrap()
    }

    fn lock(&self, name: &str) {
        let (code, told) = self.runs(&["lock", &self.server.url, "-o", name, OPEN[0], OPEN[1]]);
        assert_eq!(code, 0, "{told}");
        assert!(told.contains("lockgate approve"), "{told}");
    }

    /// Runs without a terminal.
    fn runs(&self, arguments: &[&str]) -> (i32, String) {
        let mut command = lockgate(self.path(), arguments);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let told = [output.stdout, output.stderr].concat();
        (
            output.status.code().unwrap(),
            String::from_utf8(told).unwrap(),
        )
    }

    fn approves(&self, name: &str, more: &[&str]) -> Person {
        let key = self.key(name);
        let typed = ["approve", LOCKFILE, "--key", &key, OPEN[0], OPEN[1]];
        Person::runs(self.path(), &[&typed, more].concat())
    }

    fn signs(&self, name: &str, file: &str, more: &[&str]) -> Person {
        let key = self.key(name);
        let typed = ["sign", file, "--key", &key, OPEN[0], OPEN[1]];
        Person::runs(self.path(), &[&typed, more].concat())
    }

    fn check(&self) -> i32 {
        self.runs(&["check", OPEN[0], OPEN[1]]).0
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }

    fn lockfile(&self, name: &str) -> Lockfile {
        Lockfile::parse(&self.bytes(name)).unwrap()
    }

    /// The names whose signatures hold now.
    fn approvers(&self, name: &str) -> Vec<String> {
        let trusted = |name: &str| TrustedKey {
            name: name.to_owned(),
            role: Role::Approver,
            key: self.public(name),
            scheme: Scheme::Dsse,
            state: KeyState::Active,
            not_after: None,
        };
        let keys = ["alice", "bob"].map(trusted);
        let counted = approvals(&self.lockfile(name), &keys, Moment::Approval);
        assert_eq!(counted.faults, []);
        counted.approvers.into_keys().collect()
    }

    /// Every file of the work tree, and what it holds.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(self.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut files: Vec<_> = names
            .filter(|name| self.path().join(name).is_file())
            .map(|name| (name.clone(), self.bytes(&name)))
            .collect();
        files.sort();
        files
    }

    /// Writes a trust file that names these approvers.
    fn trusts(&self, policy: &str, names: &[&str]) {
        let key = |name: &&str| {
            let public = self.public(name).ssh_line();
            format!("\n[[key]]\nname = \"{name}\"\nrole = \"approver\"\npublic = \"{public}\"\n")
        };
        let keys: String = names.iter().map(key).collect();
        fs::create_dir_all(self.path().join(".github")).unwrap();
        let text = format!("[policy]\n{policy}\n{keys}");
        fs::write(self.path().join(TRUST), text).unwrap();
    }

    fn pull_the_rug(&self) {
        self.server.with(|server| {
            server.tools[0]["description"] = json!("Create an issue. Labels are optional");
        });
    }
}

#[test]
fn a_new_key_is_for_its_owner_only_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new();
    let key = scene.key("bob-2");
    let (code, told) = scene.runs(&["keygen", "--output", &key, "--name", "bob-2"]);
    assert_eq!(code, 0, "{told}");
    let mode = fs::metadata(&key).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let public = scene.public("bob-2").ssh_line();
    let entry = format!("[[key]]\nname = \"bob-2\"\nrole = \"approver\"\npublic = \"{public}\"\n");
    assert!(told.contains(&entry), "{told}");
    let made = fs::read(&key).unwrap();
    let (code, told) = scene.runs(&["keygen", "--output", &key]);
    assert_eq!((code, fs::read(&key).unwrap()), (2, made), "{told}");
}

#[test]
fn two_approvers_in_turn() {
    let scene = Scene::approved();
    assert_eq!(scene.approvers(LOCKFILE), ["alice"]);
    let first = scene.lockfile(LOCKFILE);
    scene.pull_the_rug();
    assert_eq!(scene.check(), 1);

    let mut alice = scene.approves("alice", &[]);
    let seen = alice.answers("y");
    assert!(
        seen.contains("[- in the team-]{+. Labels are optional+}"),
        "{seen}"
    );
    assert!(
        seen.contains("HEAD, as there is no remote), approved"),
        "{seen}"
    );
    assert!(seen.contains("(1 of 1) approve this?"), "{seen}");
    let scan = seen.find("scan: ").expect("what the scan says is shown");
    assert!(
        scan < seen.find("Labels are optional").unwrap(),
        "first: {seen}"
    );
    alice.answers("yes");
    let (code, told) = alice.leaves();
    assert_eq!(code, 0, "{told}");
    assert!(scene.lockfile(LOCKFILE).approved_at() > first.approved_at());
    assert!(scene.lockfile(LOCKFILE).scan_at_approval().is_some());
    assert_eq!(
        (scene.check(), scene.approvers(LOCKFILE)),
        (0, vec!["alice".to_owned()])
    );

    let sealed = scene.lockfile(LOCKFILE).seal();
    let mut bob = scene.approves("bob", &[]);
    let seen = bob.answers("y");
    assert!(
        seen.contains("{+. Labels are optional+}"),
        "bob reads it too: {seen}"
    );
    let seen = bob.answers("y");
    assert!(
        seen.contains("holds this list: your signature is added"),
        "{seen}"
    );
    let (code, told) = bob.leaves();
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("2 signatures"), "{told}");
    assert_eq!(scene.lockfile(LOCKFILE).seal(), sealed);
    assert_eq!(scene.approvers(LOCKFILE), ["alice", "bob"]);
    assert_eq!(scene.check(), 0);
}

#[test]
fn the_first_time_every_tool_is_asked_for() {
    let scene = Scene::new();
    commit(scene.path());
    let mut alice = scene.approves("alice", &[]);
    let seen = alice.agrees(PARTS);
    assert!(
        seen.contains("is not signed, so nobody approved it"),
        "{seen}"
    );
    for part in ["create_issue", "get_issue", "list_issues", "Ask first."] {
        assert!(seen.contains(part), "{part}: {seen}");
    }
    assert!(alice.answers("y").contains("listing digest"));
    assert_eq!(alice.leaves().0, 0);
}

#[test]
fn one_no_changes_nothing() {
    let scene = Scene::approved();
    scene
        .server
        .with(|server| server.tools = json!([{"name": "new"}]));
    let before = scene.files();
    for answer in ["n", "", "yep", "no"] {
        let mut alice = scene.approves("alice", &[]);
        alice.answers("y");
        alice.answers(answer);
        let (code, told) = alice.leaves();
        assert_eq!(code, 1, "{told}");
        assert!(told.contains("declined: nothing was signed"), "{told}");
        assert_eq!(scene.files(), before);
    }
}

#[test]
fn the_last_question_can_be_declined_too() {
    let scene = Scene::approved();
    scene.pull_the_rug();
    let before = scene.files();
    let mut alice = scene.approves("alice", &[]);
    alice.agrees(1);
    alice.answers("n");
    assert_eq!(alice.leaves().0, 1);
    assert_eq!(scene.files(), before);
}

#[test]
fn a_list_that_moves_while_it_is_read_is_not_signed() {
    let scene = Scene::approved();
    scene.pull_the_rug();
    let before = scene.files();
    let mut alice = scene.approves("alice", &[]);
    alice.agrees(1);
    scene
        .server
        .with(|server| server.tools[1]["title"] = json!("Get"));
    alice.answers("y");
    let (code, told) = alice.leaves();
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("moved while it was read"), "{told}");
    assert_eq!(scene.files(), before);
}

#[test]
fn a_lockfile_that_changes_while_it_is_read_is_not_signed() {
    let scene = Scene::approved();
    scene.pull_the_rug();
    let mut alice = scene.approves("alice", &[]);
    alice.agrees(1);
    fs::write(scene.path().join(LOCKFILE), "{}").unwrap();
    alice.answers("y");
    let (code, told) = alice.leaves();
    assert_eq!((code, scene.bytes(LOCKFILE)), (1, b"{}".to_vec()), "{told}");
}

#[test]
fn without_a_terminal_nothing_is_signed() {
    let scene = Scene::new();
    let before = scene.files();
    let key = scene.key("alice");
    for command in ["approve", "sign"] {
        let typed = [command, LOCKFILE, "--key", &key, OPEN[0], OPEN[1]];
        let (code, told) = scene.runs(&typed);
        assert_eq!(code, 2, "{told}");
        assert!(told.contains("there is no terminal"), "{told}");
    }
    assert_eq!(scene.files(), before);
    assert_eq!(
        scene.server.asked("tools/list"),
        1,
        "`lock` asked, nobody else"
    );
}

#[test]
fn a_terminal_that_is_not_standard_input_is_not_enough() {
    let scene = Scene::new();
    let key = scene.key("alice");
    let mut command = std::process::Command::new("/bin/sh");
    let program = lockgate(scene.path(), &[]).get_program().to_owned();
    command
        .current_dir(scene.path())
        .args([
            "-c",
            "yes | \"$0\" approve \"$1\" --key \"$2\" --allow-private-host 127.0.0.1",
        ])
        .arg(program)
        .args([LOCKFILE, &key]);
    let (code, told) = Person::starts(command).leaves();
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("there is no terminal"), "{told}");
}

#[test]
fn another_list_than_expected_is_refused() {
    let scene = Scene::approved();
    scene.pull_the_rug();
    let before = scene.files();
    let other = "0".repeat(64);
    let (code, told) = scene.approves("alice", &["--expect", &other]).leaves();
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("`--expect` names 0000"), "{told}");
    assert_eq!(scene.files(), before);

    let offered = told
        .split("the list ")
        .nth(1)
        .unwrap()
        .split(',')
        .next()
        .unwrap();
    let mut alice = scene.approves("alice", &["--expect", offered]);
    let seen = alice.agrees(2);
    assert!(seen.contains(offered), "{seen}");
    assert_eq!(alice.leaves().0, 0);
}

#[test]
fn the_same_key_twice_says_so_and_changes_nothing() {
    let scene = Scene::approved();
    let before = scene.files();
    for command in ["approve", "sign"] {
        let key = scene.key("alice");
        let typed = [command, LOCKFILE, "--key", &key, OPEN[0], OPEN[1]];
        let (code, told) = Person::runs(scene.path(), &typed).leaves();
        assert_eq!(code, 0, "{told}");
        assert!(told.contains("signed already"), "{told}");
        assert_eq!(scene.files(), before);
    }
}

#[test]
fn forty_lockfiles_of_one_server_are_approved_by_one_reading() {
    let scene = Scene::new();
    fs::create_dir(scene.path().join("deep")).unwrap();
    for number in 1..40 {
        for ending in ["mcp-lock.json", "mcp-listing.json"] {
            let copy = scene.path().join(format!("deep/{number}.{ending}"));
            fs::copy(scene.path().join(format!("one.{ending}")), copy).unwrap();
        }
    }
    let mut alice = scene.approves("alice", &[]);
    alice.agrees(PARTS + 1);
    assert_eq!(alice.leaves().0, 0);
    commit(scene.path());
    scene.pull_the_rug();
    let mut alice = scene.approves("alice", &[]);
    alice.agrees(2);
    let (code, told) = alice.leaves();
    assert_eq!(code, 0, "{told}");
    for number in 1..40 {
        let name = format!("deep/{number}.mcp-lock.json");
        assert_eq!(scene.approvers(&name), ["alice"]);
    }
    assert_eq!(scene.check(), 0);
}

#[test]
fn an_answer_before_its_question_is_none() {
    let scene = Scene::new();
    scene
        .server
        .with(|server| server.delay = Duration::from_millis(700));
    let mut alice = scene.approves("alice", &[]);
    for _ in 0..9 {
        alice.says("y");
    }
    alice.answers("n");
    let (code, told) = alice.leaves();
    assert_eq!(code, 1, "{told}");
}

#[test]
fn a_signal_ends_a_question() {
    let scene = Scene::new();
    let before = scene.files();
    let mut alice = scene.approves("alice", &[]);
    alice.sees("(1 of 4) approve this? [y/N] ");
    alice.presses_control('c');
    let (code, told) = alice.leaves();
    assert_eq!(code, 130, "{told}");
    assert_eq!(scene.files(), before);
}

#[test]
fn what_the_default_branch_holds_decides_what_is_shown() {
    let scene = Scene::approved();
    // Somebody's branch changes the lockfile; what it holds counts for nothing.
    for name in ["refs/remotes/origin/main", "refs/remotes/origin/master"] {
        git(scene.path(), &["update-ref", name, "HEAD"]);
    }
    git(scene.path(), &["remote", "add", "origin", "."]);
    scene.pull_the_rug();
    scene.approves_all("alice");
    commit(scene.path());

    let mut bob = scene.approves("bob", &[]);
    let seen = bob.sees("(1 of 4)");
    assert!(seen.contains("git remote set-head origin --auto"), "{seen}");
    bob.answers("n");
    assert_eq!(bob.leaves().0, 1);

    let head = [
        "symbolic-ref",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
    ];
    git(scene.path(), &head);
    let mut bob = scene.approves("bob", &[]);
    let seen = bob.sees("(1 of 1)");
    assert!(seen.contains("(origin/main)"), "{seen}");
    assert!(seen.contains("{+. Labels are optional+}"), "{seen}");
    bob.agrees(2);
    assert_eq!(bob.leaves().0, 0);
    assert_eq!(scene.approvers(LOCKFILE), ["alice", "bob"]);
}

impl Scene {
    /// Says yes to whatever is asked, from wherever it is compared.
    fn approves_all(&self, name: &str) {
        let mut person = self.approves(name, &[]);
        person.agrees(PARTS + 1);
        let (code, told) = person.leaves();
        assert_eq!(code, 0, "{told}");
    }
}

#[test]
fn a_lockfile_with_members_that_we_do_not_know_is_not_approved_anew() {
    let scene = Scene::approved();
    let text = String::from_utf8(scene.bytes(LOCKFILE)).unwrap();
    let text = common::resealed(&text, |document| document["policy"] = json!("later"));
    fs::write(scene.path().join(LOCKFILE), text).unwrap();
    scene.pull_the_rug();
    let before = scene.files();
    let (code, told) = scene.approves("alice", &[]).leaves();
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("does not know its `/policy`"), "{told}");
    assert_eq!(scene.files(), before);
}

/// A lockfile that was changed and sealed again by somebody, and is signed as it stands.
fn forged(change: impl FnOnce(&mut Value)) -> Scene {
    let scene = Scene::new();
    let text = String::from_utf8(scene.bytes(LOCKFILE)).unwrap();
    let text = common::resealed(&text, change);
    fs::write(scene.path().join(LOCKFILE), text).unwrap();
    scene
}

#[test]
fn a_lockfile_that_pins_the_list_and_says_otherwise_is_not_signed() {
    let later = |document: &mut Value| document["approved_at"] = json!("2999-01-01T00:00:00.000Z");
    let lies = |document: &mut Value| document["descriptions"]["create_issue"] = json!("Harmless");
    for (scene, cause) in [
        (forged(later), "which is yet to come"),
        (forged(lies), "is not the one that the lockfile holds"),
    ] {
        let before = scene.files();
        for runs in [
            scene.approves("bob", &[]),
            scene.signs("bob", LOCKFILE, &[]),
        ] {
            let (code, told) = runs.leaves();
            assert_eq!(code, 2, "{told}");
            assert!(told.contains(cause), "{told}");
        }
        assert_eq!(scene.files(), before);
    }
}

#[test]
fn all_that_is_sealed_is_shown() {
    let scene = forged(|document| {
        document["scan_at_approval"] = json!("none");
        document["policy"] = json!({"exempt": true});
        document["extended"]["audience"] = json!("production");
    });
    let mut bob = scene.approves("bob", &[]);
    bob.agrees(PARTS);
    let by_approve = bob.answers("n");
    assert_eq!(bob.leaves().0, 1);
    let mut bob = scene.signs("bob", LOCKFILE, &["--offline"]);
    let by_sign = bob.answers("y");
    assert_eq!(bob.leaves().0, 0);
    for seen in [by_approve, by_sign] {
        assert!(
            seen.contains("also signed: `/scan_at_approval`: \"none\""),
            "{seen}"
        );
        assert!(
            seen.contains("`/policy`, which this version does not know: {\"exempt\":true}"),
            "{seen}"
        );
        assert!(seen.contains("for the audience `production`"), "{seen}");
    }
    assert_eq!(scene.approvers(LOCKFILE), ["bob"]);
}

#[test]
fn only_an_approver_of_base_has_approved() {
    let scene = Scene::new();
    scene.trusts("", &["alice"]);
    commit(scene.path());
    let mut bob = scene.approves("bob", &[]);
    let seen = bob.agrees(PARTS + 1);
    assert!(
        seen.contains("no approver's key in `.github/lockgate.toml`"),
        "{seen}"
    );
    assert_eq!(bob.leaves().0, 0);
    commit(scene.path());
    let mut alice = scene.approves("alice", &[]);
    let seen = alice.agrees(PARTS + 1);
    assert!(
        seen.contains("nobody whom `.github/lockgate.toml` names"),
        "{seen}"
    );
    assert!(seen.contains(", as alice"), "{seen}");
    assert_eq!(alice.leaves().0, 0);
    commit(scene.path());
    scene.pull_the_rug();
    let mut bob = scene.approves("bob", &[]);
    let seen = bob.sees("(1 of 1)");
    assert!(seen.contains("by alice"), "{seen}");
    bob.answers("n");
    assert_eq!(bob.leaves().0, 1);
}

#[test]
fn sign_shows_base_to_file_and_what_the_server_says() {
    let scene = Scene::approved();
    scene.pull_the_rug();
    let mut alice = scene.approves("alice", &[]);
    alice.agrees(2);
    assert_eq!(alice.leaves().0, 0);

    let mut bob = scene.signs("bob", LOCKFILE, &[]);
    let seen = bob.answers("n");
    assert!(seen.contains("{+. Labels are optional+}"), "{seen}");
    assert!(
        seen.contains("the server offers exactly this list now"),
        "{seen}"
    );
    assert_eq!(bob.leaves().0, 1);
    assert_eq!(scene.approvers(LOCKFILE), ["alice"]);

    scene.server.with(|server| server.tools = json!([]));
    let mut bob = scene.signs("bob", LOCKFILE, &[]);
    let seen = bob.answers("n");
    assert!(
        seen.contains("the server offers ANOTHER list now"),
        "{seen}"
    );
    assert_eq!(bob.leaves().0, 1);

    let mut bob = scene.signs("bob", LOCKFILE, &["--offline"]);
    let seen = bob.answers("y");
    assert!(seen.contains("offline: the server was not asked"), "{seen}");
    assert!(seen.contains("1 signature so far"), "{seen}");
    assert_eq!(bob.leaves().0, 0);
    assert_eq!(scene.approvers(LOCKFILE), ["alice", "bob"]);
}

#[test]
fn sign_signs_nothing_that_it_cannot_show() {
    let scene = Scene::new();
    fs::remove_file(scene.path().join("one.mcp-listing.json")).unwrap();
    let before = scene.files();
    let (code, told) = scene.signs("bob", LOCKFILE, &["--offline"]).leaves();
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("there is nothing to show"), "{told}");
    assert_eq!(scene.files(), before);
}

#[test]
fn a_change_of_trust_is_signed_by_two() {
    let scene = Scene::new();
    let (path, beside) = (".github/lockgate.toml", ".github/lockgate.toml.sig");
    fs::create_dir(scene.path().join(".github")).unwrap();
    let key = |name| {
        format!(
            "[[key]]\nname = \"{name}\"\nrole = \"approver\"\npublic = \"{}\"\n",
            scene.public(name).ssh_line()
        )
    };
    let first = key("alice");
    fs::write(scene.path().join(path), &first).unwrap();
    let (code, told) = scene.signs("alice", path, &[]).leaves();
    assert!(
        code == 2 && told.contains("nothing is committed yet"),
        "{told}"
    );
    commit(scene.path());
    let (code, told) = scene.signs("alice", path, &[]).leaves();
    assert!(code == 0 && told.contains("nothing to sign"), "{told}");

    let second = first.clone() + &key("bob");
    fs::write(scene.path().join(path), &second).unwrap();
    for name in ["alice", "bob"] {
        let mut person = scene.signs(name, path, &[]);
        let seen = person.answers("y");
        assert!(seen.contains("+ name = \"bob\""), "{seen}");
        let counts = match name {
            "alice" => "with this signature: 1 of 1: enough (alice)",
            _ => "is no approver's key in `.github/lockgate.toml` at",
        };
        assert!(seen.contains(counts), "{seen}");
        let (code, told) = person.leaves();
        assert!(
            code == 0 && told.contains("1 of 1: enough (alice)"),
            "{told}"
        );
    }
    let (code, told) = scene.signs("bob", path, &[]).leaves();
    assert!(code == 0 && told.contains("signed already"), "{told}");
    let step = TrustStep::between(first.as_bytes(), second.as_bytes());
    let read = TrustSignature::parse(&scene.bytes(beside)).unwrap();
    assert_eq!((read.previous, read.signatures.len()), (step.previous, 2));
    for (name, signature) in ["alice", "bob"].iter().zip(&read.signatures) {
        assert!(step.is_signed(&scene.public(name), signature));
    }

    // Another text: the signatures of the earlier one are left out.
    fs::write(scene.path().join(path), second + "# more\n").unwrap();
    let mut alice = scene.signs("alice", path, &[]);
    alice.agrees(1);
    assert_eq!(alice.leaves().0, 0);
    let read = TrustSignature::parse(&scene.bytes(beside)).unwrap();
    assert_eq!(read.signatures.len(), 1);
}

#[test]
fn secret_headers_are_named_and_never_told() {
    let scene = Scene::new();
    scene
        .server
        .with(|server| server.wants = Some(("authorization", "Bearer canary")));
    let file = "secret.mcp-lock.json";
    let header = "Authorization: env:LOCKGATE_TEST_TOKEN";
    let mut lock = lockgate(
        scene.path(),
        &[
            "lock",
            &scene.server.url,
            "-o",
            file,
            "--header",
            header,
            OPEN[0],
            OPEN[1],
        ],
    );
    lock.env("LOCKGATE_TEST_TOKEN", "Bearer canary");
    assert!(lock.output().unwrap().status.success());
    let key = scene.key("alice");
    let header = format!("{} {header}", scene.server.origin);
    let mut approve = lockgate(
        scene.path(),
        &[
            "approve", file, "--key", &key, "--header", &header, OPEN[0], OPEN[1],
        ],
    );
    approve.env("LOCKGATE_TEST_TOKEN", "Bearer canary");
    let mut alice = Person::starts(approve);
    let seen = alice.agrees(PARTS + 1);
    assert!(seen.contains("make sure it has the same scopes"), "{seen}");
    assert!(!seen.contains("canary"), "{seen}");
    assert_eq!(alice.leaves().0, 0);
    commit(scene.path());
    scene
        .server
        .with(|server| server.tools = json!([server.tools[0]]));
    let mut approve = lockgate(
        scene.path(),
        &[
            "approve", file, "--key", &key, "--header", &header, OPEN[0], OPEN[1],
        ],
    );
    approve.env("LOCKGATE_TEST_TOKEN", "Bearer canary");
    let mut alice = Person::starts(approve);
    let seen = alice.answers("n");
    assert!(
        seen.contains("a token with other scopes is a likely cause"),
        "{seen}"
    );
    assert_eq!(alice.leaves().0, 1);
    let written: Value = serde_json::from_slice(&scene.bytes(file)).unwrap();
    assert_eq!(
        written["extended"]["secret_headers"],
        json!(["authorization"])
    );
}

#[test]
fn two_of_two_are_counted_before_and_after() {
    let scene = Scene::new();
    scene.trusts("approvals = 2", &["alice", "bob"]);
    commit(scene.path());
    let one = "1 of 2 approvals: alice; one more approver must run `lockgate approve one.mcp-lock.json --key agent` (who may: bob)";
    let mut alice = scene.approves("alice", &[]);
    let seen = alice.sees("(1 of 4)");
    assert!(
        seen.contains(&format!("with this signature: {one}")),
        "{seen}"
    );
    alice.agrees(PARTS + 1);
    let (code, told) = alice.leaves();
    assert!(code == 0 && told.contains(one), "{told}");
    // The same key again is still one approval.
    let (code, told) = scene.approves("alice", &[]).leaves();
    assert!(code == 0 && told.contains(one), "{told}");

    let mut bob = scene.approves("bob", &[]);
    let seen = bob.sees("(1 of 4)");
    assert!(
        seen.contains("with this signature: 2 of 2: enough (alice, bob)"),
        "{seen}"
    );
    bob.agrees(PARTS + 1);
    let (code, told) = bob.leaves();
    assert!(
        code == 0 && told.contains("2 of 2: enough (alice, bob)"),
        "{told}"
    );
    commit(scene.path());
    assert_eq!(scene.check(), 0);
}

#[test]
fn sign_counts_as_approve_does() {
    let scene = Scene::new();
    scene.trusts("approvals = 3", &["alice", "bob"]);
    commit(scene.path());
    let only = "1 of 3 approvals: alice; 2 more approvers must run `lockgate approve one.mcp-lock.json --key agent`; `.github/lockgate.toml` names only bob: add somebody";
    let nobody = "2 of 3 approvals: alice, bob; one more approver must run `lockgate approve one.mcp-lock.json --key agent`; `.github/lockgate.toml` names nobody else who may: add somebody";
    for (name, expect) in [("alice", only), ("bob", nobody)] {
        let mut person = scene.signs(name, LOCKFILE, &["--offline"]);
        let seen = person.answers("y");
        assert!(seen.contains(expect), "{seen}");
        let (code, told) = person.leaves();
        assert!(code == 0 && told.contains(expect), "{told}");
    }
}

#[test]
fn one_of_one_is_enough_and_no_trust_file_counts_none() {
    let scene = Scene::new();
    commit(scene.path());
    let mut alice = scene.approves("alice", &[]);
    let seen = alice.sees("(1 of 4)");
    let none = "approvals are not counted: there is no `.github/lockgate.toml` at ";
    assert_eq!(seen.matches(none).count(), 1, "{seen}");
    alice.answers("n");
    assert_eq!(alice.leaves().0, 1);

    // Adopted in one change: the work tree's file is not base's, and that is said.
    scene.trusts("", &["alice"]);
    let mut alice = scene.approves("alice", &[]);
    let seen = alice.agrees(PARTS + 1);
    assert!(
        seen.contains("the one of the work tree counts once it is merged"),
        "{seen}"
    );
    let (code, told) = alice.leaves();
    let enough = "by the work tree's `.github/lockgate.toml`: 1 of 1: enough (alice)";
    assert!(code == 0 && told.contains(enough), "{told}");

    scene.trusts("signatures = \"off\"", &["alice"]);
    commit(scene.path());
    scene.pull_the_rug();
    let mut alice = scene.approves("alice", &[]);
    let seen = alice.agrees(2);
    assert!(seen.contains("`policy.signatures` is off"), "{seen}");
    assert_eq!(alice.leaves().0, 0);

    // Outside of a repository.
    fs::remove_dir_all(scene.path().join(".git")).unwrap();
    let mut bob = scene.signs("bob", LOCKFILE, &["--offline"]);
    let seen = bob.answers("y");
    let none = "approvals are not counted: outside of a git repository";
    assert!(seen.contains(none), "{seen}");
    let (code, told) = bob.leaves();
    assert!(code == 0 && told.contains(none), "{told}");
}

#[test]
fn whose_signature_will_not_count_reads_it_before_anything_is_asked() {
    let scene = Scene::new();
    let entry = |more: &str| {
        scene.trusts("", &["alice", "bob"]);
        let file = scene.path().join(TRUST);
        let text = fs::read_to_string(&file).unwrap() + more;
        fs::write(&file, text).unwrap();
        commit(scene.path());
    };
    for (more, why) in [
        ("state = \"retired\"\n", "is a retired key of bob in"),
        (
            "state = \"compromised\"\n",
            "is a compromised key of bob in",
        ),
        (
            "not_after = 2020-01-01\n",
            "is a key of bob that ended at 2020-01-01T23:59:59",
        ),
    ] {
        entry(more);
        for mut bob in [
            scene.approves("bob", &[]),
            scene.signs("bob", LOCKFILE, &[]),
        ] {
            let seen = bob.answers("n");
            assert!(
                seen.contains("warning: this signature will not count"),
                "{seen}"
            );
            assert!(seen.contains(why), "{seen}");
            assert!(seen.contains("ask somebody whose does: alice"), "{seen}");
            assert!(
                seen.contains("with this signature: 0 of 1 approvals; one more approver"),
                "{seen}"
            );
            assert_eq!(bob.leaves().0, 1);
        }
    }
    // Whom base does not name at all reads how to be added, also where their own branch
    // names them already.
    scene.trusts("", &["alice"]);
    commit(scene.path());
    let mut bob = scene.approves("bob", &[]);
    let seen = bob.answers("n");
    assert!(seen.contains("is no approver's key in"), "{seen}");
    assert!(seen.contains(&scene.public("bob").ssh_line()), "{seen}");
    assert!(
        seen.contains("`lockgate sign .github/lockgate.toml`"),
        "{seen}"
    );
    assert_eq!(bob.leaves().0, 1);
    scene.trusts("", &["alice", "bob"]);
    let mut bob = scene.approves("bob", &[]);
    let seen = bob.answers("n");
    assert!(
        seen.contains("names it, as bob: it counts once base's approvers have signed"),
        "{seen}"
    );
    assert!(seen.contains("0 of 1 approvals"), "{seen}");
    assert_eq!(bob.leaves().0, 1);
    // A file that the gate would refuse counts nobody.
    fs::write(scene.path().join(TRUST), "[policy]\napprovals = 0\n").unwrap();
    commit(scene.path());
    let mut alice = scene.approves("alice", &[]);
    let seen = alice.answers("n");
    assert!(
        seen.contains("cannot be used, so nobody's approval counts"),
        "{seen}"
    );
    assert_eq!(alice.leaves().0, 1);
}

#[test]
fn a_key_file_that_others_can_read_is_told_with_its_cure() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new();
    let openssh = |name: &str, key: &ssh_key::PrivateKey| {
        let path = scene.keys.path().join(name);
        let text = key.to_openssh(ssh_key::LineEnding::LF).unwrap();
        fs::write(&path, text.as_bytes()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let open = ssh_key::PrivateKey::from(Ed25519Keypair {
        public: Ed25519PublicKey(*common::public(5).as_bytes()),
        private: Ed25519PrivateKey::from_bytes(&[5; 32]),
    });
    let kdf = ssh_key::Kdf::Bcrypt {
        salt: vec![7; 16],
        rounds: 1,
    };
    let locked = open.encrypt_with(ssh_key::Cipher::Aes256Ctr, kdf, 9, "a passphrase");
    let keys = [
        scene.key("alice"),
        openssh("open", &open),
        openssh("locked", &locked.unwrap()),
    ];
    for key in &keys {
        for (mode, is_told) in [(0o600, false), (0o400, false), (0o644, true), (0o620, true)] {
            fs::set_permissions(key, fs::Permissions::from_mode(mode)).unwrap();
            for command in ["approve", "sign"] {
                let typed = [command, LOCKFILE, "--key", key, OPEN[0], OPEN[1]];
                let (code, told) = scene.runs(&typed);
                assert_eq!(code, 2, "there is no terminal: {told}");
                let warning = format!("warning: `{key}` is open to others (mode 0{mode:o})");
                assert_eq!(told.contains(&warning), is_told, "{mode:o}: {told}");
                let cure = format!("hint: `chmod 600 {key}`");
                assert_eq!(told.contains(&cure), is_told, "{mode:o}: {told}");
            }
        }
    }
    // It is a warning: the key signs. A public key file is for everybody.
    fs::set_permissions(&keys[0], fs::Permissions::from_mode(0o644)).unwrap();
    let mut alice = scene.approves("alice", &[]);
    let seen = alice.agrees(PARTS + 1);
    assert!(seen.contains("is open to others (mode 0644)"), "{seen}");
    assert_eq!(alice.leaves().0, 0);
    let public = format!("{}.pub", keys[1]);
    fs::write(&public, common::public(5).ssh_line()).unwrap();
    fs::set_permissions(&public, fs::Permissions::from_mode(0o644)).unwrap();
    let (_, told) = scene.runs(&["approve", LOCKFILE, "--key", &public]);
    assert!(!told.contains("warning"), "{told}");
}
