//! Keys and signatures against other programs: `tests/programs/run` runs these.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "runs other programs and reads what they wrote"
)]
#![cfg(unix)]

mod common;
mod person;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lockgate::Lockfile;
use lockgate::trust::{PrivateKey, PublicKey, Scheme, SigningKey};
use person::{Person, lockgate};
use tempfile::TempDir;

const LOCKFILE: &str = "one.mcp-lock.json";

/// A folder with a lockfile and its companion.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let (lockfile, companion) = common::approve(&common::listing(&common::tools()));
    fs::write(folder.path().join(LOCKFILE), lockfile).unwrap();
    fs::write(folder.path().join("one.mcp-listing.json"), companion).unwrap();
    folder
}

fn message(folder: &Path) -> Vec<u8> {
    let lockfile = Lockfile::parse(&fs::read(folder.join(LOCKFILE)).unwrap()).unwrap();
    Scheme::Dsse.message(lockfile.sealed())
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    let output = command
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {told}");
    told
}

fn read(folder: &Path, name: &str) -> PrivateKey {
    PrivateKey::parse(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

fn open(key: PrivateKey) -> SigningKey {
    let PrivateKey::Open(key) = key else {
        panic!("{key:?}");
    };
    key
}

fn keygen(folder: &Path) {
    let mut command = lockgate(folder, &["keygen", "-o", "ours.pem", "--name", "alice"]);
    assert!(command.output().unwrap().status.success());
}

#[test]
#[ignore = "needs openssl: tests/programs/run"]
fn openssl_reads_our_key_and_verifies_what_it_signs() {
    let folder = folder();
    let folder = folder.path();
    keygen(folder);
    let told = run(
        folder,
        "openssl",
        &["pkey", "-in", "ours.pem", "-noout", "-text"],
    );
    assert!(told.contains("ED25519 Private-Key"), "{told}");
    run(
        folder,
        "openssl",
        &["pkey", "-in", "ours.pem", "-pubout", "-out", "ours.pub"],
    );
    let key = open(read(folder, "ours.pem"));
    let public = PublicKey::parse(&fs::read_to_string(folder.join("ours.pub")).unwrap());
    assert_eq!(public.ok(), key.public());
    let message = message(folder);
    fs::write(folder.join("message"), &message).unwrap();
    fs::write(folder.join("signature"), key.sign(&message)).unwrap();
    run(
        folder,
        "openssl",
        &[
            "pkeyutl",
            "-verify",
            "-rawin",
            "-pubin",
            "-inkey",
            "ours.pub",
            "-in",
            "message",
            "-sigfile",
            "signature",
        ],
    );
}

#[test]
#[ignore = "needs openssl: tests/programs/run"]
fn openssl_signs_and_we_verify() {
    let folder = folder();
    let folder = folder.path();
    run(
        folder,
        "openssl",
        &["genpkey", "-algorithm", "ed25519", "-out", "theirs.pem"],
    );
    let message = message(folder);
    fs::write(folder.join("message"), &message).unwrap();
    run(
        folder,
        "openssl",
        &[
            "pkeyutl",
            "-sign",
            "-rawin",
            "-inkey",
            "theirs.pem",
            "-in",
            "message",
            "-out",
            "signature",
        ],
    );
    let signature: [u8; 64] = fs::read(folder.join("signature"))
        .unwrap()
        .try_into()
        .unwrap();
    let key = open(read(folder, "theirs.pem"));
    assert!(key.public().unwrap().verifies(&message, &signature));
    assert_eq!(
        key.sign(&message),
        signature,
        "the same bytes on both sides"
    );
}

#[test]
#[ignore = "needs openssl: tests/programs/run"]
fn openssl_keys_of_other_kinds_are_named() {
    let folder = folder();
    let folder = folder.path();
    let kinds: [(&str, &[&str]); 3] = [
        ("RSA", &["-algorithm", "RSA"]),
        (
            "EC",
            &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ),
        ("X25519", &["-algorithm", "X25519"]),
    ];
    for (kind, arguments) in kinds {
        run(
            folder,
            "openssl",
            &[&["genpkey", "-out", "k.pem"], arguments].concat(),
        );
        let bad = PrivateKey::parse(&fs::read_to_string(folder.join("k.pem")).unwrap());
        let told = bad.unwrap_err().to_string();
        assert!(told.contains(&format!("`{kind}`")), "{told}");
    }
}

fn ssh_keygen(folder: &Path, kind: &str, name: &str, passphrase: &str) {
    let arguments = ["-q", "-t", kind, "-N", passphrase, "-C", name, "-f", name];
    run(folder, "ssh-keygen", &arguments);
}

fn signs(folder: &Path, key: &str, socket: Option<&Path>) -> Person {
    let mut command = lockgate(folder, &["sign", LOCKFILE, "--offline", "--key", key]);
    command.envs(socket.map(|socket| ("SSH_AUTH_SOCK", socket)));
    Person::starts(command)
}

fn is_signed_by(folder: &Path, public: &str) -> bool {
    let key = PublicKey::parse(&fs::read_to_string(folder.join(public)).unwrap()).unwrap();
    let lockfile = Lockfile::parse(&fs::read(folder.join(LOCKFILE)).unwrap()).unwrap();
    let message = Scheme::Dsse.message(lockfile.sealed());
    let mut signatures = lockfile.signatures().iter();
    signatures.any(|signature| key.verifies(&message, &signature.bytes))
}

#[test]
#[ignore = "needs ssh-keygen: tests/programs/run"]
fn ssh_key_without_a_passphrase() {
    let folder = folder();
    let folder = folder.path();
    ssh_keygen(folder, "ed25519", "alice", "");
    let mut alice = signs(folder, "alice", None);
    alice.agrees(1);
    let (code, told) = alice.leaves();
    assert_eq!(code, 0, "{told}");
    assert!(is_signed_by(folder, "alice.pub"));
}

#[test]
#[ignore = "needs ssh-keygen: tests/programs/run"]
fn ssh_key_under_a_passphrase() {
    let folder = folder();
    let folder = folder.path();
    ssh_keygen(folder, "ed25519", "alice", "open sesame");
    let before = fs::read(folder.join(LOCKFILE)).unwrap();
    let mut alice = signs(folder, "alice", None);
    alice.agrees(1);
    for _ in 0..3 {
        alice.sees("passphrase of `alice`: ");
        alice.says("open barley");
    }
    let (code, told) = alice.leaves();
    assert_eq!(
        (code, fs::read(folder.join(LOCKFILE)).unwrap()),
        (1, before),
        "{told}"
    );

    let mut alice = signs(folder, "alice", None);
    alice.agrees(1);
    alice.sees("passphrase of `alice`: ");
    alice.says("open barley");
    alice.sees("that is not its passphrase");
    alice.sees("passphrase of `alice`: ");
    alice.says("open sesame");
    let (code, told) = alice.leaves();
    assert_eq!(code, 0, "{told}");
    assert!(
        !told.contains("sesame"),
        "a passphrase is not echoed: {told}"
    );
    assert!(is_signed_by(folder, "alice.pub"));
}

#[test]
#[ignore = "needs ssh-keygen: tests/programs/run"]
fn ssh_keys_of_other_kinds_are_named() {
    let folder = folder();
    let folder = folder.path();
    for (kind, spelled, passphrase) in [
        ("rsa", "ssh-rsa", ""),
        ("ecdsa", "ecdsa-sha2-nistp256", "open sesame"),
    ] {
        ssh_keygen(folder, kind, kind, passphrase);
        for name in [kind.to_owned(), format!("{kind}.pub")] {
            let (code, told) = signs(folder, &name, None).leaves();
            assert_eq!(code, 2, "{told}");
            assert!(
                told.contains(spelled) && told.contains("ssh-keygen -t ed25519"),
                "{told}"
            );
        }
    }
}

/// A running ssh-agent, ended when it is dropped.
struct Agent(Child);

impl Drop for Agent {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _code = self.0.wait();
    }
}

fn ssh_agent(folder: &Path) -> (Agent, std::path::PathBuf) {
    let socket = folder.join("agent");
    let mut command = Command::new("ssh-agent");
    command
        .arg("-D")
        .arg("-a")
        .arg(&socket)
        .stdout(Stdio::null());
    let agent = Agent(command.spawn().unwrap());
    let begun = Instant::now();
    while !socket.exists() {
        assert!(begun.elapsed() < Duration::from_secs(10), "no ssh-agent");
        std::thread::yield_now();
    }
    (agent, socket)
}

fn ssh_add(folder: &Path, socket: &Path, key: &str) {
    let mut command = Command::new("ssh-add");
    let command = command.current_dir(folder).env("SSH_AUTH_SOCK", socket);
    assert!(command.args(["-q", key]).status().unwrap().success());
}

#[test]
#[ignore = "needs ssh-agent: tests/programs/run"]
fn ssh_agent_signs_with_the_key_that_will_do() {
    let folder = folder();
    let folder = folder.path();
    let (_agent, socket) = ssh_agent(folder);
    let (code, told) = signs(folder, "agent", Some(&socket)).leaves();
    assert!(
        code == 2 && told.contains("the ssh-agent holds no key"),
        "{told}"
    );

    ssh_keygen(folder, "ecdsa", "other", "");
    ssh_add(folder, &socket, "other");
    let (code, told) = signs(folder, "agent", Some(&socket)).leaves();
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("`other` (ecdsa-sha2-nistp256): only `ssh-ed25519`"),
        "{told}"
    );

    ssh_keygen(folder, "ed25519", "alice", "");
    ssh_add(folder, &socket, "alice");
    let mut alice = signs(folder, "agent", Some(&socket));
    let seen = alice.agrees(1);
    assert!(seen.contains("with `alice` of the ssh-agent"), "{seen}");
    let (code, told) = alice.leaves();
    assert_eq!(code, 0, "{told}");
    assert!(is_signed_by(folder, "alice.pub"));

    ssh_keygen(folder, "ed25519", "bob", "");
    ssh_add(folder, &socket, "bob");
    let (code, told) = signs(folder, "agent", Some(&socket)).leaves();
    assert!(
        code == 2 && told.contains("2 keys that would do: `alice`, `bob`"),
        "{told}"
    );
    fs::rename(folder.join("bob"), folder.join("away")).unwrap();
    let mut bob = signs(folder, "bob.pub", Some(&socket));
    bob.agrees(1);
    assert_eq!(bob.leaves().0, 0);
    assert!(is_signed_by(folder, "bob.pub"));
}

#[test]
#[ignore = "needs ssh-agent: tests/programs/run"]
fn ssh_agent_that_is_gone_is_told() {
    let folder = folder();
    let folder = folder.path();
    let (code, told) = signs(folder, "agent", None).leaves();
    assert!(
        code == 2 && told.contains("`SSH_AUTH_SOCK` is not set"),
        "{told}"
    );
    let (code, told) = signs(folder, "agent", Some(&folder.join("nowhere"))).leaves();
    assert!(
        code == 2 && told.contains("the ssh-agent gives no keys"),
        "{told}"
    );
}
