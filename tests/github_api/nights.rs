//! A repository whose servers are asked night after night.

use std::time::Duration;

use jiff::{Timestamp, ToSpan};
use lockgate::check::{
    Bearing, Checked, Finding, Mode, Outcome, Reason, Report, Rule, SignatureCheck, Trigger,
    Unlisted, compare,
};
use lockgate::issue::Scope;
use lockgate::lock;
use lockgate::lock::{Approval, HeaderPins, Listing, Lockfile, ServerUrl};
use lockgate::world::github::Pace;
use serde_json::{Value, json};

use super::common;
use super::fake::{Fake, REPOSITORY};
use crate::command::issues::{Context, OnBranch, Synced, sync};

pub(super) const ALICE: u8 = 1;

/// The repository.
pub(super) struct Repo {
    pub(super) fake: Fake,
    pub(super) api_url: String,
    pub(super) token: &'static str,
    pub(super) author: Option<&'static str>,
    pub(super) on: OnBranch,
    pub(super) now: Timestamp,
    pub(super) servers: Vec<Server>,
    pub(super) signatures: SignatureCheck,
    pub(super) mode: Mode,
    pub(super) scope: Scope,
    pub(super) removed: Vec<ServerUrl>,
    pub(super) pace: Pace,
}

/// A server and what is pinned of it.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) url: String,
    pub(super) paths: Vec<String>,
    pub(super) headers: HeaderPins,
    pub(super) approved: Value,
    pub(super) approved_at: Timestamp,
    pub(super) seeds: Vec<u8>,
    pub(super) offers: Offer,
}

/// What a server does when it is asked.
#[derive(Clone)]
pub(super) enum Offer {
    Tools(Value),
    Nothing(Reason),
    Accepted(Reason),
}

pub(super) fn tools(text: &str) -> Value {
    json!([
        {"name": "create_issue", "description": text, "inputSchema": {"type": "object"}},
        {"name": "search", "description": "Search issues", "inputSchema": {"type": "object"}}
    ])
}

impl Server {
    /// A server that offers what alice approved.
    pub(super) fn new(name: &str) -> Self {
        let tools = tools("Create an issue in the team");
        Server {
            url: format!("https://{name}.example.com/mcp"),
            paths: vec![format!("mcp/{name}.mcp-lock.json")],
            headers: HeaderPins::default(),
            approved: tools.clone(),
            approved_at: "2026-10-07T10:45:00Z".parse().unwrap(),
            seeds: vec![ALICE],
            offers: Offer::Tools(tools),
        }
    }

    /// The server offers something else from now on.
    pub(super) fn offers(&mut self, text: &str) {
        self.offers = Offer::Tools(tools(text));
    }

    pub(super) fn is_silent(&mut self, reason: Reason) {
        self.offers = Offer::Nothing(reason);
    }

    /// What was approved at first is offered again.
    pub(super) fn goes_back(&mut self) {
        self.offers = Offer::Tools(self.approved.clone());
    }

    /// Somebody approves what is offered.
    pub(super) fn is_approved(&mut self, at: Timestamp, seeds: &[u8]) {
        let Offer::Tools(tools) = &self.offers else {
            panic!("nothing to approve");
        };
        self.approved = tools.clone();
        self.approved_at = at;
        self.seeds = seeds.to_vec();
    }

    pub(super) fn lockfile(&self) -> Lockfile {
        let url = ServerUrl::parse(&self.url).unwrap();
        let approval = Approval {
            url: &url,
            listing: &listing(&self.approved, "1.4.0"),
            headers: self.headers.clone(),
            approved_at: self.approved_at,
            scan: None,
        };
        let text = common::signed(&approval.lockfile().unwrap(), &self.seeds);
        let lockfile = Lockfile::parse(text.as_bytes()).unwrap();
        lockfile
            .with_companion(approval.companion().as_bytes())
            .unwrap()
    }

    fn outcome(&self, lockfile: &Lockfile) -> Outcome {
        match &self.offers {
            Offer::Tools(tools) => Outcome::Compared(compare(lockfile, &listing(tools, "1.5.0"))),
            Offer::Nothing(reason) | Offer::Accepted(reason) => Outcome::Unlisted(Unlisted {
                reason: *reason,
                detail: "no answer".to_owned(),
                said: Some("<b>@alice</b>".into()),
                hint: Some("ask whoever runs it".to_owned()),
            }),
        }
    }
}

