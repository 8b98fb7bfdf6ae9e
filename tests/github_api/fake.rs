//! A GitHub that has one repository's issues, labels and comments, and faults on demand.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use super::wire::{Answer, Reply, Request, serve};

pub(super) const BOT: &str = "github-actions[bot]";
pub(super) const REPOSITORY: &str = "acme/widgets";

/// The GitHub.
#[derive(Clone)]
pub(super) struct Fake {
    /// Where its API is.
    pub(super) origin: String,
    state: Arc<Mutex<State>>,
}

/// What it holds.
pub(super) struct State {
    pub(super) issues: BTreeMap<u64, Issue>,
    pub(super) labels: BTreeSet<String>,
    /// Every request but those to GraphQL, `METHOD path`.
    pub(super) log: Vec<String>,
    /// The paths at which GraphQL was asked.
    pub(super) asked_whose: Vec<String>,
    pub(super) faults: Vec<Fault>,
    /// As whom the token writes.
    pub(super) login: String,
    /// Are labels given to what it writes?
    pub(super) labels_stick: bool,
    /// The time of GitHub.
    pub(super) now: String,
}

#[derive(Debug, Clone)]
pub(super) struct Issue {
    pub(super) title: String,
    pub(super) body: String,
    pub(super) state: String,
    pub(super) reason: Option<String>,
    pub(super) author: String,
    pub(super) labels: Vec<String>,
    pub(super) comments: Vec<Comment>,
    pub(super) is_pull_request: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Comment {
    pub(super) author: String,
    pub(super) body: String,
    pub(super) at: String,
}

/// What goes wrong, for so many requests that it is about.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) method: &'static str,
    /// What the path ends with.
    pub(super) path: &'static str,
    pub(super) times: usize,
    pub(super) when: When,
    pub(super) what: What,
}

/// Is what was asked for done all the same?
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum When {
    Instead,
    AfterIt,
}

#[derive(Debug, Clone)]
pub(super) enum What {
    Status(u16, &'static str, &'static [(&'static str, &'static str)]),
    Drop,
    Hang,
}

impl Fake {
    /// Starts one on a free port.
    pub(super) fn start() -> Self {
        Fake::at(0)
    }

    pub(super) fn at(port: u16) -> Self {
        let state = Arc::new(Mutex::new(State::new()));
        let shared = Arc::clone(&state);
        let origin = serve(port, move |request| shared.lock().unwrap().answer(&request));
        Fake { origin, state }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// As if nothing had ever been.
    pub(super) fn forget(&self) {
        *self.state() = State::new();
    }

    pub(super) fn fails(&self, method: &'static str, path: &'static str, when: When, what: What) {
        let fault = Fault {
            method,
            path,
            times: 1,
            when,
            what,
        };
        self.state().faults.push(fault);
    }

    pub(super) fn fails_always(&self, method: &'static str, path: &'static str, what: What) {
        let (times, when) = (usize::MAX, When::Instead);
        self.state().faults.push(Fault {
            method,
            path,
            times,
            when,
            what,
        });
    }

    /// The issues about servers, the tracker left out.
    pub(super) fn issues(&self) -> Vec<(u64, Issue)> {
        let state = self.state();
        let issues = state.issues.iter().filter(|(_, issue)| !issue.is_tracker());
        issues
            .map(|(number, issue)| (*number, issue.clone()))
            .collect()
    }

    pub(super) fn tracker(&self) -> Issue {
        let state = self.state();
        let found = state.issues.values().filter(|issue| issue.is_tracker());
        let found: Vec<&Issue> = found.collect();
        assert_eq!(found.len(), 1, "one tracker");
        found[0].clone()
    }

    /// The requests since the last look.
    pub(super) fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.state().log)
    }
}

impl Issue {
    pub(super) fn is_tracker(&self) -> bool {
        self.body.starts_with("<!-- lockgate:v1 tracker")
    }
}

impl State {
    fn new() -> Self {
        State {
            issues: BTreeMap::new(),
            labels: BTreeSet::new(),
            log: Vec::new(),
            asked_whose: Vec::new(),
            faults: Vec::new(),
            login: BOT.to_owned(),
            labels_stick: true,
            now: "2026-12-01T03:00:00Z".to_owned(),
        }
    }

    fn answer(&mut self, request: &Request) -> Answer {
        match request.path.ends_with("/graphql") {
            true => self.asked_whose.push(request.path.clone()),
            false => self
                .log
                .push(format!("{} {}", request.method, request.path)),
        }
        let is_about = |fault: &Fault| {
            fault.times > 0 && fault.method == request.method && request.path.ends_with(fault.path)
        };
        let Some(fault) = self.faults.iter_mut().find(|fault| is_about(fault)) else {
            return Answer::Reply(self.reply(request));
        };
        fault.times -= 1;
        let (when, what) = (fault.when, fault.what.clone());
        if when == When::AfterIt {
            self.reply(request);
        }
        match what {
            What::Status(status, body, headers) => {
                let headers = headers
                    .iter()
                    .map(|(name, value)| (name.to_string(), value.to_string()));
                let body = body.to_owned();
                Answer::Reply(Reply {
                    status,
                    headers: headers.collect(),
                    body,
                })
            }
            What::Drop => Answer::Drop,
            What::Hang => Answer::Hang,
        }
    }

