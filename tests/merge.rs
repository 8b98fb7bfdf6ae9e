//! Shards and their merge: the real binary, real servers, and reports that cannot be believed.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "runs the binary and reads what it wrote"
)]

mod common;
mod fleet;
mod repo;
mod workspace;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fleet::{Running, Server, start};
use lockgate::check::Shard;
use lockgate::lock::{Identity, Lockfile};
use lockgate::visible::is_unseen;
use repo::{Repo, lockgate};
use serde_json::{Value, json};
use tempfile::TempDir;
use workspace::Workspace;

const OPEN: [&str; 2] = ["--allow-private-host", "127.0.0.1"];
const SHARDS: u16 = 3;

/// A repository whose servers do all that servers do, and the reports of its shards.
struct Fleet {
    repo: Repo,
    servers: Vec<Running>,
    reports: TempDir,
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    lockgate(folder, arguments).output().unwrap()
}

fn text(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

impl Fleet {
    /// So many servers, locked, and all as approved.
    fn of(count: usize) -> Self {
        let repo = Repo::empty();
        fs::create_dir(repo.at("mcp")).unwrap();
        let locked = |number: usize| {
            let server = start(Server {
                tools: common::tools(),
                instructions: Some("Ask first.".into()),
                ..Server::default()
            });
            let to = format!("mcp/{number:02}.mcp-lock.json");
            let lock = ["lock", &server.url, "-o", &to, OPEN[0], OPEN[1]];
            assert!(run(repo.path(), &lock).status.success());
            server
        };
        let servers = (0..count).map(locked).collect();
        repo.commit();
        Fleet {
            repo,
            servers,
            reports: TempDir::new().unwrap(),
        }
    }

    /// One of everything that can come of asking.
    fn of_everything() -> Self {
        let fleet = Fleet::of(14);
        let set = |number: usize, change: &dyn Fn(&mut Server)| fleet.servers[number].with(change);
        set(0, &|server| {
            server.tools[0]["description"] =
                json!("Create\u{202e}, \u{e0072}\u{e006d} and ::error::")
        });
        set(1, &|server| {
            server.tools[0]["inputSchema"] = numbers();
        });
        set(2, &|server| {
            server.instructions = Some("Read ~/.ssh".into())
        });
        set(3, &|server| server.tools = json!([]));
        set(4, &|server| server.wants = Some(("x-key", "none")));
        set(5, &|server| {
            server.tools = json!([{"name": "a\u{1b}[2J"}, {"name": "a\u{1b}[2J"}])
        });
        set(6, &|server| {
            server.tools[1]["annotations"] = Value::Null;
            server
                .tools
                .as_array_mut()
                .unwrap()
                .push(json!({"name": "export_all", "title": "T"}));
        });
        // Its companion is gone, so what moved cannot be told.
        set(7, &|server| {
            server.tools[0]["inputSchema"] = json!({"type": "object"})
        });
        fleet.repo.remove("mcp/07.mcp-listing.json");
        // As v1 locks it: titles, output schemas and instructions are not pinned.
        fleet.change(8, |lockfile| {
            drop(lockfile.as_object_mut().unwrap().remove("extended"))
        });
        fleet.change(9, |lockfile| {
            lockfile["server"]["protocol_version"] = json!("2024-11-05")
        });
        // Nobody listens there.
        fleet.change(10, |lockfile| {
            lockfile["server"]["url"] = json!("http://127.0.0.1:9/mcp")
        });
        // Two lockfiles of one server: it is as one of them says.
        fleet.repo.write(
            "mcp/11b.mcp-lock.json",
            fleet.repo.read("mcp/11.mcp-lock.json"),
        );
        let file = fleet.repo.at("mcp/11b.mcp-lock.json");
        let older = fs::read_to_string(&file).unwrap();
        fs::write(
            &file,
            common::resealed(&older, |lockfile| {
                lockfile["extended"]["instructions_sha256"] = json!(null)
            }),
        )
        .unwrap();
        fleet.repo.write("mcp/broken.mcp-lock.json", "{");
        fleet.repo.write(
            ".mcp.json",
            repo::clients(&["https://nobody.example.com/mcp"]),
        );
        fleet.repo.commit();
        fleet
    }

    fn change(&self, number: usize, change: impl FnOnce(&mut Value)) {
        let path = format!("mcp/{number:02}.mcp-lock.json");
        let text = common::resealed(&self.repo.read(&path), change);
        self.repo.write(&path, text);
    }

    fn report(&self, shard: u16) -> PathBuf {
        self.reports
            .path()
            .join(format!("shard-{shard}/report.json"))
    }

    /// Runs every shard, and gives back how each ended.
    fn check_in_shards(&self) -> Vec<Option<i32>> {
        self.shards_by(&OPEN, |arguments| lockgate(self.repo.path(), arguments))
    }

    /// Runs every shard as `start` does, with these arguments more.
    fn shards_by(&self, more: &[&str], start: impl Fn(&[&str]) -> Command) -> Vec<Option<i32>> {
        let shard = |index| {
            let to = self.report(index);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            let of = format!("{index}/{SHARDS}");
            let report = to.to_str().unwrap();
            let arguments = ["check", "--shard", &of, "--report", report];
            let output = start(&[&arguments, more].concat()).output();
            output.unwrap().status.code()
        };
        (1..=SHARDS).map(shard).collect()
    }

    fn merge(&self, more: &[&str]) -> Output {
        let reports = self.reports.path().to_str().unwrap();
        run(self.repo.path(), &[&["merge", reports], more].concat())
    }

    fn merged(&self) -> (i32, Value) {
        let told = repo::told(&self.merge(&["--format", "json"]));
        assert!(told.report["kind"] == "lockgate-report", "{told:#?}");
        (told.code, told.report)
    }

    /// Changes a shard's report.
    fn tamper(&self, shard: u16, change: impl FnOnce(&mut Value)) {
        let path = self.report(shard);
        let mut report = json_at(&path);
        change(&mut report);
        fs::write(&path, report.to_string()).unwrap();
    }

    fn lockfile(&self, path: &str) -> Lockfile {
        Lockfile::parse(self.repo.read(path).as_bytes()).unwrap()
    }

    /// Which shard asks the server of that lockfile.
    fn shard_of(&self, path: &str) -> u16 {
        let any = Shard::new(1, SHARDS).unwrap();
        any.asking(self.lockfile(path).identity().digest()).index()
    }

    /// The shard's entry of a server.
    fn entry<'r>(&self, report: &'r mut Value, path: &str) -> &'r mut Value {
        let digest = self.lockfile(path).identity().digest().to_string();
        let servers = report["shard"]["servers"].as_array_mut().unwrap();
        servers
            .iter_mut()
            .find(|one| one["server"] == digest)
            .unwrap()
    }

    /// The lockfiles that are not checked, and all others as in the run that asked all.
    fn only_unchecked(&self, shards: &[u16]) {
        let (code, merged) = self.merged();
        assert_eq!(code, 1);
        assert_eq!(merged["decision"], "block");
        for answer in merged["answers"].as_array().unwrap() {
            let path = answer["path"].as_str().unwrap();
            if path.ends_with("broken.mcp-lock.json") {
                continue;
            }
            let is_missing = shards.contains(&self.shard_of(path));
            assert_eq!(answer["reason"] == "not-checked", is_missing, "{answer:#}");
        }
    }
}

