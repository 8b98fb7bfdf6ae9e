//! One real repository an attack, named after it: which rule stops it, with which exit code.
//!
//! Every row is judged offline, as objects: rules first, packets after.
#![expect(
    clippy::disallowed_methods,
    reason = "builds repositories and reads what the binary said"
)]

mod common;
mod repo;

use std::fs;

use repo::*;

/// One row an attack: the repository of [`Repo::new`] is changed and committed, and then
/// judged against base.
macro_rules! attacks {
    ($($name:ident: $change:expr => $rules:expr;)*) => {
        $(#[test]
        fn $name() {
            let repo = Repo::new();
            let change: fn(&Repo) = $change;
            change(&repo);
            repo.commit();
            repo.judge().fails_by(&$rules);
        })*
    };
}

// Who signed.
attacks! {
    nothing_changed: |_| {} => [];
    lockfile_and_key_file_changed_together: |repo| {
        repo.write(TRUST, trust("", &[("mallory", MALLORY)]));
        repo.write(LINEAR, lockfile("linear", 8, &[MALLORY]));
    } => ["trust-root-changed", "unsigned-change", "untrusted-signature", "orphaned-approval"];
    unsigned_change: |repo| {
        repo.write(LINEAR, lockfile("linear", 8, &[]));
    } => ["unsigned-change"];
    unsigned_lockfile_added: |repo| {
        repo.write("mcp/new.mcp-lock.json", lockfile("new", 8, &[]));
    } => ["unsigned-change"];
    signature_stripped: |repo| {
        repo.write(LINEAR, lockfile("linear", 7, &[]));
    } => ["unsigned-change"];
    signed_by_a_stranger: |repo| {
        repo.write(LINEAR, lockfile("linear", 8, &[MALLORY]));
    } => ["unsigned-change", "untrusted-signature"];
    signature_of_another_lockfile: |repo| {
        let mut forged: serde_json::Value = serde_json::from_str(&lockfile("linear", 8, &[])).unwrap();
        let other: serde_json::Value = serde_json::from_str(&lockfile("linear", 7, &[BOB, ALICE])).unwrap();
        forged["signatures"] = other["signatures"].clone();
        repo.write(LINEAR, forged.to_string());
    } => ["unsigned-change", "bad-signature"];
    tools_edited_under_a_signature: |repo| {
        repo.write(LINEAR, repo.read(LINEAR).replace("as of 7", "as of 8"));
    } => ["lockfile-refused"];
    approved_by_an_approver: |repo| {
        repo.write(LINEAR, lockfile("linear", 8, &[BOB]));
    } => [];
}

/// The keys of base, the policy, the signers of the change, and what fails.
fn signers(policy: &str, keys: &str, seeds: &[u8], rules: &[&str]) {
    let repo = Repo::empty();
    repo.write(TRUST, format!("[policy]\n{policy}\n{keys}"));
    repo.commit();
    repo.branch();
    repo.write(LINEAR, lockfile("linear", 8, seeds));
    repo.commit();
    repo.judge().fails_by(rules);
}

#[test]
fn signed_by_keys_that_do_not_count() {
    let alice = key("alice", ALICE, "approver", "");
    let both = ["unsigned-change", "untrusted-signature"];
    let with = |more: &str| key("alice", ALICE, "approver", more);
    signers("", &alice, &[ALICE], &[]);
    signers("", &with("not_after = 2024-01-01"), &[ALICE], &both);
    signers("", &with("state = \"compromised\""), &[ALICE], &both);
    signers("", &with("state = \"retired\""), &[ALICE], &both);
    let issuer = alice.clone() + &key("service", SERVICE, "issuer", "");
    signers("", &issuer, &[SERVICE], &["unsigned-change"]);
    signers("", &issuer, &[SERVICE, ALICE], &[]);
    let two_keys =
        alice.clone() + &key("alice", ALICE_TOO, "approver", "") + &key("bob", BOB, "approver", "");
    signers(
        "approvals = 2",
        &two_keys,
        &[ALICE, ALICE_TOO],
        &["unsigned-change"],
    );
    signers(
        "approvals = 2",
        &two_keys,
        &[ALICE, ALICE],
        &["unsigned-change"],
    );
    signers("approvals = 2", &two_keys, &[ALICE, BOB], &[]);
    signers("signatures = \"off\"", &alice, &[], &[]);
    signers(
        "audience = \"production\"",
        &alice,
        &[ALICE],
        &["wrong-audience"],
    );
}

