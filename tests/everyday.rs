//! What happens every week, one real repository each: it must pass where nothing is wrong,
//! and say what is missing where history is.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "builds repositories and reads what the binary said"
)]

mod common;
mod fleet;
mod repo;

use repo::*;
use serde_json::json;
use tempfile::TempDir;

#[test]
fn first_adoption() {
    let repo = Repo::empty();
    repo.branch();
    repo.write(TRUST, trust("", &[("alice", ALICE)]));
    repo.two_servers();
    repo.commit();
    let told = repo.judge();
    told.warns_of("trust-begins-here").passes();
    told.says("trust-begins-here", "`alice`");
    assert_eq!(told.report["signatures"], "required");
    repo.write(LINEAR, lockfile("linear", 7, &[]));
    repo.commit();
    repo.judge().fails_by(&["unsigned-change"]);
}

#[test]
fn without_a_trust_file_signatures_are_not_checked_and_that_is_said() {
    let repo = Repo::empty();
    repo.two_servers();
    repo.commit();
    repo.branch();
    repo.write(LINEAR, lockfile("linear", 8, &[]));
    repo.commit();
    let told = repo.judge();
    told.passes();
    assert_eq!(told.report["signatures"], "not-checked");
    let off = Repo::with_policy("signatures = \"off\"").judge();
    assert_eq!(off.report["signatures"], "off");
}

/// What the run says of signatures, at its end.
fn of_signatures(repo: &Repo) -> String {
    let output = lockgate(repo.path(), &["check", "--offline"]).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    text.lines().last().unwrap().to_owned()
}

#[test]
fn every_report_says_whether_signatures_counted() {
    let said = |policy| of_signatures(&Repo::with_policy(policy));
    assert_eq!(
        said(""),
        "signatures: required, 1 approval a lockfile; 2 approvers may sign now"
    );
    assert_eq!(
        said("approvals = 2"),
        "signatures: required, 2 approvals a lockfile; 2 approvers may sign now"
    );
    assert_eq!(
        said("signatures = \"off\""),
        "signatures: off, only drift is checked"
    );
    assert_eq!(
        of_signatures(&Repo::empty()),
        "signatures: not checked, no trust file counts here and nobody's approval was verified (`lockgate keygen` begins `.github/lockgate.toml`)"
    );
    let due = |repo: Repo| repo.judge().report["approvals"].take();
    assert_eq!(due(Repo::new()), json!({"needed": 1, "approvers": 2}));
    assert_eq!(due(Repo::empty()), json!(null));
}

#[test]
fn more_approvals_than_there_are_approvers() {
    let two_keys = key("alice", ALICE_TOO, "approver", "");
    let ended = key("carol", 5, "approver", "not_after = 2025-12-01");
    let lost = key("dave", 6, "approver", "state = \"compromised\"");
    let service = key("service", SERVICE, "issuer", "");
    let more = [two_keys, ended, lost, service].concat();
    for (approvals, people, says) in [
        (2, 1, "needs 2 approvals, and only 1 approver has a key"),
        (3, 2, "needs 3 approvals, and only 2 approvers have a key"),
        (1, 0, "needs 1 approval, and no approver has a key"),
        (2, 2, ""),
        (1, 1, ""),
    ] {
        let people = &[("alice", ALICE), ("bob", BOB)][..people];
        let keys = if people.is_empty() { "" } else { &*more };
        let repo = Repo::empty();
        let policy = format!("approvals = {approvals}");
        repo.write(TRUST, trust(&policy, people) + keys);
        repo.two_servers();
        repo.commit();
        repo.branch();
        for told in [repo.judge(), repo.check(&["--offline"])] {
            let findings = told.report["findings"].as_array().unwrap();
            let found = findings
                .iter()
                .find(|one| one["rule"] == "too-few-approvers");
            assert_eq!(found.is_some(), !says.is_empty(), "{told:#?}");
            if let Some(found) = found {
                assert_eq!(
                    (&found["path"], &found["level"]),
                    (&json!(TRUST), &json!("warning"))
                );
                told.says("too-few-approvers", says);
            }
        }
    }
    // Where signatures are off, nobody is missed.
    let off = Repo::with_policy("signatures = \"off\"\napprovals = 3");
    assert_eq!(off.judge().report["findings"], json!([]));
}

#[test]
fn a_formatter_ran_over_the_lockfiles() {
    let repo = Repo::new();
    let value: serde_json::Value = serde_json::from_str(&repo.read(LINEAR)).unwrap();
    repo.write(LINEAR, value.to_string() + "\r\n");
    repo.commit();
    repo.judge().passes();
}

#[test]
fn a_folder_was_renamed() {
    let repo = Repo::new();
    repo.git(&["mv", "mcp", "servers"]);
    repo.commit();
    repo.judge().passes();
}

