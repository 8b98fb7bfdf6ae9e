//! The events that start a run, each in a workspace as a runner has it: what is compared
//! with what, whom servers hear of, and what cannot be judged.
#![expect(
    clippy::disallowed_methods,
    reason = "builds workspaces and reads what the binary said"
)]

mod common;
mod fleet;
mod repo;
mod workspace;

use repo::*;
use serde_json::{Value, json};
use workspace::Workspace;

fn unsigned(repo: &Repo) -> String {
    repo.write(LINEAR, lockfile("linear", 8, &[]));
    repo.commit()
}

fn harmless(repo: &Repo) -> String {
    repo.write("src/x.rs", "fn x() {}\n");
    repo.commit()
}

/// The merge that GitHub makes of a pull request: base first, then the proposed head.
fn merge(repo: &Repo, base: &str, head: &str) -> String {
    repo.git(&["switch", "-q", "--detach", base]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", head]);
    let merge = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["update-ref", "refs/pull/12/merge", &merge]);
    repo.git(&["switch", "-q", "change"]);
    merge
}

#[test]
fn the_merge_of_a_pull_request_is_compared_with_its_first_parent() {
    for (change, rules) in [
        (harmless as fn(&Repo) -> String, &[][..]),
        (unsigned, &["unsigned-change"]),
    ] {
        let repo = Repo::new();
        let head = change(&repo);
        let merge = merge(&repo, "main", &head);
        let run = Workspace::of(&repo, Some("2"), &merge)
            .pull_request("main", &head)
            .cut_off();
        let told = run.judge();
        told.fails_by(rules);
        assert_eq!(told.report["trigger"], "pull_request");
        assert_eq!(told.report["base"], repo.git(&["rev-parse", "main"]));
        assert_eq!(told.report["commit"], merge);
    }
}

#[test]
fn the_head_itself_is_compared_with_the_tip_of_the_branch() {
    let repo = Repo::new();
    let behind = harmless(&repo);
    repo.main_moves_on();
    let run = Workspace::of(&repo, None, &behind).pull_request("main", &behind);
    let told = run.judge();
    told.says("unsigned-lockfile", "merge base into this branch")
        .passes();
    // alice's key is gone from the tip, whatever the branch says.
    repo.write(LINEAR, lockfile("linear", 9, &[ALICE]));
    let head = repo.commit();
    let run = Workspace::of(&repo, None, &head).pull_request("main", &head);
    run.judge()
        .fails_by(&["unsigned-change", "untrusted-signature"]);
}

#[test]
fn what_a_shallow_clone_lacks_is_fetched() {
    let repo = Repo::new();
    let head = unsigned(&repo);
    let merge = merge(&repo, "main", &head);
    for (revision, depth) in [(&merge, "1"), (&head, "1")] {
        let run = Workspace::of(&repo, Some(depth), revision).pull_request("main", &head);
        let told = run.judge();
        assert!(told.stderr.contains("fetching it"), "{told:#?}");
        told.fails_by(&["unsigned-change"]);
        let run = Workspace::of(&repo, Some(depth), revision)
            .pull_request("main", &head)
            .cut_off();
        run.judge().could_not_work("fetch-depth: 0");
    }
}

#[test]
fn something_else_is_checked_out_than_the_pull_request() {
    let repo = Repo::new();
    let head = unsigned(&repo);
    let merge = merge(&repo, "main", &head);
    let run = Workspace::of(&repo, None, &merge).pull_request("main", &head);
    run.git(&["checkout", "-q", "origin/main"]);
    run.judge().could_not_work("neither the merge");
}

#[test]
fn a_merge_queue() {
    let repo = Repo::new();
    let head = unsigned(&repo);
    let group = merge(&repo, "main", &head);
    let queued = json!({"merge_group": {
        "base_ref": "refs/heads/main", "head_sha": group, "base_sha": group,
        "head_ref": "refs/heads/gh-readonly-queue/main/pr-12-x",
    }});
    let in_queue = "refs/heads/gh-readonly-queue/main/pr-12-x";
    let run = Workspace::of(&repo, None, &group)
        .event("merge_group", queued.clone())
        .on(in_queue);
    run.judge().fails_by(&["unsigned-change"]);
    // A runner fetches the group only.
    let run = Workspace::of(&repo, Some("1"), &group)
        .event("merge_group", queued.clone())
        .on(in_queue);
    run.judge().fails_by(&["unsigned-change"]);
    let run = Workspace::of(&repo, None, "main")
        .event("merge_group", queued)
        .about(&group);
    run.judge().could_not_work("the merge group");
}