#[test]
fn whoever_cannot_mend_it_reads_who_can() {
    let repo = Repo::new();
    repo.write("mcp/new.mcp-lock.json", lockfile("new", 8, &[]));
    repo.write("mcp/odd name;x.mcp-lock.json", lockfile("odd", 8, &[]));
    repo.commit();
    let told = repo.judge();
    told.says("unsigned-change", "`alice`, `bob`")
        .says(
            "unsigned-change",
            "`lockgate approve mcp/new.mcp-lock.json`",
        )
        .says("unsigned-change", "you have done your part")
        .says("unsigned-change", "`lockgate approve`;");
    let hints = told.report["findings"].to_string();
    assert!(
        !hints.contains("approve mcp/odd"),
        "a path that a shell would obey: {hints}"
    );
}

// Which server, and when.
attacks! {
    another_servers_lockfile_moved_here: |repo| {
        repo.write(LINEAR, repo.read(GITHUB));
    } => ["lockfile-removed", "server-without-lockfile"];
    another_server_at_this_path_unsigned: |repo| {
        repo.write(LINEAR, lockfile("evil", 8, &[]));
    } => ["unsigned-change", "url-changed", "lockfile-removed", "server-without-lockfile"];
    older_lockfile_restored: |repo| {
        repo.write(LINEAR, lockfile("linear", 6, &[ALICE]));
    } => ["rollback"];
    older_lockfile_beside_the_newer: |repo| {
        repo.write("mcp/z.mcp-lock.json", lockfile("linear", 6, &[ALICE]));
    } => ["rollback", "duplicate-server"];
    equal_time_another_seal: |repo| {
        repo.write(LINEAR, lockfile_of("linear", "2025-10-07T10:00:00Z", "other words", &[ALICE]));
    } => ["equivocation"];
    a_date_in_the_future: |repo| {
        repo.write(LINEAR, lockfile_of("linear", "2999-10-07T10:00:00Z", "later", &[ALICE]));
    } => ["from-future"];
    two_lockfiles_of_one_server_disagree: |repo| {
        repo.write("mcp/z.mcp-lock.json", lockfile("linear", 8, &[ALICE]));
    } => ["duplicate-server"];
}

#[test]
fn deleted_in_one_change_and_the_older_one_added_in_the_next() {
    let repo = Repo::with_policy("removed = [\"https://linear.example.com/mcp\"]");
    let old = repo.read(LINEAR);
    repo.write(LINEAR, lockfile("linear", 8, &[ALICE]));
    repo.commit();
    repo.remove(LINEAR);
    repo.write(".mcp.json", clients(&["github"]));
    let base = repo.commit();
    repo.git(&["branch", "-f", "main", &base]);
    repo.write(LINEAR, old);
    repo.commit();
    repo.judge().fails_by(&["rollback"]);
}