    fn reply(&mut self, request: &Request) -> Reply {
        let token = request.headers.get("authorization");
        let Some(token) = token.and_then(|value| value.strip_prefix("Bearer ")) else {
            return refused(401, "Bad credentials");
        };
        if request.path.ends_with("/user") {
            return match token.starts_with("ghs_") {
                true => refused(403, "Resource not accessible by integration"),
                false => told(200, &user(&self.login)),
            };
        }
        if request.path.ends_with("/graphql") {
            assert_eq!(body(request), json!({"query": "query{viewer{login}}"}));
            return told(200, &json!({"data": {"viewer": {"login": self.login}}}));
        }
        let start = request.path.find("/repos/").unwrap();
        let route = request.path[start..].strip_prefix(&format!("/repos/{REPOSITORY}"));
        let parts: Vec<&str> = route.unwrap().split('/').skip(1).collect();
        match (request.method.as_str(), parts.as_slice()) {
            ("GET", ["issues"]) => self.list(request),
            ("POST", ["issues"]) => self.open(&body(request)),
            ("PATCH", ["issues", number]) => self.change(number.parse().unwrap(), &body(request)),
            ("GET", ["issues", number, "comments"]) => {
                self.comments(number.parse().unwrap(), request)
            }
            ("POST", ["issues", number, "comments"]) => {
                self.comment(number.parse().unwrap(), &body(request))
            }
            ("POST", ["labels"]) => self.label(&body(request)),
            _ => refused(404, "Not Found"),
        }
    }

    fn list(&self, request: &Request) -> Reply {
        let wanted = |name: &str| request.query.get(name).map(String::as_str);
        let is_wanted = |issue: &Issue| {
            let state = wanted("state").unwrap_or("open");
            (state == "all" || state == issue.state)
                && wanted("creator").is_none_or(|creator| creator == issue.author)
                && wanted("labels").is_none_or(|label| issue.labels.iter().any(|has| has == label))
        };
        let number =
            |name: &str, default| wanted(name).map_or(default, |text| text.parse().unwrap());
        let (size, page): (usize, usize) = (number("per_page", 30), number("page", 1));
        let all: Vec<Value> = self
            .issues
            .iter()
            .filter(|(_, issue)| is_wanted(issue))
            .map(|(number, issue)| shown(*number, issue, &self.now))
            .collect();
        let shown: Vec<&Value> = all.iter().skip((page - 1) * size).take(size).collect();
        let mut reply = told(200, &json!(shown));
        if page * size < all.len() {
            let next = format!("<https://api.github.com/x?page={}>; rel=\"next\"", page + 1);
            reply.headers.push(("link".to_owned(), next));
        }
        reply
    }

    fn open(&mut self, body: &Value) -> Reply {
        if let Some(reply) = too_long(body) {
            return reply;
        }
        let number = self.issues.keys().max().map_or(1, |last| last + 1);
        let labels = body["labels"].as_array().cloned().unwrap_or_default();
        let labels = labels
            .iter()
            .map(|label| label.as_str().unwrap().to_owned());
        let issue = Issue {
            title: body["title"].as_str().unwrap().to_owned(),
            body: body["body"].as_str().unwrap().to_owned(),
            state: "open".to_owned(),
            reason: None,
            author: self.login.clone(),
            labels: labels.filter(|_| self.labels_stick).collect(),
            comments: Vec::new(),
            is_pull_request: false,
        };
        let reply = told(201, &shown(number, &issue, &self.now));
        self.issues.insert(number, issue);
        reply
    }

    fn change(&mut self, number: u64, body: &Value) -> Reply {
        if let Some(reply) = too_long(body) {
            return reply;
        }
        let now = self.now.clone();
        let Some(issue) = self.issues.get_mut(&number) else {
            return refused(404, "Not Found");
        };
        let text = |name: &str| body[name].as_str().map(str::to_owned);
        issue.title = text("title").unwrap_or_else(|| issue.title.clone());
        issue.body = text("body").unwrap_or_else(|| issue.body.clone());
        if let Some(state) = text("state") {
            issue.reason = text("state_reason");
            issue.state = state;
        }
        told(200, &shown(number, issue, &now))
    }

    fn comment(&mut self, number: u64, body: &Value) -> Reply {
        let comment = Comment {
            author: self.login.clone(),
            body: body["body"].as_str().unwrap().to_owned(),
            at: self.now.clone(),
        };
        let reply = told(201, &said(&comment));
        let Some(issue) = self.issues.get_mut(&number) else {
            return refused(404, "Not Found");
        };
        issue.comments.push(comment);
        reply
    }