#[test]
fn a_stacked_pull_request_is_compared_with_the_default_branch() {
    let repo = Repo::new();
    repo.git(&["switch", "-q", "-c", "below"]);
    unsigned(&repo);
    repo.git(&["switch", "-q", "-C", "change"]);
    let head = harmless(&repo);
    let merge = merge(&repo, "below", &head);
    let run = Workspace::of(&repo, None, &merge).pull_request("below", &head);
    run.judge().fails_by(&["unsigned-change"]);
    // Unless the default branch says that the branch below is protected as well.
    repo.git(&["switch", "-q", "main"]);
    let next = trust(
        "protected = [\"main\", \"below\"]",
        &[("alice", ALICE), ("bob", BOB)],
    );
    repo.sign_trust(&repo.read(TRUST), &next, &[ALICE]);
    repo.commit();
    let run = Workspace::of(&repo, None, &merge).pull_request("below", &head);
    let told = run.judge();
    told.fails_by(&["unsigned-lockfile"]);
    assert_eq!(told.report["base"], repo.git(&["rev-parse", "below"]));
    // What the branch below says of itself does not count.
    repo.git(&["switch", "-q", "below"]);
    repo.write(
        TRUST,
        trust("protected = [\"below\"]", &[("mallory", MALLORY)]),
    );
    repo.commit();
    repo.git(&["switch", "-q", "main"]);
    repo.git(&["reset", "-q", "--hard", "main~"]);
    let run = Workspace::of(&repo, None, &merge).pull_request("below", &head);
    run.judge().fails_by(&["unsigned-change"]);
}

/// A server that runs, locked by alice on main; head changes nothing of it.
fn with_server() -> (Repo, fleet::Running, String) {
    let server = fleet::start(fleet::Server {
        tools: offered("as of 7"),
        ..fleet::Server::default()
    });
    let repo = Repo::empty();
    repo.write(TRUST, trust("", &[("alice", ALICE)]));
    repo.write(LINEAR, lockfile(&server.url, 7, &[ALICE]));
    repo.commit();
    repo.branch();
    let head = harmless(&repo);
    (repo, server, head)
}

const OPEN: [&str; 2] = ["--allow-private-host", "127.0.0.1"];

#[test]
fn no_server_is_asked_for_a_fork_or_for_dependabot() {
    let (repo, server, head) = with_server();
    let inside = || json!({"full_name": "acme/tools"});
    for (from, actor) in [
        (json!({"full_name": "mallory/tools"}), "mallory"),
        (Value::Null, "mallory"),
        (inside(), "dependabot[bot]"),
    ] {
        let run = Workspace::of(&repo, None, &head)
            .pull_request_from("main", &head, from)
            .by(actor);
        let told = run.check(&OPEN);
        told.notes("not-asked").passes();
        assert_eq!(told.report["mode"], "offline");
        assert_eq!(server.asked("tools/list"), 0);
    }
    let run = Workspace::of(&repo, None, &head).pull_request_from("main", &head, Value::Null);
    run.check(&[&OPEN[..], &["--offline=false"]].concat())
        .passes();
    assert_eq!(server.asked("tools/list"), 1);
    let run = Workspace::of(&repo, None, &head).pull_request_from("main", &head, inside());
    run.check(&OPEN).passes();
    assert_eq!(server.asked("tools/list"), 2);
}

#[test]
fn a_fork_begins_no_trust() {
    let repo = Repo::empty();
    repo.branch();
    repo.write(TRUST, trust("", &[("mallory", MALLORY)]));
    repo.write(LINEAR, lockfile("linear", 7, &[MALLORY]));
    let head = repo.commit();
    let fork = json!({"full_name": "mallory/tools"});
    let run = Workspace::of(&repo, None, &head).pull_request_from("main", &head, fork);
    let told = run.judge();
    told.says("trust-root-changed", "fork")
        .fails_by(&["trust-root-changed"]);
    let run = Workspace::of(&repo, None, &head).pull_request("main", &head);
    run.judge().warns_of("trust-begins-here").passes();
}