// Where it is, and as what.
attacks! {
    deleted: |repo| { repo.remove(LINEAR); } => ["lockfile-removed", "server-without-lockfile"];
    deleted_with_its_config: |repo| {
        repo.remove(LINEAR);
        repo.write(".mcp.json", clients(&["github"]));
    } => ["lockfile-removed"];
    renamed_out_of_sight: |repo| {
        repo.git(&["mv", LINEAR, "mcp/linear.txt"]);
    } => ["lockfile-removed", "server-without-lockfile"];
    renamed: |repo| { repo.git(&["mv", LINEAR, "renamed.mcp-lock.json"]); } => [];
    renamed_but_for_case: |repo| { repo.git(&["mv", LINEAR, "mcp/Linear.mcp-lock.json"]); } => [];
    a_twin_but_for_case: |repo| {
        repo.write("mcp/LINEAR.mcp-lock.json", repo.read(LINEAR));
    } => ["not-a-plain-file"];
    a_twin_of_the_trust_file: |repo| {
        repo.write(".GitHub/Lockgate.toml", trust("", &[("mallory", MALLORY)]));
    } => ["not-a-plain-file"];
    hidden_by_gitignore: |repo| {
        repo.write(".gitignore", "*.json\nmcp\n");
        repo.write("mcp/new.json", lockfile("new", 8, &[]));
    } => ["unsigned-change"];
    kind_written_with_escapes: |repo| {
        let text = lockfile("new", 8, &[]).replace("crawlcheck-mcp-lock", "crawlcheck\\u002dmcp-lock");
        repo.write("data/innocent.json", text);
    } => ["unsigned-change"];
    kind_kept_but_json_broken: |repo| {
        repo.write(LINEAR, repo.read(LINEAR).replacen(',', "", 1));
    } => ["lockfile-refused"];
    conflict_marks: |repo| {
        repo.write(LINEAR, format!("<<<<<<< ours\n{}", repo.read(LINEAR)));
    } => ["lockfile-refused"];
    utf_16: |repo| {
        let wide: Vec<u8> = repo.read(LINEAR).encode_utf16().flat_map(u16::to_le_bytes).collect();
        repo.write(LINEAR, wide);
    } => ["lockfile-refused"];
    emptied: |repo| { repo.write(LINEAR, ""); } => ["lockfile-refused"];
    too_large: |repo| {
        repo.write(LINEAR, vec![b' '; 9 * 1024 * 1024]);
    } => ["not-a-plain-file"];
    lfs_pointer: |repo| {
        repo.write(LINEAR, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n");
    } => ["lockfile-refused", "not-a-plain-file"];
    a_line_feed_in_the_path: |repo| {
        repo.write("mcp/a\n::error::b.mcp-lock.json", lockfile("new", 8, &[]));
    } => ["unsigned-change"];
    right_to_left_marks_in_the_path: |repo| {
        repo.write("mcp/\u{202e}a.mcp-lock.json", lockfile("new", 8, &[]));
    } => ["unsigned-change"];
}

#[cfg(unix)]
#[test]
fn a_symbolic_link() {
    let repo = Repo::new();
    repo.git(&["mv", LINEAR, "mcp/real.txt"]);
    std::os::unix::fs::symlink("real.txt", repo.at(LINEAR)).unwrap();
    repo.commit();
    repo.judge().fails_by(&["not-a-plain-file"]);
}

#[test]
fn a_submodule() {
    let repo = Repo::new();
    repo.git(&["rm", "-q", LINEAR]);
    repo.index("160000", LINEAR, "");
    repo.commit_index();
    repo.judge().fails_by(&["not-a-plain-file"]);
}

#[cfg(unix)]
#[test]
fn two_paths_that_read_alike() {
    use std::os::unix::ffi::OsStrExt;
    let repo = Repo::new();
    for name in [&b"mcp/\xff.mcp-lock.json"[..], b"mcp/\xfe.mcp-lock.json"] {
        let path = repo.path().join(std::ffi::OsStr::from_bytes(name));
        fs::write(
            path,
            lockfile(if name[4] == 0xff { "a" } else { "b" }, 8, &[]),
        )
        .unwrap();
    }
    repo.commit();
    let told = repo.judge();
    told.fails_by(&["unsigned-change", "not-a-plain-file"]);
    let answers = told.report["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 4, "{told:#?}");
}

#[test]
fn an_attribute_that_rewrites_what_is_checked_out() {
    let repo = Repo::new();
    repo.write(
        ".gitattributes",
        "*.mcp-lock.json working-tree-encoding=UTF-16LE-BOM\n",
    );
    repo.git(&["add", ".gitattributes"]);
    repo.commit_index();
    fs::remove_dir_all(repo.at("mcp")).unwrap();
    repo.git(&["checkout", "-q", "--", "mcp"]);
    repo.judge().fails_by(&["not-a-plain-file"]);
}

#[test]
fn the_path_never_reaches_the_terminal_raw() {
    let repo = Repo::new();
    repo.write(
        "mcp/a\n::error::b\u{202e}.mcp-lock.json",
        lockfile("new", 8, &[]),
    );
    repo.commit();
    let output = lockgate(
        repo.path(),
        &["check", "--offline", "--base", "main", "--head", "HEAD"],
    )
    .output()
    .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        !text.lines().any(|line| line.trim_start().starts_with("::")),
        "{text}"
    );
    assert!(text.contains("⟨U+202E⟩"), "{text}");
}

// The trust file.
attacks! {
    trust_file_deleted: |repo| { repo.remove(TRUST); } => ["trust-root-changed"];
    trust_file_loosened: |repo| {
        repo.write(TRUST, trust("signatures = \"off\"", &[("alice", ALICE), ("bob", BOB)]));
    } => ["trust-root-changed"];
    trust_file_signed_by_a_stranger: |repo| {
        let next = trust("", &[("alice", ALICE), ("mallory", MALLORY)]);
        repo.sign_trust(&repo.read(TRUST), &next, &[MALLORY]);
    } => ["trust-root-changed"];
    trust_file_of_another_repository: |repo| {
        let next = trust("", &[("mallory", MALLORY)]);
        repo.sign_trust("another repository's trust file", &next, &[ALICE]);
    } => ["trust-root-changed", "orphaned-approval"];
    trust_file_that_cannot_be_read: |repo| {
        let next = "[policy]\nsurprise = 1\n";
        repo.sign_trust(&repo.read(TRUST), next, &[ALICE]);
    } => ["trust-root-changed"];
    approver_added_by_base: |repo| {
        let next = trust("", &[("alice", ALICE), ("bob", BOB), ("carol", 5)]);
        repo.sign_trust(&repo.read(TRUST), &next, &[BOB]);
        repo.write(LINEAR, lockfile("linear", 8, &[5]));
    } => [];
    approver_leaves_and_orphans: |repo| {
        let next = trust("", &[("bob", BOB)]);
        repo.sign_trust(&repo.read(TRUST), &next, &[ALICE]);
    } => ["orphaned-approval", "unsigned-lockfile"];
    approver_leaves_and_another_signs: |repo| {
        let next = trust("", &[("bob", BOB)]);
        repo.sign_trust(&repo.read(TRUST), &next, &[ALICE]);
        repo.write(LINEAR, lockfile("linear", 7, &[ALICE, BOB]));
        repo.write(GITHUB, lockfile("github", 7, &[ALICE, BOB]));
    } => [];
    server_given_up_by_base: |repo| {
        let next = trust("removed = [\"https://linear.example.com/mcp\"]", &[("alice", ALICE), ("bob", BOB)]);
        repo.sign_trust(&repo.read(TRUST), &next, &[ALICE]);
        repo.remove(LINEAR);
        repo.write(".mcp.json", clients(&["github"]));
    } => [];
}

#[test]
fn an_old_signed_trust_file_restored() {
    let repo = Repo::new();
    let first = repo.read(TRUST);
    let second = trust(
        "approvals = 1",
        &[("alice", ALICE), ("bob", BOB), ("carol", 5)],
    );
    repo.sign_trust(&first, &second, &[ALICE]);
    repo.commit();
    let (text, signature) = (repo.read(TRUST), repo.read(SIGNATURE));
    let third = trust("approvals = 1", &[("alice", ALICE), ("bob", BOB)]);
    repo.sign_trust(&second, &third, &[ALICE]);
    let base = repo.commit();
    repo.git(&["branch", "-f", "main", &base]);
    repo.write(TRUST, text);
    repo.write(SIGNATURE, signature);
    repo.commit();
    repo.judge().fails_by(&["trust-root-changed"]);
}

#[test]
fn own_key_brought_to_a_repository_that_has_lockfiles() {
    let repo = Repo::empty();
    repo.two_servers();
    repo.commit();
    repo.branch();
    repo.write(TRUST, trust("", &[("mallory", MALLORY)]));
    repo.write(LINEAR, lockfile("linear", 8, &[MALLORY]));
    repo.commit();
    let told = repo.judge();
    told.fails_by(&["trust-root-changed"]);
    assert_eq!(told.report["signatures"], "not-checked");
}

// The client configs.
attacks! {
    config_gains_a_server: |repo| {
        repo.write(".mcp.json", clients(&["linear", "github", "evil"]));
    } => ["server-without-lockfile"];
    another_config_gains_a_server: |repo| {
        repo.write("packages/x/.cursor/mcp.json", clients(&["evil"]));
    } => ["server-without-lockfile"];
    config_url_moves_while_the_lockfile_stays: |repo| {
        repo.write(".mcp.json", repo.read(".mcp.json").replace("linear.example.com", "evil.example.com"));
    } => ["server-without-lockfile"];
    http_server_becomes_stdio: |repo| {
        repo.write(".mcp.json", r#"{"mcpServers": {"linear": {"command": "npx", "args": ["evil"]}, "github": {"url": "https://github.example.com/mcp"}}}"#);
    } => ["server-without-lockfile"];
    bridge_to_an_endpoint_without_lockfile: |repo| {
        repo.write(".mcp.json", r#"{"mcpServers": {"x": {"command": "npx", "args": ["-y", "mcp-remote", "https://evil.example.com/mcp"]}}}"#);
    } => ["server-without-lockfile"];
    config_depends_on_a_variable: |repo| {
        repo.write(".mcp.json", clients(&["linear", "github"]).replace("https://linear.example.com/mcp", "${URL}"));
    } => ["cannot-tell"];
    config_with_a_default: |repo| {
        repo.write(".mcp.json", clients(&["linear", "github"]).replace("https://linear.example.com/mcp", "${URL:-https://linear.example.com/mcp}"));
    } => [];
    config_with_twins: |repo| {
        repo.write(".mcp.json", r#"{"mcpServers": {"linear": {"url": "https://evil.example.com"}, "linear": {"url": "https://linear.example.com/mcp"}}}"#);
    } => ["cannot-tell"];
}

#[test]
fn what_was_uncovered_already_is_a_warning() {
    let repo = Repo::empty();
    repo.write(
        ".mcp.json",
        clients(&["linear", "fs"]).replace(
            "\"url\":\"https://fs.example.com/mcp\"",
            "\"command\":\"fs\"",
        ),
    );
    repo.write(LINEAR, lockfile("linear", 7, &[]));
    repo.write(
        ".vscode/mcp.json",
        "{\"servers\": {\"old\": {\"url\": \"https://old.example.com/mcp\"},}, // x\n}",
    );
    repo.commit();
    repo.branch();
    let told = repo.judge();
    told.warns_of("server-without-lockfile").passes();
    told.says("server-without-lockfile", "`fs` starts a program")
        .says("server-without-lockfile", "`old` leads to");
}

#[test]
fn the_gate_itself_changed() {
    let repo = Repo::new();
    repo.write(
        ".github/workflows/mcp.yml",
        "jobs: {a: {steps: [{uses: mallory/lockgate@0}]}}\n",
    );
    repo.write(".github/workflows/other.yml", "jobs: {}\n");
    repo.commit();
    let told = repo.judge();
    told.warns_of("gate-changed").passes();
    assert_eq!(
        told.report["findings"].as_array().unwrap().len(),
        1,
        "{told:#?}"
    );
}

/// On a person's machine, too, the tip of the default branch says whose keys count.
#[test]
fn a_branch_from_before_a_key_was_taken_away() {
    let repo = Repo::new();
    repo.main_moves_on();
    repo.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    repo.write(LINEAR, lockfile("linear", 9, &[ALICE]));
    repo.commit();
    let told = repo.check(&["--offline", LINEAR]);
    told.warns_of("untrusted-signature")
        .fails_by(&["unsigned-lockfile"]);
}
