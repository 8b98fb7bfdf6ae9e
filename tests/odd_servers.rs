//! Odd servers, one a row: what the client makes of each.
//!
//! Holds design §6 and the faults of MCP servers; all rows at once through one client.
#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, its server too"
)]

mod loopback;

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lockgate::Listing;
use lockgate::check::Unlisted;
use lockgate::untrusted::Untrusted;
use lockgate::world::mcp::{Endpoint, Mcp, Settings};
use loopback::rows::{L, M, N, ROWS, Row};
use loopback::{Asked, Canary, loopback};
use reqwest::header::{AUTHORIZATION, HeaderValue};
use tokio::task::JoinSet;

fn settings() -> Settings {
    Settings {
        deadline: Duration::from_secs(2),
        connect: Duration::from_secs(1),
        allow_private_hosts: vec!["127.0.0.1".into()],
        max_bytes: 4 << 20,
        max_bytes_in_flight: 64 << 20,
        per_host: usize::MAX >> 4,
    }
}

fn endpoint(path: &str, version: Option<&str>) -> Endpoint {
    Endpoint {
        url: loopback().url(path),
        headers: Vec::new(),
        protocol_version: version.map(str::to_owned),
    }
}

/// What came, in one line.
fn told(outcome: &Result<Listing, Unlisted>) -> String {
    let text = |text: Option<&Untrusted>| text.map_or("-", Untrusted::as_arrived).to_owned();
    let mut line = String::new();
    match outcome {
        Ok(listing) => {
            let names = listing.tools().iter().map(|tool| tool.name().as_arrived());
            match names.len() {
                100.. => write!(line, "listed {}", names.len()).unwrap(),
                _ => write!(line, "listed {}", names.collect::<Vec<_>>().join(" ")).unwrap(),
            }
            let info = listing.server_info();
            let version = text(listing.protocol_version());
            let name = text(info.map(|info| &info.name));
            let number = text(info.map(|info| &info.version));
            let notices = listing.notices();
            write!(line, "; {version} {name} {number} {notices:?}").unwrap();
        }
        Err(unlisted) => {
            let Unlisted {
                reason,
                detail,
                said,
                hint,
            } = unlisted;
            let (said, hint) = (text(said.as_ref()), hint.as_deref().unwrap_or("-"));
            write!(line, "{reason}; {detail}; said {said}; hint {hint}").unwrap();
        }
    }
    line
}

/// Runs rows at once through one client and gives those that came out otherwise.
async fn wrong_rows(rows: &[Row], prefix: &str, mcp: &Arc<Mcp>) -> Vec<String> {
    let mut asking = JoinSet::new();
    for (at, (path, version, outcome, words)) in rows.iter().copied().enumerate() {
        let endpoint = endpoint(&format!("{prefix}{at}/{path}"), version);
        let mcp = Arc::clone(mcp);
        asking.spawn(async move {
            let told = told(&mcp.list_tools(&endpoint).await);
            let first = told.split(';').next().unwrap_or_default().trim_end();
            let right = first == outcome && told.contains(words);
            (!right).then(|| format!("{path}: {outcome} ({words}) expected, came {told}"))
        });
    }
    asking.join_all().await.into_iter().flatten().collect()
}

#[tokio::test]
async fn every_odd_server_has_its_answer() {
    let start = Instant::now();
    let mcp = Arc::new(Mcp::new(settings()));
    let wrong = wrong_rows(ROWS, "row", &mcp).await;
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let took = start.elapsed();
    assert!(
        took < Duration::from_secs(8),
        "{} rows took {took:?}",
        ROWS.len()
    );
}

/// One permit for all that send much, so that they wait for each other.
#[tokio::test]
async fn hostile_servers_leave_good_ones_alone() {
    let hostile = ROWS.iter().filter(|row| !row.2.starts_with("listed"));
    let good = ROWS
        .iter()
        .filter(|row| matches!(row.0, "plain" | "modern" | "large" | "sse-large"));
    let rows: Vec<Row> = hostile.chain(good.cycle().take(40)).copied().collect();
    let mcp = Arc::new(Mcp::new(Settings {
        max_bytes_in_flight: 1,
        ..settings()
    }));
    let wrong = wrong_rows(&rows, "mixed", &mcp).await;
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[tokio::test]
async fn waiting_for_a_turn_does_not_count() {
    let mcp = Arc::new(Mcp::new(Settings {
        deadline: Duration::from_millis(400),
        per_host: 1,
        ..settings()
    }));
    let silent = ("silent-for-ever", L, "timeout", "");
    let rows = [silent, silent, silent, ("plain", L, "listed a", "")];
    let start = Instant::now();
    let wrong = wrong_rows(&rows, "turn", &mcp).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        start.elapsed() > Duration::from_millis(1_200),
        "one at a time"
    );
}