    fn comments(&self, number: u64, request: &Request) -> Reply {
        let since = request.query.get("since").unwrap();
        let comments = &self.issues[&number].comments;
        let since = comments.iter().filter(|comment| comment.at >= *since);
        told(200, &json!(since.map(said).collect::<Vec<_>>()))
    }

    fn label(&mut self, body: &Value) -> Reply {
        let name = body["name"].as_str().unwrap().to_owned();
        match self.labels.insert(name.clone()) {
            true => told(201, &label(&name)),
            false => told(
                422,
                &json!({
                    "message": "Validation Failed",
                    "errors": [{"resource": "Label", "code": "already_exists", "field": "name"}],
                    "documentation_url": "https://docs.github.com/rest"
                }),
            ),
        }
    }
}

fn body(request: &Request) -> Value {
    assert_eq!(request.headers["content-type"], "application/json");
    serde_json::from_str(&request.body).unwrap()
}

/// GitHub's limits, which its description does not hold.
fn too_long(body: &Value) -> Option<Reply> {
    let length = |name: &str| body[name].as_str().map_or(0, |text| text.chars().count());
    let error = |field: &str, most: usize| {
        let message = format!("{field} is too long (maximum is {most} characters)");
        told(
            422,
            &json!({
                "message": "Validation Failed",
                "errors": [{"resource": "Issue", "code": "custom", "field": field, "message": message}],
                "documentation_url": "https://docs.github.com/rest"
            }),
        )
    };
    if length("body") > 65_536 {
        return Some(error("body", 65_536));
    }
    (length("title") > 256).then(|| error("title", 256))
}

pub(super) fn refused(status: u16, message: &str) -> Reply {
    let body = json!({"message": message, "documentation_url": "https://docs.github.com/rest", "status": status.to_string()});
    told(status, &body)
}

fn told(status: u16, body: &Value) -> Reply {
    let kind = (
        "content-type".to_owned(),
        "application/json; charset=utf-8".to_owned(),
    );
    Reply {
        status,
        headers: vec![kind],
        body: body.to_string(),
    }
}

/// An issue with every member that GitHub's description demands.
fn shown(number: u64, issue: &Issue, now: &str) -> Value {
    let repository = format!("https://api.github.com/repos/{REPOSITORY}");
    let at = format!("{repository}/issues/{number}");
    let html = format!("https://github.com/{REPOSITORY}/issues/{number}");
    let mut shown = json!({
        "id": number, "node_id": format!("I_{number}"), "number": number, "url": at,
        "repository_url": repository, "labels_url": format!("{at}/labels{{/name}}"),
        "comments_url": format!("{at}/comments"), "events_url": format!("{at}/events"),
        "html_url": html, "title": issue.title, "body": issue.body,
        "state": issue.state, "state_reason": issue.reason, "user": user(&issue.author),
        "labels": issue.labels.iter().map(|name| label(name)).collect::<Vec<_>>(),
        "assignee": null, "assignees": [], "milestone": null, "locked": false,
        "comments": issue.comments.len(), "created_at": now, "updated_at": now,
        "closed_at": (issue.state == "closed").then_some(now), "author_association": "NONE"
    });
    if issue.is_pull_request {
        shown["pull_request"] =
            json!({"url": at, "html_url": html, "diff_url": html, "patch_url": html});
    }
    shown
}

fn said(comment: &Comment) -> Value {
    let at = format!("https://api.github.com/repos/{REPOSITORY}/issues");
    json!({
        "id": 1, "node_id": "IC_1", "url": format!("{at}/comments/1"),
        "html_url": format!("https://github.com/{REPOSITORY}/issues/1#issuecomment-1"),
        "issue_url": format!("{at}/1"), "body": comment.body, "user": user(&comment.author),
        "created_at": comment.at, "updated_at": comment.at, "author_association": "NONE"
    })
}

fn label(name: &str) -> Value {
    json!({
        "id": 1, "node_id": "LA_1", "name": name, "color": "5319e7", "default": false,
        "description": null, "url": format!("https://api.github.com/repos/{REPOSITORY}/labels/{name}")
    })
}

fn user(login: &str) -> Value {
    let at = "https://api.github.com/users/x";
    json!({
        "login": login, "id": 1, "node_id": "U_1", "avatar_url": at, "gravatar_id": "", "url": at,
        "html_url": "https://github.com/x", "followers_url": at, "following_url": at,
        "gists_url": at, "starred_url": at, "subscriptions_url": at, "organizations_url": at,
        "repos_url": at, "events_url": at, "received_events_url": at, "type": "Bot",
        "site_admin": false, "user_view_type": "public", "name": null, "company": null,
        "blog": null, "location": null, "email": null, "hireable": null, "bio": null,
        "public_repos": 1, "public_gists": 0, "followers": 0, "following": 0,
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"
    })
}
