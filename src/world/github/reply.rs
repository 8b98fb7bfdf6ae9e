//! GitHub's answer → what we need of it, or why there is none.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Said;
use super::call::About;
use super::failure::{Failure, Kind};
use crate::issue::{Openness, Posted};
use crate::untrusted::Untrusted;
use crate::wire::{RetryAfter, retry_after};
use crate::world::clock;

/// Most characters of what GitHub says that are told.
const MOST_SAID: usize = 200;

/// An answer, whatever its status.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) retry_after: Option<Untrusted>,
    pub(super) remaining: Option<Untrusted>,
    pub(super) reset: Option<Untrusted>,
    pub(super) link: Option<Untrusted>,
    pub(super) body: Vec<u8>,
}

/// The few members of an issue that we need; GitHub's own examples lack others.
#[derive(Debug, Deserialize)]
pub(super) struct IssueText {
    number: u64,
    state: String,
    user: Option<UserText>,
    #[serde(default)]
    labels: Vec<LabelText>,
    body: Option<String>,
    pull_request: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
pub(super) struct UserText {
    pub(super) login: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum LabelText {
    Name(String),
    Label { name: Option<String> },
}

#[derive(Debug, Deserialize)]
pub(super) struct CommentText {
    user: Option<UserText>,
    body: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ErrorText {
    message: Option<String>,
    #[serde(default)]
    errors: Vec<serde_json::Value>,
}

impl IssueText {
    /// The issue; `None` for a pull request, which GitHub lists among them.
    pub(super) fn issue(self) -> Option<Posted> {
        if self.pull_request.is_some() {
            return None;
        }
        let name = |label| match label {
            LabelText::Name(name) => Some(Untrusted::new(name)),
            LabelText::Label { name } => name.map(Untrusted::new),
        };
        Some(Posted {
            number: self.number,
            openness: match self.state.as_str() {
                "open" => Openness::Open,
                _ => Openness::Closed,
            },
            author: self.user.map(|user| Untrusted::new(user.login)),
            labels: self.labels.into_iter().filter_map(name).collect(),
            body: Untrusted::new(self.body.unwrap_or_default()),
        })
    }
}

impl CommentText {
    pub(super) fn said(self) -> Said {
        Said {
            author: self.user.map(|user| Untrusted::new(user.login)),
            body: Untrusted::new(self.body.unwrap_or_default()),
        }
    }
}

impl Reply {
    /// The answer, if GitHub did what it was asked for.
    pub(super) fn accepted(self, about: About) -> Result<Self, Failure> {
        match self.status {
            200..=299 => Ok(self),
            _ => Err(Failure {
                kind: self.kind(about),
                said: self.said(),
                wait: self.wait(),
            }),
        }
    }

    /// # Errors
    /// [`Kind::NotJson`] if the body is not what it should be.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_slice(&self.body).map_err(|_| Failure::of(Kind::NotJson))
    }

    pub(super) fn has_next(&self) -> bool {
        let link = self.link.as_ref();
        link.is_some_and(|link| link.as_arrived().contains("rel=\"next\""))
    }

    fn kind(&self, about: About) -> Kind {
        match (self.status, about) {
            (401, _) => Kind::BadToken,
            (429, _) => Kind::Limited,
            (403, _) if self.is_limited() => Kind::Limited,
            (403, _) => Kind::NoPermission,
            (301 | 302 | 307 | 308, About::Issue) => Kind::IssueGone,
            (300..=399, _) => Kind::Renamed,
            (404 | 410, About::Issue) => Kind::IssueGone,
            (404, _) => Kind::NotFound,
            (410, _) => Kind::IssuesOff,
            (500..=599, _) => Kind::Fault(self.status),
            (status, _) => Kind::Refused(status),
        }
    }

    /// GitHub says "too often" with 403 as well, and then says how long to wait or that
    /// nothing is left.
    fn is_limited(&self) -> bool {
        let said = String::from_utf8_lossy(&self.body).to_ascii_lowercase();
        self.retry_after.is_some()
            || self.is_spent()
            || said.contains("secondary rate limit")
            || said.contains("abuse detection")
    }

    /// Is nothing left of what the token may ask for now?
    fn is_spent(&self) -> bool {
        let left = self.remaining.as_ref();
        left.is_some_and(|left| left.as_arrived().trim() == "0")
    }

    /// How long GitHub asks us to wait, if it does.
    fn wait(&self) -> Option<Duration> {
        let now = clock::now();
        if let Some(value) = &self.retry_after
            && let RetryAfter::Wait(wait) = retry_after(value.as_arrived().as_bytes(), now)
        {
            return Some(wait);
        }
        if !self.is_spent() {
            return None;
        }
        let reset: i64 = self.reset.as_ref()?.as_arrived().trim().parse().ok()?;
        let wait = reset.saturating_sub(now.as_second()).max(0);
        Some(Duration::from_secs(u64::try_from(wait).ok()?))
    }

    /// What GitHub says about it: its message and what it has against each member, or the
    /// start of whatever came instead of JSON.
    fn said(&self) -> Option<Untrusted> {
        let text = match serde_json::from_slice::<ErrorText>(&self.body) {
            Ok(error) => {
                let member = |value: &serde_json::Value| {
                    let text = |name: &str| value.get(name).and_then(|value| value.as_str());
                    let what = text("message").or(text("code")).or(value.as_str());
                    what.map(|what| {
                        [text("field"), Some(what)]
                            .into_iter()
                            .flatten()
                            .collect::<Vec<_>>()
                            .join(" ")
                    })
                };
                let message = error.message.into_iter();
                let all = message.chain(error.errors.iter().filter_map(member));
                all.collect::<Vec<_>>().join(": ")
            }
            Err(_) => String::from_utf8_lossy(&self.body).trim().to_owned(),
        };
        let short: String = text.chars().take(MOST_SAID).collect();
        (!short.is_empty()).then(|| Untrusted::new(short))
    }
}