#[tokio::test]
async fn servers_that_ask_are_refused() {
    for (path, answers) in [
        ("asks/sse-asks", 2),
        ("asks/sse-waits-for-us", 1),
        ("asks/sse-asks-much", 16),
    ] {
        let mcp = Mcp::new(settings());
        let listed = mcp.list_tools(&endpoint(path, L)).await;
        assert!(listed.is_ok(), "{path}: {}", told(&listed));
        mcp.farewells().await;
        let asked = loopback().asked(path);
        let refusals = asked.iter().filter(|a| a.body.contains("-32601"));
        assert_eq!(refusals.clone().count(), answers, "{path}");
        for refusal in refusals {
            assert!(
                matches!(refusal.id.as_str(), "99" | "\"r\""),
                "{}",
                refusal.body
            );
            assert_eq!(refusal.header("mcp-session-id"), Some("s1"));
        }
    }
}

#[tokio::test]
async fn sessions_are_echoed_and_taken_leave_of() {
    for path in ["leave/cursor-one", "leave/rpc-error"] {
        let mcp = Mcp::new(settings());
        let _either = mcp.list_tools(&endpoint(path, L)).await;
        mcp.farewells().await;
        let mut asked = loopback().asked(path);
        let hello = asked.remove(0);
        assert_eq!(hello.header("mcp-session-id"), None);
        assert_eq!(hello.header("mcp-protocol-version"), None);
        assert_eq!(
            asked.last().map(|a| a.verb.as_str()),
            Some("DELETE"),
            "{path}"
        );
        for later in asked {
            assert_eq!(later.header("mcp-session-id"), Some("s1"), "{later:?}");
            assert_eq!(
                later.header("mcp-protocol-version"),
                Some("2025-06-18"),
                "{later:?}"
            );
            assert_eq!(later.header("mcp-method"), None, "{later:?}");
        }
    }
}

#[tokio::test]
async fn every_request_is_one_of_four_and_says_what_it_must() {
    let mcp = Arc::new(Mcp::new(settings()));
    for version in [L, M, N] {
        for path in [
            "manners/plain",
            "manners/modern",
            "manners/sse-asks",
            "manners/cursor-one",
        ] {
            let listed = mcp.list_tools(&endpoint(path, version)).await;
            assert!(listed.is_ok(), "{path}: {}", told(&listed));
        }
    }
    mcp.farewells().await;
    for asked in loopback().asked_under("manners/") {
        assert_eq!(
            asked.header("user-agent"),
            Some("lockgate/0.1.0"),
            "{asked:?}"
        );
        assert_eq!(asked.header("accept-encoding"), None, "{asked:?}");
        assert!(is_one_of_four(&asked), "{asked:?}");
        let modern = asked.body.contains("_meta");
        assert_eq!(
            modern,
            asked.header("mcp-method") == Some(&asked.rpc),
            "{asked:?}"
        );
        let versions = ["io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""];
        assert_eq!(
            modern,
            versions.iter().all(|v| asked.body.contains(v)),
            "{asked:?}"
        );
    }
}

fn is_one_of_four(asked: &Asked) -> bool {
    match (asked.verb.as_str(), asked.rpc.as_str()) {
        ("DELETE", "") => asked.body.is_empty(),
        ("POST", "") => asked.body.contains("\"code\":-32601"),
        ("POST", "initialize" | "notifications/initialized" | "server/discover" | "tools/list") => {
            asked.header("accept") == Some("application/json, text/event-stream")
                && asked.header("content-type") == Some("application/json")
        }
        _ => false,
    }
}

/// A nightly check costs three requests, one page, one connection's worth of waiting.
#[tokio::test]
async fn a_known_server_is_asked_as_little_as_can_be() {
    for (path, version, expect) in [
        (
            "few/plain",
            L,
            "initialize notifications/initialized tools/list",
        ),
        ("few/modern", M, "server/discover tools/list"),
    ] {
        let listed = Mcp::new(settings())
            .list_tools(&endpoint(path, version))
            .await;
        assert!(listed.is_ok(), "{path}: {}", told(&listed));
        let asked = loopback().asked(path);
        let posts = asked.iter().filter(|a| a.verb == "POST");
        let methods: Vec<_> = posts.map(|a| a.rpc.as_str()).collect();
        assert_eq!(methods.join(" "), expect);
    }
}

#[tokio::test]
async fn private_addresses_get_no_packet() {
    let canary = Canary::new();
    let port = canary.port();
    let mcp = Mcp::new(Settings {
        allow_private_hosts: Vec::new(),
        ..settings()
    });
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "127.1",
        "0177.0.0.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "[64:ff9b::127.0.0.1]",
        "[2002:7f00:1::]",
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "0.0.0.0",
        "[::]",
        "169.254.169.254",
        "168.63.129.16",
        "10.0.0.1",
    ] {
        for scheme in ["http", "https"] {
            let endpoint = Endpoint {
                url: format!("{scheme}://{host}:{port}/").parse().unwrap(),
                ..endpoint("", L)
            };
            let told = told(&mcp.list_tools(&endpoint).await);
            assert!(told.starts_with("private-address;"), "{host}: {told}");
            assert!(told.contains("--allow-private-host "), "{host}: {told}");
        }
    }
    assert!(!canary.was_hit());
}