#[test]
fn a_push_is_compared_with_what_stood_before() {
    let repo = Repo::new();
    repo.git(&["switch", "-q", "main"]);
    let before = repo.git(&["rev-parse", "HEAD"]);
    let after = unsigned(&repo);
    let pushed = |before: &str| json!({"before": before, "after": after});
    for depth in [None, Some("1")] {
        let run = Workspace::of(&repo, depth, &after).event("push", pushed(&before));
        run.judge().fails_by(&["unsigned-change"]);
    }
    let zeros = "0".repeat(40);
    let run = Workspace::of(&repo, None, &after).event("push", pushed(&zeros));
    run.judge().could_not_work("workflow_dispatch");
    let gone = "0123456789012345678901234567890123456789";
    let run = Workspace::of(&repo, None, &after).event("push", pushed(gone));
    run.judge().could_not_work("force-push");
    // A branch that is not protected: with the default branch, whatever stood before.
    repo.git(&["switch", "-q", "-C", "change", &before]);
    unsigned(&repo);
    let again = harmless(&repo);
    repo.git(&["branch", "-q", "-f", "main", &before]);
    let run = Workspace::of(&repo, None, &again)
        .event("push", pushed(&repo.git(&["rev-parse", "change~"])))
        .on("refs/heads/change");
    run.judge().fails_by(&["unsigned-change"]);
    let run = Workspace::of(&repo, None, &again)
        .event("push", pushed(&zeros))
        .on("refs/tags/v1");
    run.judge().fails_by(&["unsigned-change"]);
}

#[test]
fn every_block_decides_where_nothing_is_proposed() {
    let (repo, server, head) = with_server();
    server.with(|server| server.tools[0]["description"] = json!("as of 8"));
    let run = Workspace::of(&repo, None, &head).pull_request("main", &head);
    run.check(&OPEN).warns_of("also-red-on-base").passes();
    let main = repo.git(&["rev-parse", "main"]);
    repo.git(&["branch", "-q", "-f", "main", &head]);
    let before = json!({"before": main});
    for (name, more) in [
        ("push", before),
        ("schedule", json!({"schedule": "0 3 * * *"})),
        ("workflow_dispatch", json!({})),
        ("repository_dispatch", json!({})),
    ] {
        let run = Workspace::of(&repo, Some("1"), "main").event(name, more);
        let told = run.check(&OPEN);
        assert_eq!(told.code, 1, "{name}: {told:#?}");
        assert_eq!(told.report["decision"], "block");
    }
}

#[test]
fn what_stands_on_another_branch_is_held_against_the_default_branch() {
    let repo = Repo::new();
    repo.main_moves_on();
    repo.write(LINEAR, lockfile("linear", 9, &[ALICE]));
    repo.commit();
    let run = Workspace::of(&repo, Some("1"), "change")
        .event("workflow_dispatch", json!({}))
        .on("refs/heads/change");
    run.judge()
        .fails_by(&["unsigned-change", "untrusted-signature"]);
    // A schedule that checks out another branch than the one it was started on.
    let run = Workspace::of(&repo, None, "change")
        .event("schedule", json!({}))
        .about(&repo.git(&["rev-parse", "main"]));
    run.judge()
        .fails_by(&["unsigned-change", "untrusted-signature"]);
}

#[test]
fn what_an_outsider_cannot_edit() {
    let (repo, server, _) = with_server();
    repo.write(LINEAR, lockfile(&server.url, 8, &[]));
    let head = repo.commit();
    let fork = || json!({"full_name": "mallory/tools"});
    let target = |run: Workspace| {
        run.pull_request_from("main", &head, fork())
            .named("pull_request_target")
            .on("refs/heads/main")
    };
    for depth in [None, Some("1")] {
        let told = target(Workspace::of(&repo, depth, "main")).check(&OPEN);
        told.fails_by(&["unsigned-change"]);
        assert_eq!(told.report["commit"], head);
    }
    let run = target(Workspace::of(&repo, None, "main"));
    run.check(&["--offline=false"])
        .could_not_work("--offline=false");
    let run = target(Workspace::of(&repo, None, &head)).about(&repo.git(&["rev-parse", "main"]));
    run.judge().could_not_work("may be checked out");
    assert_eq!(server.asked("tools/list"), 0);
}

