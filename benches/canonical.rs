//! How fast a listing is read, put into canonical form and pinned; `cargo bench`.
//!
//! Makes a `tools/list` answer of 5 MB, always the same one, and prints the best of
//! several runs for all of it ([`Listing::parse`] and `tools_sha256`) and for its parts.
//! Where `node` and `npm` are found, `canonicalize.mjs` does the same work with the npm
//! package `canonicalize` in the same minute: the digests must be equal, and all of it
//! must be at least 7 times as fast (design §10). The package goes into `target/tmp`.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures time, runs another program and prints"
)]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use lockgate::{Digest, Listing, json};

/// The binary's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SIZE: usize = 5_000_000;
const RUNS: usize = 30;
const BAR: f64 = 7.0;
const PEER: &str = "canonicalize@5.1.0";

fn main() {
    // `cargo test --all-targets` runs benches too, without this argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let corpus = corpus(SIZE);
    let bytes = corpus.as_bytes();
    let document = json::read(bytes).expect("the corpus is JSON");
    let canonical = json::canonical(&document.root);
    println!("{} bytes, best of {RUNS} runs", bytes.len());
    measure("read", bytes.len(), || json::read(black_box(bytes)));
    measure("write canonical form", bytes.len(), || {
        json::canonical(black_box(&document.root))
    });
    measure("sha256", canonical.len(), || {
        Digest::of(black_box(&canonical))
    });
    let all = measure("all: read, pin, digest", bytes.len(), || {
        pin(black_box(bytes))
    });
    match peer(&corpus) {
        Some((theirs, digest)) => {
            assert_eq!(digest, pin(bytes).to_string(), "{PEER} pins another digest");
            tell(PEER, bytes.len(), theirs);
            let ratio = theirs.as_secs_f64() / all.as_secs_f64();
            println!("{ratio:.1} times as fast as {PEER} (bar: {BAR})");
        }
        None => println!("no comparison: `node` and `npm` are not both here"),
    }
}

fn pin(bytes: &[u8]) -> Digest {
    Listing::parse(bytes)
        .expect("the corpus is a listing")
        .tools_sha256()
}

/// The best time of [`RUNS`] runs, printed.
fn measure<T>(what: &str, size: usize, run: impl Fn() -> T) -> Duration {
    let once = || {
        let start = Instant::now();
        let result = run();
        let taken = start.elapsed();
        drop(result);
        taken
    };
    let best = (0..RUNS).map(|_| once()).min().expect("at least one run");
    tell(what, size, best);
    best
}

fn tell(what: &str, size: usize, best: Duration) {
    let speed = size as f64 / 1e6 / best.as_secs_f64();
    println!(
        "{what:>24} {:8.2} ms {speed:8.0} MB/s",
        best.as_secs_f64() * 1e3
    );
}

/// The best time and the digest of the npm package.
fn peer(corpus: &str) -> Option<(Duration, String)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("canonicalize");
    fs::create_dir_all(&folder).ok()?;
    let listing = folder.join("tools.json");
    fs::write(&listing, corpus).ok()?;
    let installed = Command::new("npm")
        .args([
            "install",
            "--silent",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--prefix",
        ])
        .arg(&folder)
        .arg(PEER)
        .status();
    installed.ok().filter(std::process::ExitStatus::success)?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/canonicalize.mjs");
    let output = Command::new("node")
        .arg(script)
        .args([folder.as_path(), listing.as_path()])
        .arg(RUNS.to_string())
        .output()
        .ok()?;
    let printed = String::from_utf8(output.stdout).ok()?;
    let (best, digest) = printed.trim().split_once(' ')?;
    Some((
        Duration::from_secs_f64(best.parse::<f64>().ok()? / 1e3),
        digest.to_owned(),
    ))
}

const WORDS: &[&str] = &[
    "the",
    "a",
    "of",
    "to",
    "returns",
    "issue",
    "repository",
    "list",
    "search",
    "query",
    "file",
    "path",
    "user",
    "results",
    "optional",
    "filter",
    "by",
    "page",
    "number",
    "default",
    "is",
    "for",
    "when",
    "set",
    "true",
    "`null`",
    "e.g.",
    "branch",
    "comment",
    "token",
    "date",
    "in",
    "ISO",
    "8601",
    "format",
    "limit",
    "and",
    "https://example.com/docs",
    "(max",
    "100)",
];

const RARE_WORDS: &[&str] = &["\"main\"", "—", "création", "検索", "🔒", "C:\\path"];

const NAMES: &[&str] = &[
    "owner",
    "repo",
    "query",
    "path",
    "page",
    "perPage",
    "sort",
    "order",
    "labels",
    "assignees",
    "body",
    "title",
    "state",
    "since",
    "until",
    "user_id",
    "userId",
    "limit",
    "cursor",
    "filter",
];

/// A small generator of numbers (xorshift), always started at the same one.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }

    /// Some words as a JSON string; long ones have several lines.
    fn text(&mut self, longest: usize) -> String {
        let count = 3 + self.below(longest);
        let words = (0..count).map(|_| {
            let words = if self.below(30) == 0 {
                RARE_WORDS
            } else {
                WORDS
            };
            let is_end = longest > 50 && self.below(20) == 0;
            [
                words[self.below(words.len())],
                if is_end { "\n\n- " } else { " " },
            ]
            .concat()
        });
        serde_json::to_string(words.collect::<String>().trim_end()).expect("a string")
    }
}

fn corpus(size: usize) -> String {
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let mut text = String::from(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#);
    for index in 0.. {
        text.push_str(&tool(index, &mut chance));
        if text.len() > size {
            break;
        }
        text.push(',');
    }
    text.push_str("]}}");
    text
}

fn tool(index: usize, chance: &mut Chance) -> String {
    let description = chance.text(90);
    let schema = object_schema(chance, 3);
    let [title, read_only] = [chance.text(3), (chance.below(2) == 0).to_string()];
    format!(
        r#"{{"name":"tool_{index}","description":{description},"inputSchema":{schema},"annotations":{{"title":{title},"readOnlyHint":{read_only},"openWorldHint":true}}}}"#
    )
}

fn object_schema(chance: &mut Chance, levels: usize) -> String {
    let first = chance.below(NAMES.len());
    let count = 2 + chance.below(6);
    let names: Vec<_> = NAMES.iter().cycle().skip(first).take(count).collect();
    let properties = names
        .iter()
        .map(|name| format!(r#""{name}":{}"#, schema(chance, levels)));
    let properties = properties.collect::<Vec<_>>().join(",");
    format!(
        r#"{{"type":"object","properties":{{{properties}}},"required":[{:?}],"additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#"}}"#,
        names[0]
    )
}

fn schema(chance: &mut Chance, levels: usize) -> String {
    let description = chance.text(18);
    match chance.below(24) {
        0 => format!(
            r#"{{"type":"number","description":{description},"minimum":0.5,"maximum":1000,"default":{}}}"#,
            chance.below(1000) as f64 / 8.0
        ),
        1 | 2 => format!(
            r#"{{"type":"integer","minimum":1,"maximum":9007199254740991,"default":{},"description":{description}}}"#,
            chance.below(100)
        ),
        3 | 10..=12 => format!(
            r#"{{"type":"string","enum":["open","closed","all"],"description":{description}}}"#
        ),
        4 | 8..=9 => format!(
            r#"{{"type":"array","items":{{"type":"string","maxLength":{}}},"description":{description}}}"#,
            chance.below(300)
        ),
        5..=7 if levels > 0 => object_schema(chance, levels - 1),
        _ => format!(r#"{{"type":"string","minLength":1,"description":{description}}}"#),
    }
}