#[tokio::test]
async fn a_host_is_allowed_by_its_name_only() {
    let port = loopback().url("").port().unwrap();
    for (allowed, host, expect) in [
        ("localhost", "localhost", "listed a"),
        ("LocalHost.", "localhost", "listed a"),
        ("localhost", "127.0.0.1", "private-address"),
        ("127.0.0.1", "localhost", "private-address"),
        ("127.0.0.1", "2130706433", "listed a"),
        ("127.0.0.1.example.com", "127.0.0.1", "private-address"),
        ("[::1]", "[::ffff:127.0.0.1]", "private-address"),
        ("::ffff:7f00:1", "[::ffff:127.0.0.1]", "listed a"),
    ] {
        let mcp = Mcp::new(Settings {
            allow_private_hosts: vec![allowed.into()],
            ..settings()
        });
        let endpoint = Endpoint {
            url: format!("http://{host}:{port}/allowed/plain")
                .parse()
                .unwrap(),
            ..endpoint("", L)
        };
        let told = told(&mcp.list_tools(&endpoint).await);
        assert!(told.starts_with(expect), "{allowed} for {host}: {told}");
    }
}

#[tokio::test]
async fn plain_http_is_for_allowed_hosts_only() {
    let mcp = Mcp::new(settings());
    for url in [
        "http://mcp.example.com/",
        "http://93.184.216.34/",
        "ftp://mcp.example.com/",
    ] {
        let endpoint = Endpoint {
            url: url.parse().unwrap(),
            ..endpoint("", L)
        };
        let told = told(&mcp.list_tools(&endpoint).await);
        assert!(
            told.starts_with("tls; the URL is not https"),
            "{url}: {told}"
        );
    }
}

#[tokio::test]
async fn what_speaks_no_tls_is_told_so() {
    let mut url = loopback().url("plain");
    url.set_scheme("https").unwrap();
    let endpoint = Endpoint {
        url,
        ..endpoint("", L)
    };
    let told = told(&Mcp::new(settings()).list_tools(&endpoint).await);
    assert!(told.starts_with("tls;"), "{told}");
}

#[tokio::test]
async fn nobody_at_the_port_is_a_connection_refused() {
    let port = Canary::new().port();
    let endpoint = Endpoint {
        url: format!("http://127.0.0.1:{port}/").parse().unwrap(),
        ..endpoint("", L)
    };
    let told = told(&Mcp::new(settings()).list_tools(&endpoint).await);
    assert!(
        told.starts_with("connect; no connection (connection refused)"),
        "{told}"
    );
}

#[tokio::test]
async fn secrets_stay_with_the_endpoint() {
    let mut secret = HeaderValue::from_static("Bearer hunter2");
    secret.set_sensitive(true);
    let overriding = [
        "accept",
        "mcp-session-id",
        "mcp-protocol-version",
        "content-length",
        "host",
    ];
    let overriding = overriding.map(|name| (name.parse().unwrap(), HeaderValue::from_static("7")));
    let headers = [vec![(AUTHORIZATION, secret)], overriding.to_vec()].concat();
    let canary = Canary::new();
    for code in [301, 302, 303, 307, 308] {
        let path = format!("secret/moved-{code}-{}", canary.port());
        let endpoint = Endpoint {
            headers: headers.clone(),
            ..endpoint(&path, L)
        };
        let told = told(&Mcp::new(settings()).list_tools(&endpoint).await);
        assert!(told.starts_with("redirect;"), "{told}");
        assert!(!told.contains("hunter2") && !format!("{endpoint:?}").contains("hunter2"));
    }
    assert!(!canary.was_hit());
    let endpoint = Endpoint {
        headers,
        ..endpoint("secret/moved-307-here", L)
    };
    let listed = Mcp::new(settings()).list_tools(&endpoint).await;
    assert!(listed.is_ok(), "{}", told(&listed));
    for asked in loopback().asked_under("secret/") {
        assert_eq!(asked.header("authorization"), Some("Bearer hunter2"));
        assert_ne!(asked.header("host"), Some("7"));
        assert_ne!(asked.header("mcp-session-id"), Some("7"));
        assert!(is_one_of_four(&asked), "{asked:?}");
    }
}

/// A reading of the whole process, so it runs alone: `--ignored`.
#[tokio::test]
#[ignore = "reads the memory of the whole process"]
async fn memory_stays_flat() {
    let mcp = Arc::new(Mcp::new(Settings {
        max_bytes: 16 << 20,
        max_bytes_in_flight: 16 << 20,
        ..settings()
    }));
    let good = [("plain", L, "listed a", "")];
    assert!(wrong_rows(&good, "warm", &mcp).await.is_empty());
    let before = peak_memory_kib();
    let endless = ("endless-body", L, "too-large", "16 MiB");
    let wrong = wrong_rows(&[endless; 8], "flat", &mcp).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let grown = (peak_memory_kib() - before) >> 10;
    assert!(grown < 32, "grown by {grown} MiB");
    println!("8 endless bodies, one permit: grown by {grown} MiB");
}

#[expect(clippy::disallowed_methods, reason = "a file of the kernel's")]
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.unwrap().split_whitespace().nth(1);
    number.unwrap().parse().unwrap()
}