fn json_at(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Numbers that a reader which reprints them would spell in another way.
fn numbers() -> Value {
    let text = r#"{"type": "object", "x-numbers": [1.0, 1e2, -0.0, 1e-7, 123456789012345680000, 0.1, 9007199254740993]}"#;
    serde_json::from_str(text).unwrap()
}

/// A report without what tells when it was made.
fn timeless(report: &str) -> String {
    let tells_when = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("\"checked_at\"") || line.starts_with("\"sha256\"")
    };
    report
        .lines()
        .filter(|line| !tells_when(line))
        .collect::<Vec<_>>()
        .join("\n")
}

fn findings(report: &Value) -> Vec<&str> {
    let of_shards = |finding: &&Value| finding["rule"] == "shard-report";
    let findings = report["findings"].as_array().unwrap();
    let of_shards = findings.iter().filter(of_shards);
    of_shards
        .map(|finding| finding["message"].as_str().unwrap())
        .collect()
}

/// Exactly one finding says each of these.
fn says(report: &Value, parts: &[&str]) {
    let found = findings(report);
    assert_eq!(found.len(), parts.len(), "{found:#?}");
    for part in parts {
        assert!(
            found.iter().any(|said| said.contains(part)),
            "no {part:?}: {found:#?}"
        );
    }
}

