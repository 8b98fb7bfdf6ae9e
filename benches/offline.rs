//! How fast signed lockfiles are verified without asking a server; `cargo bench`.
//!
//! Makes 2,000 lockfiles of 100 tools, each signed by the last of the trusted keys, so that
//! every key is asked, and prints the time for all of it (parse, seal, self-check,
//! approvals) and for its parts: on one core, and on all. At most 2 s on two cores
//! (design §10).
//!
//! Then a hostile change brings as many, each with 17 signatures by strangers, so that
//! every key is asked for every signature. The change is judged as `check --base` does, and
//! the time is told as a ratio to asking each key once for each signature, on one core.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

#[path = "../tests/common/mod.rs"]
mod common;
mod made;

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use common::{signed, trusted};
use jiff::Timestamp;
use lockgate::change::{Change, Content, Globs, History, RepoPath, Root, Side, Snapshot, judge};
use lockgate::check::Trigger;
use lockgate::trust::{Moment, TrustFile, TrustedKey, approvals};
use lockgate::{Digest, Lockfile};
use made::TOOLS;

const LOCKFILES: usize = 2_000;
const KEYS: u8 = 10;
const RUNS: usize = 5;
/// As many as a lockfile can hold.
const JUNK: [u8; 17] = [
    200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216,
];

fn main() {
    // `cargo test --all-targets` runs benches too, without this argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let lockfiles: Vec<String> = (0..LOCKFILES)
        .map(|number| lockfile(number, &[KEYS - 1]))
        .collect();
    let bytes: usize = lockfiles.iter().map(String::len).sum();
    println!("{LOCKFILES} lockfiles × {TOOLS} tools, {bytes} bytes, best of {RUNS} runs");
    let cores = thread::available_parallelism().map_or(1, usize::from);
    for keys in [1, 3, KEYS] {
        let keys: Vec<TrustedKey> = (KEYS - keys..KEYS)
            .map(|seed| trusted(&format!("approver {seed}"), seed))
            .collect();
        let trusted = keys.len();
        measure(&format!("all, {trusted} trusted keys, 1 core"), || {
            verify(&lockfiles, &keys);
        });
        measure(
            &format!("all, {trusted} trusted keys, {cores} cores"),
            || {
                let part = lockfiles.len().div_ceil(cores);
                thread::scope(|scope| {
                    lockfiles.chunks(part).for_each(|part| {
                        scope.spawn(|| verify(part, &keys));
                    });
                });
            },
        );
    }
    measure("parse, seal, self-check", || {
        for text in &lockfiles {
            black_box(parse(text));
        }
    });
    measure("of that, about: sha256 once over the texts", || {
        for text in &lockfiles {
            black_box(Digest::of(text));
        }
    });
    junk();
}

/// A hostile change: every key is asked for every signature, and none knows it.
fn junk() {
    let keys: Vec<TrustedKey> = (0..KEYS)
        .map(|seed| trusted(&format!("approver {seed}"), seed))
        .collect();
    let file = |number| {
        let text = lockfile(number, &JUNK);
        let path = RepoPath::new(format!("{number}.mcp-lock.json"));
        (path, Content::File(text.into_bytes().into()))
    };
    let mut snapshot = Snapshot::default();
    snapshot.files.extend((0..LOCKFILES).map(file));
    let head = Side::read(snapshot, &Globs::default(), &[]);
    let once = timed(|| {
        for (_, lockfile) in head.usable() {
            assert!(!approvals(lockfile, &keys, Moment::Approval).suffice(1));
        }
    });
    let whole = timed(|| judged(&head, &keys));
    println!(
        "{:>8.3} s  a change of {LOCKFILES} lockfiles with {} signatures by strangers, {KEYS} trusted keys: {:.2} × asking each key once on 1 core",
        whole.as_secs_f64(),
        JUNK.len(),
        whole.as_secs_f64() / once.as_secs_f64()
    );
}

fn judged(head: &Side, keys: &[TrustedKey]) {
    let file = TrustFile {
        keys: keys.to_vec(),
        ..TrustFile::default()
    };
    let base = Side::default();
    let judged = judge(Change {
        before: [&base, &base],
        head,
        root: &Root::of(None, Some(file)),
        history: &History::default(),
        trigger: Trigger::Local,
        now: Timestamp::MAX,
    });
    assert!(judged.findings.len() >= LOCKFILES * (1 + JUNK.len()));
}

fn parse(text: &str) -> Lockfile {
    Lockfile::parse(text.as_bytes()).unwrap_or_else(|fault| unreachable!("{fault:?}"))
}

fn verify(lockfiles: &[String], keys: &[TrustedKey]) {
    for text in lockfiles {
        assert!(approvals(&parse(text), keys, Moment::Approval).suffice(1));
    }
}

fn lockfile(number: usize, signers: &[u8]) -> String {
    signed(&made::lockfile(number).0, signers)
}

fn timed(run: impl Fn()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn measure(what: &str, run: impl Fn()) {
    let best = (0..RUNS).map(|_| timed(&run));
    let best: Duration = best.min().unwrap_or_default();
    println!("{:>8.3} s  {what}", best.as_secs_f64());
}
