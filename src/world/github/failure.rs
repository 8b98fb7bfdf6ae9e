//! Why GitHub did not do what it was asked for, in our words, and the way out.

use std::time::Duration;

use crate::message::Message;
use crate::untrusted::Untrusted;

/// GitHub did not do it, or did not say that it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub kind: Kind,
    /// What GitHub said about it.
    pub said: Option<Untrusted>,
    /// How long it asks us to wait.
    pub(super) wait: Option<Duration>,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// No client can be made here; why.
    Setup(String),
    /// The token is not accepted.
    BadToken,
    /// The token may not do this.
    NoPermission,
    /// Too often; waiting did not help, or would take too long.
    Limited,
    /// The repository has another name now.
    Renamed,
    /// There is no such repository, for this token.
    NotFound,
    /// The repository has no issues.
    IssuesOff,
    /// The issue is not there any more.
    IssueGone,
    /// GitHub does not take what was sent; its status.
    Refused(u16),
    /// A fault of GitHub's; its status.
    Fault(u16),
    /// No connection, or it broke; how.
    NoConnection(String),
    /// No answer in time.
    Timeout,
    /// The answer is not what GitHub answers.
    NotJson,
    /// The answer has no end.
    TooLarge,
    /// More issues than can be looked through.
    TooMany,
}

impl Failure {
    pub(super) fn of(kind: Kind) -> Self {
        Failure {
            kind,
            said: None,
            wait: None,
        }
    }

    /// May GitHub have done it all the same?
    pub fn may_have_happened(&self) -> bool {
        match &self.kind {
            Kind::Fault(_)
            | Kind::NoConnection(_)
            | Kind::Timeout
            | Kind::NotJson
            | Kind::TooLarge => true,
            Kind::Setup(_)
            | Kind::BadToken
            | Kind::NoPermission
            | Kind::Limited
            | Kind::Renamed
            | Kind::NotFound
            | Kind::IssuesOff
            | Kind::IssueGone
            | Kind::Refused(_)
            | Kind::TooMany => false,
        }
    }

    /// Is it about this one thing only, so that the next may well succeed?
    pub fn is_about_one_issue(&self) -> bool {
        match &self.kind {
            Kind::Refused(_) | Kind::IssueGone => true,
            Kind::Setup(_)
            | Kind::BadToken
            | Kind::NoPermission
            | Kind::Limited
            | Kind::Renamed
            | Kind::NotFound
            | Kind::IssuesOff
            | Kind::Fault(_)
            | Kind::NoConnection(_)
            | Kind::Timeout
            | Kind::NotJson
            | Kind::TooLarge
            | Kind::TooMany => false,
        }
    }

    /// In a sentence: our words, then GitHub's.
    pub fn message(&self) -> Message {
        let ours = Message::new(self.words());
        match &self.said {
            Some(said) => ours.ours(": ").theirs(said),
            None => ours,
        }
    }

    fn words(&self) -> String {
        match &self.kind {
            Kind::Setup(why) => format!("no connection to GitHub can be made here: {why}"),
            Kind::BadToken => "GitHub does not accept the token".into(),
            Kind::NoPermission => "the token may not write issues".into(),
            Kind::Limited => "GitHub was asked too often, and no time is left to wait".into(),
            Kind::Renamed => "the repository was renamed or moved".into(),
            Kind::NotFound => "the repository is not there, or the token may not see it".into(),
            Kind::IssuesOff => "the repository has its issues disabled".into(),
            Kind::IssueGone => "the issue is not there any more".into(),
            Kind::Refused(status) => format!("GitHub does not take it ({status})"),
            Kind::Fault(status) => format!("GitHub has a fault ({status})"),
            Kind::NoConnection(how) => format!("no answer from GitHub: {how}"),
            Kind::Timeout => "no answer from GitHub in time".into(),
            Kind::NotJson => "the answer is not one of GitHub's".into(),
            Kind::TooLarge => "the answer is larger than any of GitHub's".into(),
            Kind::TooMany => "there are more issues of ours than can be looked through".into(),
        }
    }

    /// The way out.
    pub fn hint(&self) -> &'static str {
        match &self.kind {
            Kind::Setup(_) => {
                "install the machine's CA certificates, or name them with `SSL_CERT_FILE`"
            }
            Kind::BadToken => {
                "pass a token that is valid: `${{ github.token }}`, with `permissions: issues: write`"
            }
            Kind::NoPermission | Kind::NotFound => {
                "give the job `permissions: issues: write` (and `contents: read`); a pull request from a fork never has it"
            }
            Kind::Limited => {
                "the next run goes on where this one stopped; give workflows that write issues one `concurrency:` group"
            }
            Kind::Renamed => {
                "run the workflow in the repository under its present name, and mend what still names the old one"
            }
            Kind::IssuesOff => "enable issues in the repository's settings, or run without issues",
            Kind::IssueGone => "the next run opens another one, if it is needed",
            Kind::Refused(_) => "please report it, with the text above",
            Kind::Fault(_) | Kind::NoConnection(_) | Kind::Timeout => {
                "run it again later; what was written is found again, and nothing is written twice"
            }
            Kind::NotJson | Kind::TooLarge => "see what answers at the API URL: a proxy, perhaps",
            Kind::TooMany => "delete old issues with the label `lockgate`",
        }
    }
}

/// No client can be made.
pub(super) fn setup(error: &octocrab::Error) -> Failure {
    Failure::of(Kind::Setup(cause(error)))
}

/// Nothing came, or not all of it.
pub(super) fn no_answer(error: &octocrab::Error) -> Failure {
    Failure::of(Kind::NoConnection(cause(error)))
}

/// The innermost cause: the outer ones say where in which library, some with a backtrace.
fn cause(error: &octocrab::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = innermost.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}