#[test]
fn events_by_which_nothing_can_be_judged() {
    let repo = Repo::new();
    let run = || Workspace::of(&repo, None, "main");
    run()
        .event("workflow_run", json!({}))
        .judge()
        .could_not_work("workflow_run");
    let comment = run().event("issue_comment", json!({}));
    comment.judge().could_not_work("`issue_comment`");
    comment.check(&["--offline", "--base", "HEAD"]).passes();
    let refused = run().event("workflow_run", json!({}));
    refused
        .check(&["--offline", "--base", "HEAD"])
        .could_not_work("workflow_run");
    run()
        .event("pull_request", json!({}))
        .judge()
        .could_not_work("`pull_request` is missing");
    let head = repo.git(&["rev-parse", "main"]);
    for name in ["--upload-pack=x", "a b", "x..y", "x^{/fix}", "a\u{7}", ""] {
        run()
            .pull_request(name, &head)
            .judge()
            .could_not_work("no name of a branch");
    }
    run()
        .pull_request("main", "HEAD")
        .judge()
        .could_not_work("pull_request.head.sha");
}

#[test]
fn the_runner_says_too_little() {
    let repo = Repo::new();
    let check = |variables: &[(&str, &str)]| {
        let mut command = lockgate(repo.path(), &["check", "--format", "json", "--offline"]);
        command.env("GITHUB_ACTIONS", "true");
        for name in ["GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_SHA"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        told(&command.output().unwrap())
    };
    check(&[]).could_not_work("GITHUB_EVENT_PATH is not");
    check(&[("GITHUB_EVENT_PATH", "nowhere.json")]).could_not_work("`nowhere.json` cannot be read");
    check(&[("GITHUB_EVENT_PATH", ".git")]).could_not_work("`.git` cannot be read: Is a directory");
    check(&[
        ("GITHUB_EVENT_PATH", "README.md"),
        ("GITHUB_EVENT_NAME", "push"),
    ])
    .could_not_work("cannot be read: expected");
}

#[test]
fn a_part_of_the_repository() {
    let repo = Repo::new();
    repo.write("other/new.mcp-lock.json", lockfile("new", 8, &[ALICE]));
    let head = repo.commit();
    let run = Workspace::of(&repo, None, &head).pull_request("main", &head);
    let paths = |told: &Told| -> Vec<String> {
        let answers = told.report["answers"].as_array().unwrap();
        let path = |one: &Value| one["path"].as_str().unwrap().to_owned();
        answers.iter().map(path).collect()
    };
    assert_eq!(paths(&run.judge()).len(), 3);
    let told = run.check(&["--offline", "other"]);
    assert_eq!(paths(&told), ["other/new.mcp-lock.json"]);
    run.check(&["--offline", "/"])
        .could_not_work("not in this repository");
}

#[test]
fn commands_summary_and_outputs_reach_the_workflow() {
    let repo = Repo::new();
    let head = unsigned(&repo);
    let run = Workspace::of(&repo, None, &head).pull_request("main", &head);
    let folder = tempfile::TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("summary"), "# somebody else's\n").unwrap();
    let output = run
        .command(&["--offline", "--report", at("report").to_str().unwrap()])
        .env("GITHUB_STEP_SUMMARY", at("summary"))
        .env("GITHUB_OUTPUT", at("output"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).unwrap();
    let command = stdout.lines().find(|line| line.starts_with("::error "));
    assert!(
        command.unwrap().contains("file=mcp/linear.mcp-lock.json,"),
        "{stdout}"
    );
    let summary = std::fs::read_to_string(at("summary")).unwrap();
    assert!(summary.starts_with("# somebody else's\n"), "{summary}");
    assert!(summary.contains("What merging this approves"), "{summary}");
    let outputs = std::fs::read_to_string(at("output")).unwrap();
    assert!(outputs.contains("decision<<ghadelimiter_"), "{outputs}");
    assert!(
        outputs.contains(at("report").to_str().unwrap()),
        "{outputs}"
    );
}

#[test]
#[cfg(unix)]
fn a_place_that_cannot_be_written_is_told_and_changes_no_verdict() {
    let repo = Repo::new();
    let head = harmless(&repo);
    let run = Workspace::of(&repo, None, &head).pull_request("main", &head);
    let folder = run.path().to_str().unwrap();
    for variable in ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"] {
        for place in ["/dev/full", "/nonexistent/place", folder] {
            let mut command = run.command(&["--offline", "--format", "json"]);
            let told = told(&command.env(variable, place).output().unwrap());
            told.could_not_work(&format!("`{place}` cannot be written"));
            told.could_not_work(&format!("leave {variable} as the runner sets it"));
            assert_eq!(
                told.stderr.matches("could not work").count(),
                1,
                "{told:#?}"
            );
            assert_eq!(told.report["totals"]["lockfiles"], 2, "{told:#?}");
        }
    }
}

