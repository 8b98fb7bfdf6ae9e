//! The habits of the house, held by test: rooms, cards, sizes, words, docs.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "reads the project's own files"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// What a pure room may not name: the world outside.
const WORLD: [&str; 19] = [
    "std::fs",
    "std::env",
    "std::process",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "ToSocketAddrs",
    "SystemTime",
    "Instant",
    "tokio",
    "reqwest",
    "octocrab",
    "axum",
    "clap",
    "indicatif",
    "anstream",
    "tempfile",
    "Timestamp::now",
    "println!",
];

/// Each room, and the rooms it may not know.
const ROOMS: [(&str, &[&str]); 16] = [
    (
        "cores.rs",
        &[
            "lock",
            "trust",
            "check",
            "change",
            "wire",
            "tell",
            "world",
            "json",
            "untrusted",
            "message",
        ],
    ),
    (
        "visible.rs",
        &[
            "lock",
            "wire",
            "check",
            "tell",
            "world",
            "json",
            "untrusted",
            "message",
        ],
    ),
    (
        "untrusted.rs",
        &["lock", "wire", "check", "tell", "world", "message"],
    ),
    (
        "untrusted",
        &["lock", "wire", "check", "tell", "world", "message"],
    ),
    ("message.rs", &["lock", "wire", "check", "tell", "world"]),
    ("message", &["lock", "wire", "check", "tell", "world"]),
    ("json", &["lock", "wire", "check", "tell", "world"]),
    ("lock", &["wire", "check", "tell", "world"]),
    ("trust", &["check", "change", "wire", "tell", "world"]),
    (
        "scan",
        &["trust", "check", "change", "wire", "tell", "world"],
    ),
    ("check", &["change", "wire", "tell", "world"]),
    ("change", &["wire", "tell", "world"]),
    ("wire", &["change", "tell", "world"]),
    ("tell", &["wire", "issue", "world"]),
    ("issue", &["wire", "world"]),
    (
        "world",
        &[
            "tell",
            "change::judge",
            "issue::plan",
            "check::compare",
            "check::Report",
            "check::FailOn",
            "check::Verdict",
        ],
    ),
];

/// The rooms that touch nothing outside.
const PURE: [&str; 15] = [
    "cores.rs",
    "visible.rs",
    "untrusted.rs",
    "untrusted",
    "message.rs",
    "message",
    "json",
    "lock",
    "trust",
    "scan",
    "check",
    "change",
    "wire",
    "tell",
    "issue",
];

const LONGEST_FILE: usize = 250;
const LONGEST_FUNCTION: usize = 40;