#[test]
fn a_re_approval_is_reverted() {
    let repo = Repo::new();
    repo.write(LINEAR, lockfile("linear", 8, &[BOB]));
    let base = repo.commit();
    repo.git(&["branch", "-f", "main", &base]);
    repo.git(&["revert", "--no-edit", "HEAD"]);
    let told = repo.judge();
    told.fails_by(&["rollback"]);
    told.says("rollback", "lockgate approve");
}

#[test]
fn a_branch_behind_base() {
    let repo = Repo::new();
    repo.write("src/x.rs", "fn x() {}\n");
    let behind = repo.commit();
    repo.git(&["switch", "-q", "main"]);
    repo.write(LINEAR, lockfile("linear", 8, &[BOB]));
    repo.write("mcp/new.mcp-lock.json", lockfile("new", 8, &[BOB]));
    let next = trust("approvals = 1", &[("alice", ALICE), ("bob", BOB)]);
    repo.sign_trust(&repo.read(TRUST), &next, &[ALICE]);
    repo.commit();
    repo.git(&["switch", "-q", "change"]);
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), behind);
    repo.judge().passes();
    repo.write(GITHUB, lockfile("github", 8, &[]));
    repo.commit();
    repo.judge().fails_by(&["unsigned-change"]);
}

/// A merge of base and change, as a runner checks it out, in a clone of that depth.
fn merge_ref(depth: &str, change: fn(&Repo)) -> (TempDir, Told) {
    let repo = Repo::new();
    change(&repo);
    repo.commit();
    repo.git(&["switch", "-q", "-c", "merge", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "change"]);
    let clone = TempDir::new().unwrap();
    let from = format!("file://{}", repo.path().display());
    git(
        clone.path(),
        &[
            "clone", "-q", "--depth", depth, "--branch", "merge", &from, ".",
        ],
    );
    let told = check(
        clone.path(),
        &["--offline", "--base", "HEAD^1", "--head", "HEAD"],
    );
    (clone, told)
}

#[test]
fn the_merge_ref_at_depth_two() {
    let unsigned: fn(&Repo) = |repo| repo.write(LINEAR, lockfile("linear", 8, &[]));
    let (_clone, told) = merge_ref("2", unsigned);
    told.warns_of("short-history")
        .fails_by(&["unsigned-change"]);
    let (_clone, told) = merge_ref("2", |repo| repo.write("x", "y"));
    told.passes();
}

#[test]
fn a_shallow_clone() {
    let (clone, told) = merge_ref("1", |repo| repo.write("x", "y"));
    told.could_not_work("names no commit that is at hand");
    told.could_not_work("fetch-depth: 0");
    check(clone.path(), &["--offline", "--base", "main"]).could_not_work("no commit");
}

#[test]
fn a_force_push_and_the_old_base_is_gone() {
    let repo = Repo::new();
    let gone = "0123456789012345678901234567890123456789";
    repo.check(&["--offline", "--base", gone])
        .could_not_work("force-push");
    repo.check(&["--offline", "--base=--output=x"])
        .could_not_work("no commit");
    repo.git(&["switch", "-q", "--orphan", "other"]);
    repo.commit();
    repo.check(&["--offline", "--base", "main"])
        .could_not_work("no common ancestor");
}

#[test]
fn outside_of_a_repository() {
    let folder = TempDir::new().unwrap();
    assert_eq!(check(folder.path(), &["--base", "main"]).code, 2);
}

#[test]
fn a_key_that_ends_next_week() {
    let end = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24 * 7);
    let end: String = end.to_string().chars().take(10).collect();
    let repo = Repo::empty();
    let keys = key("alice", ALICE, "approver", &format!("not_after = {end}"));
    repo.write(TRUST, format!("[policy]\nmax_age_days = 20\n{keys}"));
    repo.two_servers();
    repo.commit();
    repo.branch();
    let told = repo.judge();
    told.notes("key-ends")
        .says("key-ends", &end)
        .warns_of("old-approval")
        .passes();
}

#[test]
fn a_key_that_ended_still_stands_for_what_it_approved() {
    let repo = Repo::empty();
    let keys = key("alice", ALICE, "approver", "not_after = 2025-11-01");
    repo.write(TRUST, keys + &key("bob", BOB, "approver", ""));
    repo.two_servers();
    repo.commit();
    repo.branch();
    repo.judge().passes();
    repo.write(LINEAR, lockfile("linear", 8, &[ALICE]));
    repo.commit();
    repo.judge()
        .fails_by(&["unsigned-change", "untrusted-signature"]);
}

