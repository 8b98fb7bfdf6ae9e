//! `tests/vectors/*.json` → the reader, the writer and the digests: every row reproduced.
//!
//! The rows were made by Node and Python programs that share no code with this crate.
//! `canonical.json` is for the reader and the writer (nesting counts from the root);
//! `tools.json` pins tools and lists of them. A missing row fails, a failing row is named.
#![expect(
    clippy::expect_used,
    reason = "a vector file that is not what it should be fails the test"
)]

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lockgate::json;
use lockgate::lock::tools_sha256;
use lockgate::{Digest, Tool};
use serde::Deserialize;

/// How many rows there are: texts accepted, texts refused, tools, lists.
const ROWS: [usize; 4] = [34, 32, 13, 4];

#[derive(Deserialize)]
struct Texts {
    vectors: Vec<TextRow>,
}

#[derive(Deserialize)]
struct TextRow {
    id: String,
    input_b64: Option<String>,
    input_gen: Option<String>,
    expect: String,
    error: Option<String>,
    #[serde(default)]
    notices: Vec<String>,
    canonical: Option<String>,
    sha256: Option<String>,
}

#[derive(Deserialize)]
struct Tools {
    tools: Vec<ToolRow>,
    lists: Vec<ListRow>,
}

#[derive(Deserialize)]
struct ToolRow {
    id: String,
    input: String,
    canonical: String,
    sha256: String,
}

#[derive(Deserialize)]
struct ListRow {
    id: String,
    tool_hashes: Vec<String>,
    tools_sha256: String,
}

/// One row: `found` must equal `expect`, else `id` and what differs are told.
fn check<T: PartialEq + std::fmt::Debug>(id: &str, what: &str, found: T, expect: T) {
    assert_eq!(found, expect, "row `{id}`: {what}");
}

#[test]
fn texts() {
    let file: Texts =
        serde_json::from_str(include_str!("vectors/canonical.json")).expect("canonical.json");
    let (accepted, refused): (Vec<_>, Vec<_>) =
        file.vectors.iter().partition(|row| row.expect == "accept");
    assert_eq!([accepted.len(), refused.len()], [ROWS[0], ROWS[1]]);
    accepted.into_iter().for_each(check_accepted);
    refused.into_iter().for_each(check_refused);
}

fn check_accepted(row: &TextRow) {
    let input = input(row);
    let document = json::read(&input);
    check(&row.id, "refused", document.as_ref().err(), None);
    let document = document.expect("checked above");
    let canonical = json::canonical(&document.root);
    let digest = Digest::of(&canonical).to_string();
    check(&row.id, "sha256", Some(&digest), row.sha256.as_ref());
    if let Some(expect) = &row.canonical {
        check(&row.id, "canonical form", &canonical, expect);
    }
    let mut notices: Vec<String> = document
        .notices
        .iter()
        .map(|notice| notice.kind.to_string())
        .collect();
    notices.dedup();
    check(&row.id, "notices", &notices, &row.notices);
}

fn check_refused(row: &TextRow) {
    let input = input(row);
    let reason = json::read(&input)
        .err()
        .map(|error| error.reason.to_string());
    check(&row.id, "reason", &reason, &row.error);
}

/// The bytes of a row; three deep ones are made here.
fn input(row: &TextRow) -> Vec<u8> {
    let nested = |open: &str, core: &str, close: &str, levels| {
        [&open.repeat(levels), core, &close.repeat(levels)]
            .concat()
            .into_bytes()
    };
    match (&row.input_b64, row.input_gen.as_deref()) {
        (Some(base64), _) => BASE64_STANDARD.decode(base64).expect(&row.id),
        (None, Some("nesting depth 5000")) => nested("[", "1", "]", 5000),
        (None, Some("nesting depth 20000")) => nested("[", "1", "]", 20000),
        (None, Some("object nesting depth 500")) => nested("{\"a\":", "1", "}", 500),
        (None, other) => unreachable!("row `{}`: no way to make {other:?}", row.id),
    }
}

#[test]
fn tools_and_lists() {
    let file: Tools = serde_json::from_str(include_str!("vectors/tools.json")).expect("tools.json");
    assert_eq!(
        [file.tools.len(), file.lists.len()],
        [ROWS[2], ROWS[3]],
        "rows"
    );
    file.tools.iter().for_each(check_tool);
    file.lists.iter().for_each(check_list);
}

fn check_tool(row: &ToolRow) {
    let document = json::read(row.input.as_bytes()).expect(&row.id);
    let tool = Tool::read(&document.root).expect(&row.id);
    check(
        &row.id,
        "sha256",
        tool.sha256().to_string(),
        row.sha256.clone(),
    );
    let member = |name| {
        document
            .root
            .member(name)
            .map_or("null".to_owned(), json::canonical)
    };
    let beyond_v1 = format!(
        ",\"outputSchema\":{},\"title\":{}}}",
        member("outputSchema"),
        member("title")
    );
    let four = row.canonical.strip_suffix('}').expect(&row.id);
    let found = tool.canonical();
    check(&row.id, "the v1 part", found.get(..four.len()), Some(four));
    check(
        &row.id,
        "the rest",
        found.get(four.len()..),
        Some(&beyond_v1),
    );
    check(
        &row.id,
        "extended sha256",
        tool.extended_sha256(),
        Digest::of(found),
    );
}

fn check_list(row: &ListRow) {
    let digests = row
        .tool_hashes
        .iter()
        .map(|hash| hash.parse::<Digest>().expect(&row.id));
    let found = tools_sha256(digests).to_string();
    check(&row.id, "tools_sha256", &found, &row.tools_sha256);
}
