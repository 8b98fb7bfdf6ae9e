//! Everything that can go wrong at GitHub: what is said, and what is there afterwards.

use std::time::Duration;

use lockgate::check::{Level, Rule};
use lockgate::message::Message;

use super::fake::{Fake, What, When};
use super::nights::{Repo, Server};
use crate::command::issues::Synced;

const NO_PERMISSION: What = What::Status(
    403,
    r#"{"message": "Resource not accessible by integration"}"#,
    &[],
);
const SECONDARY: What = What::Status(
    403,
    r#"{"message": "You have exceeded a secondary rate limit."}"#,
    &[("retry-after", "0")],
);
const TOO_LONG_A_WAIT: What = What::Status(
    403,
    r#"{"message": "You have exceeded a secondary rate limit."}"#,
    &[("retry-after", "60")],
);
const SPENT: What = What::Status(
    403,
    r#"{"message": "API rate limit exceeded"}"#,
    &[
        ("x-ratelimit-remaining", "0"),
        ("x-ratelimit-reset", "9999999999"),
    ],
);
const TOO_MANY: What = What::Status(429, "slow down", &[]);
const BAD_GATEWAY: What = What::Status(502, "<html>\u{1b}[2J<b>Bad Gateway</b></html>", &[]);
const UNAVAILABLE: What = What::Status(503, "", &[]);
const NOT_JSON: What = What::Status(201, "<html>welcome</html>", &[]);
const MOVED: What = What::Status(
    301,
    r#"{"message": "Moved Permanently", "url": "https://api.github.com/repositories/1"}"#,
    &[("location", "/repositories/1/issues")],
);
const MOVED_WRITE: What = What::Status(
    307,
    r#"{"message": "Temporary Redirect"}"#,
    &[("location", "/repositories/1/issues")],
);
const GONE: What = What::Status(
    410,
    r#"{"message": "Issues are disabled for this repo"}"#,
    &[],
);
const NOT_FOUND: What = What::Status(404, r#"{"message": "Not Found"}"#, &[]);
const UNAUTHORIZED: What = What::Status(401, r#"{"message": "Bad credentials"}"#, &[]);
const REFUSED: What = What::Status(
    422,
    r#"{"message": "Validation Failed", "errors": [{"resource": "Issue", "code": "custom", "field": "body", "message": "body is too long (maximum is 65536 characters)"}]}"#,
    &[],
);

/// A repository whose server drifted.
fn drifted() -> Repo {
    let fake = Fake::start();
    let mut repo = Repo::new(&fake, &fake.origin, vec![Server::new("linear")]);
    repo.servers[0].offers("another");
    repo
}

fn told(synced: &Synced) -> String {
    let told = synced.findings.iter().map(|finding| {
        assert_eq!(
            (finding.rule, finding.level),
            (Rule::GithubIssues, Level::Warning)
        );
        let hint = finding.hint.as_ref().map(Message::in_terminal);
        format!("{}\n  {}", finding.message.in_terminal(), hint.unwrap())
    });
    told.collect::<Vec<_>>().join("\n")
}

/// One night with that fault, at a request of that kind, and the night after it.
fn check(fault: (&'static str, &'static str, What), expect: &str) {
    let mut repo = drifted();
    let (method, path, what) = fault;
    repo.fake.fails_always(method, path, what);
    let synced = repo.troubled_night();
    let told = told(&synced);
    assert!(told.contains(expect), "{told}");
    assert!(
        !told.contains("ghs_secret") && !told.contains('\u{1b}'),
        "{told:?}"
    );
    repo.fake.state().faults.clear();
    repo.night();
    repo.night();
    let open = repo
        .fake
        .issues()
        .iter()
        .filter(|(_, issue)| issue.state == "open")
        .count();
    assert_eq!(open, 1, "the next run makes up for it");
    assert_eq!(repo.writes(), [""; 0]);
}

#[test]
fn what_is_refused_is_said_with_the_way_out() {
    let permission = "give the job `permissions: issues: write`";
    check(("POST", "/issues", NO_PERMISSION), permission);
    check(
        ("POST", "/issues", NO_PERMISSION),
        "not written: the issue `MCP tools changed: linear.example.com · 1 description`",
    );
    check(("GET", "/issues", NO_PERMISSION), permission);
    check(("POST", "/labels", NO_PERMISSION), permission);
    check(
        ("GET", "/issues", NOT_FOUND),
        "the repository is not there, or the token may not see it",
    );
    check(
        ("POST", "/issues", GONE),
        "has its issues disabled: `Issues are disabled for this repo`",
    );
    check(
        ("GET", "/issues", GONE),
        "enable issues in the repository's settings",
    );
    check(
        ("GET", "/issues", MOVED),
        "the repository was renamed or moved",
    );
    check(("POST", "/issues", MOVED_WRITE), "under its present name");
    check(
        ("GET", "/issues", UNAUTHORIZED),
        "GitHub does not accept the token",
    );
    check(
        ("POST", "/issues", REFUSED),
        "GitHub does not take it (422): `Validation Failed: body body is too long",
    );
    check(("GET", "/issues", TOO_LONG_A_WAIT), "asked too often");
    check(("POST", "/issues", SPENT), "asked too often");
    check(("POST", "/issues", TOO_MANY), "asked too often");
    check(
        ("GET", "/issues", BAD_GATEWAY),
        "GitHub has a fault (502): `<html>⟨U+001B⟩[2J<b>Bad Gateway</b></html>`",
    );
    check(("POST", "/issues", UNAVAILABLE), "GitHub has a fault (503)");
    check(
        ("GET", "/issues", NOT_JSON),
        "the answer is not one of GitHub's",
    );
    check(("GET", "/issues", What::Drop), "no answer from GitHub");
    check(("POST", "/issues", What::Drop), "no answer from GitHub");
}

#[test]
fn what_passes_is_waited_for() {
    for (method, path, what) in [
        ("GET", "/issues", SECONDARY),
        ("GET", "/issues", BAD_GATEWAY),
        ("GET", "/issues", TOO_MANY),
        ("GET", "/issues", What::Drop),
        ("POST", "/issues", SECONDARY),
        ("POST", "/issues", TOO_MANY),
        ("POST", "/issues", BAD_GATEWAY),
        ("POST", "/issues", What::Drop),
        ("POST", "/labels", SECONDARY),
    ] {
        let mut repo = drifted();
        repo.fake.fails(method, path, When::Instead, what.clone());
        repo.night();
        assert_eq!(repo.fake.issues().len(), 1, "{method} {path} {what:?}");
    }
}

#[test]
fn what_was_opened_although_no_answer_came_is_opened_once() {
    for what in [BAD_GATEWAY, UNAVAILABLE, NOT_JSON, What::Drop, What::Hang] {
        let mut repo = drifted();
        repo.pace.request = Duration::from_millis(400);
        repo.fake
            .fails("POST", "/issues", When::AfterIt, what.clone());
        assert_eq!(repo.night().issues, [1], "{what:?}");
        let log = repo.fake.log();
        let opened = log
            .iter()
            .filter(|line| *line == "POST /repos/acme/widgets/issues")
            .count();
        assert_eq!(opened, 2, "the issue once, and the tracker: {log:?}");
        assert_eq!(repo.fake.issues().len(), 1);
        repo.night();
        assert_eq!(repo.writes(), [""; 0]);
    }
}

#[test]
fn a_change_may_be_sent_twice_and_a_comment_is_not() {
    for (method, path, what) in [
        ("PATCH", "/issues/1", BAD_GATEWAY),
        ("PATCH", "/issues/1", What::Drop),
        ("POST", "/issues/1/comments", BAD_GATEWAY),
        ("POST", "/issues/1/comments", What::Drop),
        ("POST", "/issues/1/comments", NOT_JSON),
        ("POST", "/issues/1/comments", SECONDARY),
    ] {
        for when in [When::Instead, When::AfterIt] {
            if when == When::Instead && matches!(what, What::Status(201, ..)) {
                continue;
            }
            if when == When::AfterIt && matches!(what, What::Status(403, ..)) {
                continue;
            }
            let mut repo = drifted();
            repo.night();
            repo.servers[0].offers("yet another");
            repo.fake.fails(method, path, when, what.clone());
            repo.night();
            let issue = repo.fake.issues()[0].1.clone();
            assert_eq!(issue.comments.len(), 1, "{method} {when:?} {what:?}");
            assert!(issue.body.contains("yet another"));
        }
    }
}

#[test]
fn one_issue_that_is_gone_or_refused_does_not_stop_the_others() {
    for what in [GONE, NOT_FOUND, MOVED, REFUSED] {
        let mut repo = drifted();
        repo.servers.push(Server::new("other"));
        repo.servers[1].offers("another");
        repo.night();
        repo.servers
            .iter_mut()
            .for_each(|server| server.offers("yet another"));
        repo.fake.fails("PATCH", "/issues/1", When::Instead, what);
        let synced = repo.troubled_night();
        let told = told(&synced);
        assert!(
            told.starts_with("not written: the change of issue 1; "),
            "{told}"
        );
        assert!(repo.fake.issues()[1].1.body.contains("yet another"));
        assert!(repo.fake.tracker().body.contains("2 changed"));
    }
}

#[test]
fn when_github_is_gone_every_name_is_told() {
    let mut repo = drifted();
    repo.servers.push(Server::new("other"));
    repo.servers[1].offers("another");
    repo.fake.fails_always("POST", "/issues", UNAVAILABLE);
    let synced = repo.troubled_night();
    assert_eq!(synced.findings.len(), 1);
    let told = told(&synced);
    for name in [
        "linear.example.com",
        "other.example.com",
        "the MCP servers of this repository",
    ] {
        assert!(told.contains(name), "{told}");
    }
    let log = repo.fake.log();
    let posts = log
        .iter()
        .filter(|line| line.ends_with("POST /repos/acme/widgets/issues"));
    assert_eq!(
        posts.count(),
        2,
        "the first one, after a look once more, and no further: {log:?}"
    );
}

#[test]
fn a_hang_ends() {
    let mut repo = drifted();
    repo.pace.request = Duration::from_millis(200);
    repo.pace.attempts = 2;
    repo.fake.fails_always("GET", "/issues", What::Hang);
    let begun = std::time::Instant::now();
    let told = told(&repo.troubled_night());
    assert!(told.contains("no answer from GitHub in time"), "{told}");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_wait_longer_than_the_patience_is_not_begun() {
    let mut repo = drifted();
    repo.fake.fails_always("POST", "/issues", TOO_LONG_A_WAIT);
    let begun = std::time::Instant::now();
    repo.troubled_night();
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn writes_are_apart() {
    let mut repo = drifted();
    repo.pace.between_writes = Duration::from_millis(60);
    let begun = std::time::Instant::now();
    repo.night();
    let writes = repo
        .fake
        .log()
        .iter()
        .filter(|line| !line.starts_with("GET"))
        .count();
    assert_eq!(writes, 3, "label, issue, tracker");
    assert!(begun.elapsed() >= Duration::from_millis(120));
}

#[test]
fn whose_an_app_s_token_is_need_not_be_answered() {
    let refused = What::Status(200, r#"{"data": null, "errors": [{"message": "no"}]}"#, &[]);
    for what in [
        refused,
        NO_PERMISSION,
        NOT_FOUND,
        NOT_JSON,
        TOO_LONG_A_WAIT,
        BAD_GATEWAY,
    ] {
        let mut repo = drifted();
        repo.fake.fails_always("POST", "/graphql", what);
        repo.night();
        repo.night();
        assert_eq!(
            repo.fake.issues().len(),
            1,
            "the workflow's own name is known"
        );
        assert_eq!(repo.writes(), [""; 0]);
    }
    check(
        ("POST", "/graphql", UNAUTHORIZED),
        "GitHub does not accept the token",
    );
    check(("POST", "/graphql", What::Drop), "no answer from GitHub");
}

#[test]
fn what_would_not_be_known_again_is_closed_and_forgotten() {
    let mut repo = drifted();
    repo.servers.push(Server::new("other"));
    repo.servers[1].offers("another");
    repo.fake.state().login = "acme-bot[bot]".to_owned();
    repo.fake.fails_always("POST", "/graphql", NOT_FOUND);
    let told = told(&repo.troubled_night());
    assert!(
        told.contains("the token writes as `acme-bot[bot]`"),
        "{told}"
    );
    let issues = repo.fake.issues();
    assert_eq!(issues.len(), 1);
    assert_eq!(issues[0].1.state, "closed");
    assert!(!issues[0].1.body.contains("<!--"), "{}", issues[0].1.body);
    // It is not taken for one that a person closed.
    repo.fake.state().faults.clear();
    repo.night();
    let state = |issue: &(u64, super::fake::Issue)| issue.1.state.clone();
    let states: Vec<String> = repo.fake.issues().iter().map(state).collect();
    assert_eq!(states, ["closed", "open", "open"]);
    repo.night();
    assert_eq!(repo.writes(), [""; 0]);
}

#[test]
fn a_token_that_may_not_label_opens_no_second_issue() {
    let mut repo = drifted();
    repo.fake.state().labels_stick = false;
    let told = told(&repo.troubled_night());
    assert!(told.contains("or may not label its issues"), "{told}");
    let closed = |issue: &(u64, super::fake::Issue)| issue.1.state == "closed";
    assert!(repo.fake.issues().iter().all(closed));
}

#[test]
fn an_enterprise_server_has_its_api_below_a_path() {
    for path in ["/api/v3", "/api/v3/"] {
        let mut repo = drifted();
        repo.api_url = format!("{}{path}", repo.fake.origin);
        repo.night();
        let log = repo.fake.log();
        assert!(
            log.iter()
                .all(|line| line.contains(" /api/v3/repos/acme/widgets/")),
            "{log:?}"
        );
        assert_eq!(repo.fake.state().asked_whose, ["/api/graphql"]);
    }
}