#[test]
fn shards_and_their_merge_say_what_one_run_says() {
    let fleet = Fleet::of_everything();
    let whole = fleet.reports.path().join("whole.txt");
    let asked = [
        "check",
        OPEN[0],
        OPEN[1],
        "--report",
        whole.to_str().unwrap(),
    ];
    let one = text(&run(fleet.repo.path(), &asked));
    let before: Vec<usize> = fleet
        .servers
        .iter()
        .map(|one| one.asked("tools/list"))
        .collect();
    let codes = fleet.check_in_shards();
    for (server, before) in fleet.servers.iter().zip(before) {
        let limit = before + 1;
        let now = server.asked("tools/list");
        assert!(
            now <= limit,
            "a server is asked by one shard: {before} {now}"
        );
    }
    assert!(
        codes.iter().all(|code| *code == Some(1)),
        "every rule runs in each: {codes:?}"
    );
    let merged = fleet.repo.at("merged.json");
    let told = text(&fleet.merge(&["--report", merged.to_str().unwrap()]));
    assert_eq!(told, one);
    let read = |path: &Path| timeless(&fs::read_to_string(path).unwrap());
    assert_eq!(read(&merged), read(&whole));
    let report = json_at(&whole);
    let rules = report["findings"].to_string();
    for rule in [
        "uncovered-surface",
        "protocol-version",
        "duplicate-server",
        "lockfile-refused",
    ] {
        assert!(rules.contains(&format!("\"{rule}\"")), "{rules}");
    }
    let reasons = report["answers"].to_string();
    for reason in ["auth-required", "connect", "malformed-listing"] {
        assert!(reasons.contains(&format!("\"{reason}\"")), "{reasons}");
    }
    // A merge asks nobody.
    let asked = |server: &Running| server.asked("initialize");
    let before: Vec<usize> = fleet.servers.iter().map(asked).collect();
    fleet.merged();
    assert_eq!(fleet.servers.iter().map(asked).collect::<Vec<_>>(), before);
}

#[test]
fn each_server_is_asked_by_exactly_one_shard() {
    let fleet = Fleet::of(9);
    fleet.check_in_shards();
    let mut told: Vec<String> = Vec::new();
    for shard in 1..=SHARDS {
        let report = json_at(&fleet.report(shard));
        let answers = report["answers"].as_array().unwrap();
        for answer in answers {
            let path = answer["path"].as_str().unwrap().to_owned();
            assert_eq!(fleet.shard_of(&path), shard);
            told.push(path);
        }
        assert_eq!(
            report["shard"]["servers"].as_array().unwrap().len(),
            answers.len()
        );
    }
    told.sort();
    let all: Vec<String> = (0..9)
        .map(|number| format!("mcp/{number:02}.mcp-lock.json"))
        .collect();
    assert_eq!(told, all);
}

#[test]
fn where_nothing_moved_all_of_it_passes() {
    let fleet = Fleet::of(5);
    assert!(fleet.check_in_shards().iter().all(|code| *code == Some(0)));
    let (code, report) = fleet.merged();
    assert_eq!((code, &report["decision"]), (0, &json!("connect")));
    assert_eq!(report["findings"], json!([]));
    assert_eq!(report.get("shard"), None);
    let checked_at = |report: &Value| report["checked_at"].as_str().unwrap().to_owned();
    let of_shard = |shard| checked_at(&json_at(&fleet.report(shard)));
    assert_eq!(Some(checked_at(&report)), (1..=SHARDS).map(of_shard).min());
}