#[test]
fn two_approvers_one_after_the_other() {
    let repo = Repo::with_policy("approvals = 2");
    repo.judge().fails_by(&["unsigned-lockfile"]);
    repo.write(LINEAR, lockfile("linear", 7, &[ALICE, BOB]));
    repo.write(GITHUB, lockfile("github", 7, &[ALICE, BOB]));
    let base = repo.commit();
    repo.judge().passes();
    repo.git(&["branch", "-f", "main", &base]);
    repo.write(LINEAR, lockfile("linear", 8, &[ALICE]));
    repo.commit();
    let told = repo.judge();
    told.says("unsigned-change", "1 of 2 approvals")
        .fails_by(&["unsigned-change"]);
}

#[test]
fn adoption_has_an_end() {
    for (until, level) in [("2999-01-01", "warning"), ("2025-01-01", "error")] {
        let repo = Repo::empty();
        repo.write(
            TRUST,
            trust(&format!("unsigned_until = {until}"), &[("alice", ALICE)]),
        );
        repo.write(LINEAR, lockfile("linear", 7, &[]));
        repo.commit();
        let told = repo.check(&["--offline"]);
        assert_eq!(told.code, i32::from(level == "error"), "{told:#?}");
        assert_eq!(told.report["findings"][0]["rule"], "unsigned-lockfile");
        assert_eq!(told.report["findings"][0]["level"], level);
    }
}

#[test]
fn what_the_policy_leaves_out_is_left_out_on_both_sides() {
    let repo = Repo::with_policy("exclude = [\"tests/fixtures/**\"]");
    repo.write("tests/fixtures/a.mcp-lock.json", "{}");
    repo.commit();
    repo.judge().passes();
    repo.check(&["--offline"]).passes();
    repo.git(&["mv", LINEAR, "tests/fixtures/linear.mcp-lock.json"]);
    repo.commit();
    repo.judge()
        .fails_by(&["lockfile-removed", "server-without-lockfile"]);
}

#[test]
fn a_trust_file_that_cannot_be_read_ends_the_run() {
    let repo = Repo::empty();
    repo.write(TRUST, "[policy]\nsurprise = 1\n");
    repo.commit();
    repo.check(&["--offline"]).could_not_work("line 2");
    repo.check(&["--offline", "--base", "main"])
        .could_not_work("surprise");
}

#[test]
fn a_trust_file_that_cannot_mean_what_it_says_ends_the_run() {
    let repo = Repo::empty();
    let server = "[[server]]\nurl = \"https://mcp.example.com/mcp\"\n";
    let accept = "[[accept]]\nserver = \"https://mcp.example.com/mcp\"\n";
    for (text, says) in [
        (
            "[policy]\nexclude = [\n  \"tests/\",\n]\n".to_owned(),
            "line 3: `policy.exclude` cannot go by `tests/`",
        ),
        (
            "[policy]\nscan = \"extreme\"\n".to_owned(),
            "line 2: the trust file cannot be read: `unknown variant `extreme`",
        ),
        (
            format!("{server}headers = {{ X-Key = \"env:LOCKGATE_TOKEN\" }}\n"),
            "line 3: the variable `LOCKGATE_TOKEN` is one that lockgate keeps",
        ),
        (
            format!("{accept}rule = \"rollback\"\nreason = \"x\"\nuntil = 2999-01-01\n"),
            "line 3: `accept.rule` is `rollback`, which nobody can accept",
        ),
        (
            "[[accept]]\nserver = \"oauth\"\nrule = \"dns\"\nreason = \"x\"\nuntil = 2999-01-01\n"
                .to_owned(),
            "line 2: the URL `oauth` cannot be used",
        ),
    ] {
        repo.write(TRUST, text);
        repo.commit();
        repo.check(&["--offline"]).could_not_work(says);
        repo.check(&["--offline", "--base", "main"])
            .could_not_work(says);
    }
}

#[test]
fn an_operators_file_stands_above() {
    let repo = Repo::new();
    let outside = TempDir::new().unwrap();
    let config = outside.path().join("lockgate.toml");
    std::fs::write(&config, trust("approvals = 1", &[("bob", BOB)])).unwrap();
    let config = config.to_str().unwrap();
    let run = |more: &[&str]| repo.check(&[&["--offline", "--config", config], more].concat());
    // The repository's own keys do not count under the operator's.
    run(&[]).fails_by(&["unsigned-lockfile"]);
    repo.write(LINEAR, lockfile("linear", 8, &[BOB]));
    repo.write(GITHUB, lockfile("github", 8, &[BOB]));
    repo.commit();
    run(&[]).passes();
    run(&["--base", "main", "--head", "HEAD"]).passes();
    repo.check(&["--offline", "--config", TRUST])
        .could_not_work("stands in this repository");
}

#[test]
fn the_work_tree_is_the_head_unless_one_is_named() {
    let repo = Repo::new();
    repo.write(LINEAR, lockfile("linear", 8, &[]));
    repo.check(&["--offline", "--base", "main"])
        .fails_by(&["unsigned-change"]);
    repo.write(LINEAR, lockfile("linear", 8, &[ALICE]));
    repo.check(&["--offline", "--base", "main"]).passes();
    repo.write("mcp/untracked.mcp-lock.json", lockfile("new", 8, &[]));
    repo.check(&["--offline", "--base", "main"])
        .fails_by(&["unsigned-change"]);
}

