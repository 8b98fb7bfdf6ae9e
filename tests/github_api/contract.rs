//! Every life cycle again, with GitHub's own description of its API between us and the fake:
//! a request that it does not allow is answered 422, an answer of the fake's 500, and either
//! is a finding, which fails the life cycle. `tests/github_api/run` starts what is between.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use super::fake::{Fake, What, When};
use super::life::STORIES;

#[test]
#[ignore = "needs the proxy that tests/github_api/run starts"]
#[expect(clippy::disallowed_methods, reason = "where the proxy is")]
fn every_request_is_one_that_github_describes() {
    let proxy = std::env::var("LOCKGATE_TEST_GITHUB").expect("run tests/github_api/run");
    let port = std::env::var("LOCKGATE_TEST_GITHUB_PORT").unwrap();
    let fake = Fake::at(port.parse().unwrap());
    the_judge_is_awake(&fake, proxy.strip_prefix("http://").unwrap());
    for (name, story) in STORIES {
        println!("{name}");
        fake.forget();
        story(&fake, &proxy);
    }
}

/// A judge that lets everything pass would prove nothing.
fn the_judge_is_awake(fake: &Fake, proxy: &str) {
    let issues = "/repos/acme/widgets/issues";
    let good = r#"{"title": "t", "body": "b", "labels": ["lockgate"]}"#;
    assert_eq!(status(proxy, &format!("POST {issues}"), good), 201);
    for (target, body) in [
        (format!("POST {issues}"), r#"{"body": 5, "labels": "x"}"#),
        (format!("POST {issues}"), "{}"),
        (format!("PATCH {issues}/1"), r#"{"state": "nope"}"#),
        (
            format!("PATCH {issues}/1"),
            r#"{"state": "closed", "state_reason": "nope"}"#,
        ),
        (format!("POST {issues}/1/comments"), "{}"),
        (
            "POST /repos/acme/widgets/labels".to_owned(),
            r#"{"color": 5}"#,
        ),
        (format!("GET {issues}?state=nope"), ""),
        (format!("GET {issues}?sort=nope"), ""),
    ] {
        assert_eq!(status(proxy, &target, body), 422, "{target} {body}");
    }
    let json = &[("content-type", "application/json")];
    let wrong = What::Status(200, r#"[{"number": "none"}]"#, json);
    fake.fails("GET", "/issues", When::Instead, wrong);
    assert_eq!(status(proxy, &format!("GET {issues}"), ""), 500);
}

fn status(proxy: &str, target: &str, body: &str) -> u16 {
    let mut stream = TcpStream::connect(proxy).unwrap();
    let length = body.len();
    write!(
        stream,
        "{target} HTTP/1.1\r\nhost: {proxy}\r\nauthorization: Bearer ghs_x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    line.split(' ').nth(1).unwrap().parse().unwrap()
}