#[test]
fn a_shard_without_a_report_is_not_checked() {
    let fleet = Fleet::of(9);
    fleet.check_in_shards();
    for shard in 1..=SHARDS {
        let (path, aside) = (fleet.report(shard), fleet.repo.at("aside"));
        fs::rename(&path, &aside).unwrap();
        fleet.only_unchecked(&[shard]);
        let (_, report) = fleet.merged();
        says(
            &report,
            &[&format!("shard {shard}/3 has no report that can be used")],
        );
        fs::rename(&aside, &path).unwrap();
    }
    let (code, _) = fleet.merged();
    assert_eq!(code, 0);
}

#[test]
fn without_any_report_nothing_is_checked() {
    let fleet = Fleet::of(4);
    fleet.only_unchecked(&[1, 2, 3]);
    let (_, report) = fleet.merged();
    says(
        &report,
        &["no `*.json` is in this folder", "no shard has a report"],
    );
    let missing = run(
        fleet.repo.path(),
        &["merge", "shards/*/report.json", "--format", "json"],
    );
    let told = repo::told(&missing);
    assert_eq!(told.code, 1);
    says(
        &told.report,
        &[
            "`shards/*/report.json` is not used: it cannot be read",
            "no shard has a report",
        ],
    );
}

/// One report is changed in one way, and its servers are not checked.
fn refuses(fleet: &Fleet, change: impl FnOnce(&mut Value), why: &str) {
    let kept = fs::read(fleet.report(2)).unwrap();
    fleet.tamper(2, change);
    fleet.only_unchecked(&[2]);
    let (_, report) = fleet.merged();
    says(&report, &[why, "shard 2/3 has no report that can be used"]);
    fs::write(fleet.report(2), kept).unwrap();
}

#[test]
fn a_report_of_another_run_is_not_used() {
    let fleet = Fleet::of(9);
    fleet.check_in_shards();
    let set = |pointer: &'static str, value: Value| {
        move |report: &mut Value| *report.pointer_mut(pointer).unwrap() = value
    };
    refuses(
        &fleet,
        set("/commit", json!("f00d")),
        "it is of another run: its `commit` is `f00d`",
    );
    refuses(
        &fleet,
        set("/commit", Value::Null),
        "its `commit` is `null`",
    );
    refuses(&fleet, set("/base", json!("f00d")), "its `base` is `f00d`");
    refuses(
        &fleet,
        set("/trigger", json!("push")),
        "its `trigger` is `push`",
    );
    refuses(
        &fleet,
        set("/mode", json!("offline")),
        "its `mode` is `offline`",
    );
    refuses(&fleet, set("/shard/run", json!("12")), "its `run` is `12`");
    refuses(
        &fleet,
        set("/lockgate", json!("0.0.1")),
        "its `lockgate` is `0.0.1`",
    );
    refuses(
        &fleet,
        set("/checked_at", json!("2025-01-01T00:00:00.000Z")),
        "it is older than a day",
    );
    refuses(
        &fleet,
        set("/checked_at", json!("2999-01-01T00:00:00.000Z")),
        "it is from the future",
    );
    refuses(&fleet, set("/kind", json!("x")), "it is no report");
    refuses(&fleet, set("/v", json!(2)), "it is no report");
    refuses(&fleet, set("/v", json!(1.0)), "it is no report");
    refuses(
        &fleet,
        set("/shard", Value::Null),
        "of a run without `--shard`",
    );
    refuses(
        &fleet,
        set("/shard/index", json!(4)),
        "its `shard` is not as",
    );
    refuses(
        &fleet,
        set("/shard/servers", json!({})),
        "its `shard.servers` is not as",
    );
    let other = |report: &mut Value| report["shard"]["servers"] = json!([{"server": "x"}]);
    refuses(&fleet, other, "its `shard.servers` is not as");
    // After a commit, all of them are of another run.
    fleet.repo.commit();
    fleet.only_unchecked(&[1, 2, 3]);
}

#[test]
fn what_is_no_document_is_not_used() {
    let fleet = Fleet::of(9);
    fleet.check_in_shards();
    for (bytes, why) in [
        (&b"{"[..], "it is not JSON: "),
        (b"", "it is not JSON: "),
        (b"\xff", "it is not JSON: "),
        (
            br#"{"kind": "lockgate-report", "kind": "lockgate-report"}"#,
            "(duplicate_key)",
        ),
        (b"[]", "it is no report"),
    ] {
        let kept = fs::read(fleet.report(2)).unwrap();
        fs::write(fleet.report(2), bytes).unwrap();
        fleet.only_unchecked(&[2]);
        says(&fleet.merged().1, &[why, "shard 2/3 has no report"]);
        fs::write(fleet.report(2), kept).unwrap();
    }
}