/// Two servers that run, locked by alice, one of them drifted since.
#[test]
fn the_report_names_both_commits() {
    let repo = Repo::new();
    repo.write("src/x.rs", "fn x() {}\n");
    let head = repo.commit();
    let base = repo.git(&["rev-parse", "main"]);
    let compared = repo.judge().report;
    assert_eq!(compared["commit"], head);
    assert_eq!(compared["base"], base);
    let alone = repo.check(&["--offline"]).report;
    assert_eq!(alone["commit"], head);
    assert_eq!(alone["base"], serde_json::Value::Null);
}

fn one_drifted(policy: &str) -> (Repo, [fleet::Running; 2]) {
    let servers = ["as of 7", "drifted"].map(|text| {
        fleet::start(fleet::Server {
            tools: offered(text),
            ..fleet::Server::default()
        })
    });
    let repo = Repo::empty();
    repo.write(TRUST, trust(policy, &[("alice", ALICE)]));
    for (server, path) in servers.iter().zip([LINEAR, GITHUB]) {
        repo.write(path, lockfile(&server.url, 7, &[ALICE]));
    }
    repo.commit();
    repo.branch();
    (repo, servers)
}

const ONLINE: [&str; 6] = [
    "--base",
    "main",
    "--head",
    "HEAD",
    "--allow-private-host",
    "127.0.0.1",
];

#[test]
fn drift_that_a_change_does_not_touch() {
    let (repo, _servers) = one_drifted("");
    let told = repo.check(&ONLINE);
    told.warns_of("also-red-on-base").passes();
    assert_eq!(told.report["decision"], "block");
    let nightly = repo.check(&["--allow-private-host", "127.0.0.1"]);
    assert_eq!(
        (nightly.code, &nightly.report["decision"]),
        (1, &json!("block"))
    );
    let (repo, _servers) = one_drifted("drift_in_pull_requests = \"error\"");
    repo.check(&ONLINE).fails_by(&["also-red-on-base"]);
}

#[test]
fn one_of_two_drifted_servers_is_approved_again() {
    let (repo, [first, second]) = one_drifted("");
    first.with(|server| server.tools[0]["description"] = json!("as of 8"));
    repo.write(LINEAR, lockfile(&first.url, 8, &[ALICE]));
    repo.commit();
    repo.check(&ONLINE).warns_of("also-red-on-base").passes();
    // What the change approves has to be what the server offers.
    first.with(|server| server.tools[0]["description"] = json!("as of 9"));
    let told = repo.check(&ONLINE);
    assert_eq!(told.code, 1, "{told:#?}");
    assert!(second.asked("tools/list") > 0);
}

#[test]
fn an_accepted_gap_is_amber() {
    for (until, rules) in [
        ("2999-01-01", &[][..]),
        ("2025-01-01", &["server-without-lockfile"]),
    ] {
        let accept = format!(
            "[[accept]]\nserver = \"{}\"\nrule = \"server-without-lockfile\"\nreason = \"on trial\"\nuntil = {until}\n",
            url("trial")
        );
        let repo = Repo::empty();
        repo.write(TRUST, trust("", &[("alice", ALICE)]) + &accept);
        repo.two_servers();
        repo.commit();
        repo.branch();
        repo.write(".mcp.json", clients(&["linear", "github", "trial"]));
        repo.commit();
        let told = repo.judge();
        told.fails_by(rules);
        if rules.is_empty() {
            told.warns_of("server-without-lockfile")
                .says("server-without-lockfile", "accepted until 2999-01-01");
        }
    }
}

#[test]
fn an_accepted_silence_is_amber() {
    let (repo, [first, second]) = one_drifted("");
    second.with(|server| server.tools[0]["description"] = json!("as of 7"));
    first.with(|server| server.wants = Some(("authorization", "x")));
    let nightly = ["--allow-private-host", "127.0.0.1"];
    assert_eq!(repo.check(&nightly).code, 1);
    for (until, code) in [("2999-01-01", 0), ("2025-01-01", 1)] {
        let accept = format!(
            "[[accept]]\nserver = \"{}\"\nrule = \"auth-required\"\nreason = \"OAuth\"\nuntil = {until}\n",
            first.url
        );
        repo.write(TRUST, trust("", &[("alice", ALICE)]) + &accept);
        repo.commit();
        let told = repo.check(&nightly);
        assert_eq!(
            (told.code, &told.report["decision"]),
            (code, &json!("block")),
            "{told:#?}"
        );
        if code == 0 {
            told.warns_of("accepted");
        }
    }
}