/// A place that will not do is told before any server is asked, and stays what it is.
#[test]
#[cfg(unix)]
fn a_report_goes_to_no_device_link_or_folder() {
    let repo = Repo::new();
    let head = harmless(&repo);
    let run = Workspace::of(&repo, None, &head).pull_request("main", &head);
    let link = run.path().join("link");
    std::os::unix::fs::symlink("README.md", &link).unwrap();
    for flag in ["--report", "--sarif"] {
        for place in ["/dev/full", "link", ".git", "nowhere/report.json"] {
            let told = run.check(&["--offline", flag, place]);
            told.could_not_work(&format!("`{place}` cannot be written"));
            assert_eq!(
                told.stderr.matches("could not work").count(),
                1,
                "{told:#?}"
            );
            assert!(told.report.is_null());
        }
    }
    assert!(link.is_symlink() && !std::path::Path::new("/dev/full").is_file());
}

/// No file may grow: what a full disk does to whoever writes. Each place is told once, and
/// standard output still has the verdicts.
#[test]
#[cfg(unix)]
fn a_full_disk_is_told_for_each_place_and_changes_no_verdict() {
    let repo = Repo::new();
    let head = unsigned(&repo);
    let run = Workspace::of(&repo, None, &head).pull_request("main", &head);
    let folder = tempfile::TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(at("report"), "the one before").unwrap();
    let mut command = run.command(&["--offline", "--format", "json"]);
    command.args(["--report", &at("report"), "--sarif", &at("sarif")]);
    let mut full = std::process::Command::new("/bin/sh");
    full.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(run.path());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => full.env(name, value),
            None => full.env_remove(name),
        };
    }
    full.env("GITHUB_STEP_SUMMARY", at("summary"))
        .env("GITHUB_OUTPUT", at("outputs"));
    let told = told(&full.output().unwrap());
    assert_eq!(told.report["decision"], "block", "{told:#?}");
    for name in ["report", "sarif", "summary", "outputs"] {
        told.could_not_work(&format!("`{}` cannot be written: ", at(name)));
    }
    assert_eq!(
        told.stderr.matches("cannot be written").count(),
        4,
        "{told:#?}"
    );
    assert_eq!(
        std::fs::read_to_string(at("report")).unwrap(),
        "the one before"
    );
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.len() <= 3, "no half report: {left:?}");
}

#[test]
fn what_was_typed_wrong_is_told_on_the_page_of_the_run() {
    let repo = Repo::new();
    let head = harmless(&repo);
    let run = Workspace::of(&repo, None, &head).pull_request("main", &head);
    for (flag, say) in [
        ("--conncurrency=7", "unexpected argument '--conncurrency'"),
        ("--concurrency=many", "'--concurrency <N>'"),
        (
            "--fail-on=sometimes",
            "[possible values: error, warning, never]",
        ),
        ("--shard=5/4", "not `I/N`"),
    ] {
        let output = run.command(&[flag]).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.starts_with("::error title=lockgate could not work::"),
            "{said}"
        );
        assert!(said.contains(say), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let output = run.start(&["check", "--help"]).output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
}
