//! The issues of one repository on GitHub: listed, opened, changed, commented on.
//!
//! Obeys design §8 and the notes on octocrab: no retry and no redirect but our own, a body
//! of bounded size, a time for everything. What may have been done although no answer came
//! is never done again from here: [`Failure::may_have_happened`] says so, and whoever asked
//! looks first.

mod access;
mod call;
mod failure;
mod login;
mod reply;
mod rhythm;

use octocrab::Octocrab;
use serde::Serialize;
use url::form_urlencoded;

pub use self::access::{Access, BadAccess};
use self::call::{About, Request};
pub use self::failure::{Failure, Kind};
use self::reply::{CommentText, IssueText};
pub use self::rhythm::Pace;
use self::rhythm::Rhythm;
use crate::issue::{Draft, Edit, LABEL, Posted, Turn};
use crate::untrusted::Untrusted;

/// Most pages of a listing: 100 issues each.
const MOST_PAGES: usize = 20;

/// One repository, and the right to write its issues.
pub struct GitHub {
    client: Octocrab,
    graphql: Octocrab,
    access: Access,
    rhythm: Rhythm,
}

/// A comment as GitHub lists it.
#[derive(Debug, Clone)]
pub struct Said {
    /// Who wrote it.
    pub author: Option<Untrusted>,
    /// What it says.
    pub body: Untrusted,
}

impl GitHub {
    /// A client that has asked nothing yet.
    ///
    /// # Errors
    /// [`Kind::Setup`] if the machine has no TLS roots.
    pub fn new(access: Access, pace: Pace) -> Result<Self, Failure> {
        Ok(GitHub {
            client: call::client(access.api_url(), &access, &pace)?,
            graphql: call::client(&access.graphql_url(), &access, &pace)?,
            access,
            rhythm: Rhythm::new(pace),
        })
    }

    /// Every issue with our label that `author` wrote, open or closed, the oldest first.
    ///
    /// # Errors
    /// [`Failure`], also if there are more than can be looked through.
    pub async fn issues(&mut self, author: &str) -> Result<Vec<Posted>, Failure> {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("state", "all")
            .append_pair("labels", LABEL)
            .append_pair("creator", author)
            .append_pair("sort", "created")
            .append_pair("direction", "asc")
            .append_pair("per_page", "100")
            .finish();
        let mut listed = Vec::new();
        for page in 1..=MOST_PAGES {
            let route = format!("{}?{query}&page={page}", self.at("/issues"));
            let reply = self.ask(Request::get(route, About::Repository)).await?;
            let issues: Vec<IssueText> = reply.read()?;
            listed.extend(issues.into_iter().filter_map(IssueText::issue));
            if !reply.has_next() {
                return Ok(listed);
            }
        }
        Err(Failure::of(Kind::TooMany))
    }

    /// Makes sure that our label is there; one that is there already is fine.
    ///
    /// # Errors
    /// [`Failure`] if GitHub says no otherwise.
    pub async fn ensure_label(&mut self) -> Result<(), Failure> {
        let label = LabelText {
            name: LABEL,
            color: "5319e7",
            description: "MCP servers that are not what was approved",
        };
        let request = Request::post(self.at("/labels"), &label, About::Repository)?;
        match self.ask(request).await {
            Ok(_) => Ok(()),
            Err(failure) if matches!(failure.kind, Kind::Refused(_)) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// Opens an issue, with our label. Sent once.
    ///
    /// # Errors
    /// [`Failure`]; it may have happened all the same.
    pub async fn open(&mut self, draft: &Draft) -> Result<Posted, Failure> {
        let text = NewText {
            title: &draft.title,
            body: &draft.body,
            labels: [LABEL],
        };
        let request = Request::post(self.at("/issues"), &text, About::Repository)?;
        let reply = self.ask(request).await?;
        let issue: IssueText = reply.read()?;
        issue.issue().ok_or_else(|| Failure::of(Kind::NotJson))
    }

    /// Changes an issue's title, body and state; nothing of it notifies anybody but a turn.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn change(&mut self, edit: &Edit) -> Result<(), Failure> {
        let (state, state_reason) = match edit.turn {
            None => (None, None),
            Some(Turn::Reopen) => (Some("open"), Some("reopened")),
            Some(Turn::Complete) => (Some("closed"), Some("completed")),
            Some(Turn::Drop) => (Some("closed"), Some("not_planned")),
        };
        let text = ChangeText {
            title: edit.title.as_deref(),
            body: edit.body.as_deref(),
            state,
            state_reason,
        };
        let route = self.at(&format!("/issues/{}", edit.number));
        self.ask(Request::patch(route, &text, About::Issue)?)
            .await?;
        Ok(())
    }

    /// Comments on an issue. Sent once.
    ///
    /// # Errors
    /// [`Failure`]; it may have happened all the same.
    pub async fn comment(&mut self, number: u64, body: &str) -> Result<(), Failure> {
        let route = self.at(&format!("/issues/{number}/comments"));
        let request = Request::post(route, &BodyText { body }, About::Issue)?;
        self.ask(request).await?;
        Ok(())
    }

    /// The comments on an issue since a moment (RFC 3339), one page of them.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn comments(&mut self, number: u64, since: &str) -> Result<Vec<Said>, Failure> {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("since", since)
            .append_pair("per_page", "100")
            .finish();
        let route = format!("{}?{query}", self.at(&format!("/issues/{number}/comments")));
        let reply = self.ask(Request::get(route, About::Issue)).await?;
        let said: Vec<CommentText> = reply.read()?;
        Ok(said.into_iter().map(CommentText::said).collect())
    }

    fn at(&self, route: &str) -> String {
        format!("/repos/{}{route}", self.access.repository())
    }
}

#[derive(Serialize)]
struct LabelText<'a> {
    name: &'a str,
    color: &'a str,
    description: &'a str,
}

#[derive(Serialize)]
struct NewText<'a> {
    title: &'a str,
    body: &'a str,
    labels: [&'a str; 1],
}

#[derive(Serialize)]
struct ChangeText<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state_reason: Option<&'a str>,
}

#[derive(Serialize)]
struct BodyText<'a> {
    body: &'a str,
}