#[test]
fn rooms_know_only_what_they_may() {
    let mut faults = Vec::new();
    for (room, strangers) in ROOMS {
        for (path, text) in sources(room) {
            let named = |name: &&&str| text.contains(&format!("crate::{name}"));
            faults.extend(
                strangers
                    .iter()
                    .filter(named)
                    .map(|name| format!("{path} names crate::{name}")),
            );
            if PURE.contains(&room) {
                let named = |name: &&&str| text.contains(**name);
                faults.extend(
                    WORLD
                        .iter()
                        .filter(named)
                        .map(|name| format!("{path} names {name}")),
                );
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_room_is_listed() {
    let known = [
        "lib.rs",
        "main.rs",
        "cli.rs",
        "cli",
        "settings.rs",
        "header.rs",
        "runner.rs",
        "command",
    ];
    let is_known = |name: &String| {
        known.contains(&name.as_str()) || ROOMS.iter().any(|(room, _)| room == name)
    };
    let strangers: Vec<String> = fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !is_known(name))
        .collect();
    assert!(strangers.is_empty(), "which room are these? {strangers:?}");
}

#[test]
fn every_file_opens_with_its_card_and_is_short() {
    let mut faults = Vec::new();
    for (path, text) in sources("") {
        if !text.starts_with("//! ") {
            faults.push(format!("{path} does not open with `//! `"));
        }
        let lines = text.lines().count();
        if lines > LONGEST_FILE {
            faults.push(format!("{path} has {lines} production lines"));
        }
        faults.extend(
            long_functions(&text)
                .into_iter()
                .map(|name| format!("{path}: {name}")),
        );
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_door_is_small() {
    let main = sources("main.rs").remove(0).1;
    assert!(main.lines().count() <= 50);
}

#[test]
fn the_changelog_holds_this_version() {
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        changelog.contains(&format!("## {version}")),
        "CHANGELOG.md has no `## {version}`"
    );
}

#[test]
fn the_readme_names_every_flag_and_every_flag_of_the_readme_exists() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let commands = [
        "check", "merge", "lock", "approve", "sign", "keygen", "hash", "diff", "demo",
    ];
    let help: String = commands.iter().map(|command| help(command)).collect();
    let typed = flags(&help);
    let told = flags(&readme);
    let missing: Vec<&String> = typed
        .iter()
        .filter(|flag| !told.contains(flag) && *flag != "--help")
        .collect();
    assert!(missing.is_empty(), "README.md does not name {missing:?}");
    let foreign = ["--release", "--path", "--locked", "--help", "--version"];
    let unknown: Vec<&String> = told
        .iter()
        .filter(|flag| !typed.contains(flag) && !foreign.contains(&flag.as_str()))
        .collect();
    assert!(
        unknown.is_empty(),
        "README.md names flags that do not exist: {unknown:?}"
    );
}

#[test]
fn the_readme_and_the_reasons_agree() {
    use lockgate::check::Reason;
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let missing: Vec<&str> = Reason::ALL
        .iter()
        .map(|reason| reason.name())
        .filter(|name| !readme.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "README.md does not explain {missing:?}");
    let missing: Vec<&str> = lockgate::check::Rule::ALL
        .iter()
        .map(|rule| rule.id())
        .filter(|id| !readme.contains(&format!("`{id}`")))
        .collect();
    assert!(missing.is_empty(), "README.md does not explain {missing:?}");
}

#[test]
fn the_trust_page_names_rules_and_tests_that_exist() {
    let page = fs::read_to_string(root().join("docs/trust.md")).unwrap();
    let rows = page.split("| attack |").nth(1).unwrap();
    let tests: String = ["attacks", "everyday", "events", "canary", "stopped"]
        .iter()
        .map(|name| fs::read_to_string(root().join(format!("tests/{name}.rs"))).unwrap())
        .collect();
    let cells = rows.lines().filter_map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        (cells.len() == 6).then(|| (cells[3].to_owned(), cells[4].to_owned()))
    });
    let quoted = |cell: &str| -> Vec<String> {
        let parts = cell.split('`').skip(1).step_by(2);
        parts.map(str::to_owned).collect()
    };
    for (rules, names) in cells {
        for rule in quoted(&rules) {
            let is_one = |known: &&lockgate::check::Rule| known.id() == rule;
            assert!(
                lockgate::check::Rule::ALL
                    .iter()
                    .any(|known| is_one(&known)),
                "no rule {rule}"
            );
        }
        for name in quoted(&names) {
            let is_test =
                tests.contains(&format!("{name}:")) || tests.contains(&format!("fn {name}("));
            assert!(is_test, "no test {name}");
        }
    }
}

fn help(command: &str) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_lockgate"))
        .args([command, "--help"])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The `--flags` that a text names, sorted, each once.
fn flags(text: &str) -> Vec<String> {
    let is_flag = |c: char| c.is_ascii_lowercase() || c == '-';
    let parts = text
        .split("--")
        .skip(1)
        .map(|part| part.split(|c| !is_flag(c)).next().unwrap_or_default());
    let mut flags: Vec<String> = parts
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .map(|name| format!("--{}", name.trim_end_matches('-')))
        .collect();
    flags.sort();
    flags.dedup();
    flags
}

/// The production part of every source file below `room`.
fn sources(room: &str) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    collect(&root().join("src").join(room), &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let production = text
            .split("\n#[cfg(test)]\n")
            .next()
            .unwrap_or_default()
            .to_owned();
        (
            path.strip_prefix(root()).unwrap().display().to_string(),
            production,
        )
    };
    paths.into_iter().map(read).collect()
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        fs::read_dir(path)
            .unwrap()
            .for_each(|entry| collect(&entry.unwrap().path(), found));
    } else if path.extension().is_some_and(|ending| ending == "rs") {
        found.push(path.to_owned());
    }
}

/// Functions longer than they should be; `rustfmt` puts the closing brace under the `fn`.
fn long_functions(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut long = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let is_function = ["fn ", "async fn ", "const fn "].iter().any(|word| {
            code.strip_prefix("pub ")
                .or(code
                    .split_once(") ")
                    .filter(|(before, _)| before.starts_with("pub("))
                    .map(|(_, after)| after))
                .unwrap_or(code)
                .starts_with(word)
        });
        if !is_function {
            continue;
        }
        let indent = line.len() - code.len();
        let end = lines
            .iter()
            .skip(start)
            .position(|line| line.starts_with(&format!("{:indent$}}}", "")));
        if end.is_some_and(|length| length + 1 > LONGEST_FUNCTION) {
            long.push(format!(
                "`{}` has {} lines",
                code.trim_end_matches('{'),
                end.unwrap_or_default() + 1
            ));
        }
    }
    long
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