#[test]
fn a_shard_with_two_reports_is_not_checked() {
    let fleet = Fleet::of(9);
    fleet.check_in_shards();
    let again = fleet.reports.path().join("again.json");
    fs::copy(fleet.report(2), &again).unwrap();
    fleet.only_unchecked(&[2]);
    let (_, report) = fleet.merged();
    says(
        &report,
        &[
            "shard-2/report.json` is not used: shard 2/3 has 2 reports",
            "again.json` is not used: shard 2/3 has 2 reports",
            "shard 2/3 has no report",
        ],
    );
    // Of another number of shards: nobody can say which of them are right.
    fleet.tamper(2, |report| report["shard"]["of"] = json!(4));
    fs::remove_file(&again).unwrap();
    fleet.only_unchecked(&[1, 2, 3]);
}

/// What a report may say of a server, and what is made of it.
#[test]
fn a_report_cannot_say_more_than_a_server_could() {
    let fleet = Fleet::of(1);
    let path = "mcp/00.mcp-lock.json";
    let shard = fleet.shard_of(path);
    let answer = |change: &dyn Fn(&mut Value)| {
        fleet.check_in_shards();
        fleet.tamper(shard, |report| change(fleet.entry(report, path)));
        let (code, report) = fleet.merged();
        assert_eq!(code, i32::from(report["decision"] == "block"));
        let answer = &report["answers"][0];
        (
            answer["verdict"].as_str().unwrap().to_owned(),
            answer["detail"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let (verdict, _) = answer(&|_| ());
    assert_eq!(verdict, "unchanged");
    // Drift that is none: the listing is compared again.
    let same = json!({"tools": common::tools(), "instructions": "Ask first."}).to_string();
    let (verdict, detail) = answer(&|entry| entry["listed"]["listing"] = json!(same));
    assert_eq!(
        (&*verdict, &*detail),
        (
            "unreachable",
            "the report of its shard tells of drift, and gives the approved listing"
        )
    );
    let (verdict, detail) =
        answer(&|entry| entry["listed"]["listing"] = json!("{\"tools\": [{}]}"));
    assert_eq!(
        (&*verdict, &*detail),
        (
            "unreachable",
            "the report of its shard holds a listing that cannot be read"
        )
    );
    // A word for `unchanged` counts only for the very lockfile that is here.
    let (verdict, detail) = answer(&|entry| entry["listed"]["unchanged"] = json!([]));
    assert_eq!(
        (&*verdict, &*detail),
        (
            "unreachable",
            "the report of its shard is of another lockfile"
        )
    );
    // Another server's entry is nobody's.
    let (verdict, _) = answer(&|entry| entry["server"] = json!("0".repeat(64)));
    assert_eq!(verdict, "unreachable");
    // What the answers say to people is not read, and drift stays drift.
    fleet.servers[0].with(|server| server.tools[0]["description"] = json!("Labels are optional"));
    fleet.check_in_shards();
    fleet.tamper(shard, |report| {
        report["answers"] = json!([]);
        report["verdict"] = json!("unchanged");
        report["decision"] = json!("connect");
    });
    let (code, report) = fleet.merged();
    assert_eq!(
        (code, &report["answers"][0]["verdict"]),
        (1, &json!("changed"))
    );
    // The bound of it: who writes the whole answer of a server is believed as the server is.
    fleet.tamper(shard, |report| {
        let entry = fleet.entry(report, path);
        let seal = fleet.lockfile(path).seal();
        entry["listed"]["unchanged"] = json!([seal.to_string()]);
        entry["listed"]["listing"] = Value::Null;
    });
    assert_eq!(fleet.merged().0, 0);
}

#[test]
fn a_lockfile_that_changed_since_is_not_checked() {
    let fleet = Fleet::of(1);
    fleet.check_in_shards();
    fleet.change(0, |lockfile| {
        lockfile["approved_at"] = json!("2020-01-01T00:00:00Z")
    });
    let (code, report) = fleet.merged();
    assert_eq!(code, 1);
    assert_eq!(report["answers"][0]["reason"], "not-checked");
    says(&report, &[]);
}

const ATTACK: &str = "\u{1b}[2J\u{202e}\n::error::pwned\n::stop-commands::x\n##[error]pwned </code><img src=x> @alice `` [x](https://evil.example)";

#[test]
fn a_hostile_report_reaches_nobody_raw() {
    let fleet = Fleet::of(6);
    fleet.servers[0].with(|server| server.tools[0]["description"] = json!(ATTACK));
    fleet.servers[1].with(|server| server.wants = Some(("x-key", "none")));
    fleet.repo.git(&["switch", "-q", "-C", "main"]);
    let workspace = Workspace::of(&fleet.repo, None, "HEAD").event("schedule", json!({}));
    fleet.shards_by(&OPEN, |arguments| workspace.start(arguments));
    let path = "mcp/01.mcp-lock.json";
    fleet.tamper(fleet.shard_of(path), |report| {
        let unlisted = &mut fleet.entry(report, path)["unlisted"];
        assert_eq!(unlisted["reason"], "auth-required");
        for member in ["detail", "said", "hint"] {
            unlisted[member] = json!(ATTACK);
        }
    });
    let path = "mcp/02.mcp-lock.json";
    fleet.tamper(fleet.shard_of(path), |report| {
        let surface = &mut fleet.entry(report, path)["listed"]["surface"];
        surface["protocol_version"] = json!(ATTACK);
        surface["server_info"] = json!({"name": ATTACK, "version": ATTACK});
    });
    fs::write(
        fleet.reports.path().join("foreign.json"),
        json!({
            "kind": "lockgate-report", "v": 1, "lockgate": ATTACK, "commit": ATTACK, "base": ATTACK,
            "trigger": ATTACK, "mode": ATTACK, "checked_at": "2026-01-01T00:00:00Z",
            "shard": {"index": 1, "of": 3, "run": ATTACK, "servers": []},
        })
        .to_string(),
    )
    .unwrap();
    let (summary, outputs) = (
        fleet.reports.path().join("summary.md"),
        fleet.reports.path().join("outputs.txt"),
    );
    let reports = fleet.reports.path().to_str().unwrap();
    let sarif = fleet.reports.path().join("found.sarif");
    let page = fleet.reports.path().join("page.html");
    let mut command = workspace.start(&["merge", reports, "--sarif", sarif.to_str().unwrap()]);
    command.arg("--html").arg(&page);
    command
        .env("GITHUB_STEP_SUMMARY", &summary)
        .env("GITHUB_OUTPUT", &outputs);
    let (code, stdout, stderr) = text(&command.output().unwrap());
    assert_eq!((code, &*stderr), (Some(1), ""));
    assert!(
        stdout.contains("auth-required: ") && stdout.contains("⟨U+001B⟩[2J"),
        "{stdout}"
    );
    for line in stdout.lines() {
        assert!(!line.chars().any(is_unseen), "{line:?}");
        assert!(!line.contains("##["), "{line:?}");
        let command = line.trim_start();
        let ours = ["::error ", "::warning ", "::notice "];
        assert!(
            !command.starts_with("::") || ours.iter().any(|head| command.starts_with(head)),
            "{line:?}"
        );
    }
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("pwned") && !page.contains("<img"), "{page}");
    assert!(page.chars().all(|c| c == '\n' || !is_unseen(c)), "{page}");
    let summary = fs::read_to_string(summary).unwrap();
    assert!(summary.contains("pwned"), "{summary}");
    assert!(
        !summary.contains("<img") && !summary.contains("</code><img"),
        "{summary}"
    );
    assert!(
        !summary.contains('\u{1b}') && !summary.contains('\u{202e}'),
        "{summary}"
    );
    let outputs = fs::read_to_string(outputs).unwrap();
    assert!(
        outputs.contains("changed") && !outputs.contains("pwned"),
        "{outputs}"
    );
}

#[test]
fn a_workflow_merges_its_own_run_only() {
    let fleet = Fleet::of(4);
    fleet.repo.git(&["switch", "-q", "-C", "main"]);
    let workspace = Workspace::of(&fleet.repo, None, "HEAD").event("schedule", json!({}));
    let codes = fleet.shards_by(&OPEN, |arguments| workspace.start(arguments));
    assert!(codes.iter().all(|code| *code == Some(0)), "{codes:?}");
    let reports = fleet.reports.path().to_str().unwrap();
    let merge = ["merge", reports, "--format", "json"];
    let told = repo::told(&workspace.start(&merge).output().unwrap());
    assert_eq!(
        (told.code, &told.report["decision"]),
        (0, &json!("connect")),
        "{told:#?}"
    );
    let mut another = workspace.start(&merge);
    let told = repo::told(&another.env("GITHUB_RUN_ID", "4712").output().unwrap());
    assert_eq!(told.code, 1);
    assert!(
        findings(&told.report)
            .iter()
            .any(|said| said.contains("its `run` is `4711`"))
    );
    // Without the workflow it is another trigger's.
    assert_eq!(fleet.merged().0, 1);
}

#[test]
fn a_pull_request_that_asks_no_server_is_merged_too() {
    let fleet = Fleet::of(3);
    let start = |arguments: &[&str]| lockgate(fleet.repo.path(), arguments);
    let codes = fleet.shards_by(&["--offline"], start);
    assert!(codes.iter().all(|code| *code == Some(0)), "{codes:?}");
    let (code, stdout, _) = text(&fleet.merge(&["--offline"]));
    assert_eq!(code, Some(0), "{stdout}");
    assert!(stdout.contains("3 lockfiles verified offline"), "{stdout}");
    assert_eq!(
        text(&fleet.merge(&[])).0,
        Some(1),
        "what was not asked is not checked"
    );
}

#[test]
fn what_was_typed_holds_for_the_merge() {
    let fleet = Fleet::of(3);
    fleet.servers[0].with(|server| server.tools = json!([]));
    fleet.check_in_shards();
    assert_eq!(text(&fleet.merge(&[])).0, Some(1));
    assert_eq!(text(&fleet.merge(&["--fail-on", "never"])).0, Some(0));
    let one = ["--path", "mcp/01.mcp-lock.json", "--format", "json"];
    let told = repo::told(&fleet.merge(&one));
    assert_eq!(
        (told.code, told.report["totals"]["lockfiles"].as_u64()),
        (0, Some(1))
    );
    for (arguments, says) in [
        (&["merge"][..], "REPORT"),
        (
            &["check", "--shard", "4/3"],
            "not `I/N` with 1 ≤ I ≤ N ≤ 256",
        ),
        (&["check", "--shard", "1/257"], "not `I/N`"),
        (&["merge", "x", "--base", "nowhere"], "nowhere"),
        (&["merge", "x", "--path", "nowhere"], "nowhere"),
    ] {
        let (code, _, stderr) = text(&run(fleet.repo.path(), arguments));
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(stderr.contains(says), "{arguments:?}: {stderr}");
    }
}

/// What `Identity::digest` promises: shards of machines that share nothing but lockfiles.
#[test]
fn a_server_has_one_identity_whatever_its_lockfile_says_besides() {
    let identity =
        |text: &str| -> Identity { Lockfile::parse(text.as_bytes()).unwrap().identity() };
    let lockfile = repo::unsigned("linear", "2025-10-07T10:00:00Z", "a");
    let other = repo::unsigned("linear", "2025-11-07T10:00:00Z", "b");
    assert_eq!(identity(&lockfile).digest(), identity(&other).digest());
    let elsewhere = repo::unsigned("github", "2025-10-07T10:00:00Z", "a");
    assert_ne!(identity(&lockfile).digest(), identity(&elsewhere).digest());
    let with_header = common::resealed(&lockfile, |lockfile| {
        lockfile["extended"]["headers"] = json!({"x-toolset": "all"})
    });
    assert_ne!(
        identity(&lockfile).digest(),
        identity(&with_header).digest()
    );
}