fn listing(tools: &Value, version: &str) -> Listing {
    let info = lock::ServerInfo {
        name: "linear".into(),
        version: version.into(),
    };
    let text = json!({"tools": tools}).to_string();
    let document = lockgate::json::read(text.as_bytes()).unwrap();
    let mut listing = Listing::begin("2025-06-18", None, Some(info)).unwrap();
    listing.add_page(&document.root).unwrap();
    listing.finish().unwrap()
}

impl Repo {
    pub(super) fn new(fake: &Fake, api_url: &str, servers: Vec<Server>) -> Self {
        Repo {
            fake: fake.clone(),
            api_url: api_url.to_owned(),
            token: "ghs_secret",
            author: None,
            on: OnBranch::Default,
            now: "2026-12-01T03:00:00Z".parse().unwrap(),
            servers,
            signatures: SignatureCheck::Required,
            mode: Mode::Online,
            scope: Scope::Whole,
            removed: Vec::new(),
            pace: Pace {
                between_writes: Duration::ZERO,
                request: Duration::from_secs(5),
                backoff: Duration::from_millis(1),
                patience: Duration::from_millis(500),
                attempts: 4,
            },
        }
    }

    /// The next night's run, which must write all that it wants to.
    pub(super) fn night(&mut self) -> Synced {
        let synced = self.troubled_night();
        assert!(synced.findings.is_empty(), "{:#?}", synced.findings);
        synced
    }

    /// The next night's run, whatever comes of it.
    pub(super) fn troubled_night(&mut self) -> Synced {
        self.now = self.now.checked_add(24.hours()).unwrap();
        self.run()
    }

    /// Another run, after so many hours: one after a push, say.
    pub(super) fn hours_later(&mut self, hours: i64) -> Synced {
        self.now = self.now.checked_add(hours.hours()).unwrap();
        let synced = self.run();
        assert!(synced.findings.is_empty(), "{:#?}", synced.findings);
        synced
    }

    fn run(&mut self) -> Synced {
        self.fake.state().now = format!("{:.0}", self.now);
        self.fake.log();
        let keys = [common::trusted("alice", ALICE)];
        let report = self.report();
        let context = Context {
            api_url: &self.api_url,
            repository: REPOSITORY,
            token: self.token,
            author: self.author,
            on: self.on,
            branch: "main",
            run_url: Some("https://github.com/acme/widgets/actions/runs/1"),
            keys: &keys,
            removed: &self.removed,
            scope: self.scope.clone(),
            pace: self.pace.clone(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        runtime.block_on(sync(&report, &context))
    }

    fn report(&self) -> Report {
        let mut checked = Vec::new();
        let mut findings = Vec::new();
        for server in &self.servers {
            let lockfile = server.lockfile();
            let outcome = server.outcome(&lockfile);
            for path in server.paths.iter().map(|path| path.as_str().into()) {
                if matches!(server.offers, Offer::Accepted(_)) {
                    findings.push(Finding::new(Rule::Accepted, "accepted").at(&path, None));
                }
                if server.seeds.is_empty() && self.signatures == SignatureCheck::Required {
                    findings.push(Finding::new(Rule::UnsignedLockfile, "unsigned").at(&path, None));
                }
                checked.push(Checked {
                    path,
                    lockfile: Some(lockfile.clone()),
                    outcome: outcome.clone(),
                    bearing: Bearing::Decides,
                    scan: None,
                });
            }
        }
        let report = Report {
            checked_at: self.now,
            trigger: Trigger::Schedule,
            base: None,
            commit: None,
            mode: self.mode,
            signatures: self.signatures,
            approvals: None,
            checked,
            findings,
            shard: None,
        };
        report.sorted()
    }

    /// The writes of the last run, in order, the tracker's left out.
    pub(super) fn writes(&self) -> Vec<String> {
        let tracker = {
            let state = self.fake.state();
            let found = state.issues.iter().find(|(_, issue)| issue.is_tracker());
            found.map(|(number, _)| *number)
        };
        let tracker = tracker.map(|number| format!("/issues/{number}"));
        let is_write = |line: &String| {
            !line.starts_with("GET")
                && tracker
                    .as_ref()
                    .is_none_or(|at| !line.ends_with(at.as_str()))
        };
        let log = self.fake.log();
        log.into_iter()
            .filter(is_write)
            .map(|line| line.replace(&format!("/repos/{REPOSITORY}"), ""))
            .collect()
    }
}
