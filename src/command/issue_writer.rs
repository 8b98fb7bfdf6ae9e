//! One action after the other → GitHub, each once, and what could not be written.
//!
//! Obeys design §8 and the notes on octocrab: a POST that may have happened is looked for,
//! by marker and author, before it is sent again. When GitHub as a whole does not do it, the
//! rest is not tried, and each of it is named.

use std::collections::BTreeMap;

use jiff::{Timestamp, ToSpan};
use lockgate::check::Finding;
use lockgate::issue::{
    Action, Comment, Draft, Edit, Known, Openness, Posted, Shelf, Subject, Turn,
};
use lockgate::message::Message;
use lockgate::world::github::{Failure, GitHub, Said};

use super::issues::trouble;

/// Writes to one repository.
pub(super) struct Writer {
    github: GitHub,
    authors: Vec<String>,
    /// A comment that may have been written is looked for from here on.
    since: String,
    label: Label,
    opened: Vec<(Subject, u64)>,
    turned: BTreeMap<u64, Turn>,
    unwritten: Vec<(Message, Cause)>,
    stopped: Option<Cause>,
}

/// How often an issue is opened at most, each time after a look.
const ATTEMPTS: u32 = 2;

/// What came of opening an issue.
enum Opened {
    /// GitHub says what it opened.
    Now(Posted),
    /// It was there, although GitHub did not say so.
    Before(u64),
}

/// Is our label known to be there?
#[derive(PartialEq, Eq)]
enum Label {
    Unknown,
    There,
}

/// Why something was not written.
#[derive(Clone)]
enum Cause {
    GitHub(Failure),
    /// What was opened would not be known for ours: it was closed at once.
    NotOurs(Message),
}

impl Writer {
    pub(super) fn new(github: GitHub, authors: Vec<String>, began: Timestamp) -> Self {
        let since = began.checked_sub(1.hour()).unwrap_or(began);
        Writer {
            github,
            authors,
            since: format!("{since:.0}"),
            label: Label::Unknown,
            opened: Vec::new(),
            turned: BTreeMap::new(),
            unwritten: Vec::new(),
            stopped: None,
        }
    }

    /// The issues of ours, as they are now.
    pub(super) async fn shelf(&mut self) -> Result<Shelf, Failure> {
        let mut listed = Vec::new();
        for author in &self.authors {
            listed.extend(self.github.issues(author).await?);
        }
        Ok(Shelf::of(listed, &self.authors))
    }

    /// Does one thing, or keeps in mind that it was not done.
    pub(super) async fn write(&mut self, action: &Action) {
        if let Some(cause) = &self.stopped {
            self.unwritten.push((named(action), cause.clone()));
            return;
        }
        let done = match action {
            Action::Open(draft) => self.open(draft).await,
            Action::Edit(edit) => self.edit(edit).await.map_err(Cause::GitHub),
        };
        if let Err(cause) = done {
            if !cause.is_about_one_issue() {
                self.stopped = Some(cause.clone());
            }
            self.unwritten.push((named(action), cause));
        }
    }

    /// Brings the tracker up to date: no title, no comment, nothing that notifies.
    pub(super) async fn track(&mut self, tracker: Option<&Known>, draft: Draft) {
        let Some(known) = tracker else {
            return self.write(&Action::Open(draft)).await;
        };
        let edit = Edit {
            number: known.number,
            title: None,
            body: Some(draft.body),
            turn: None,
            comment: None,
        };
        self.write(&Action::Edit(edit)).await;
    }

    /// Did this run open an issue about servers?
    pub(super) fn has_opened(&self) -> bool {
        !self.opened.is_empty()
    }

    /// The issues that are open now, of those on the shelf and those that were opened.
    pub(super) fn open_issues(&self, shelf: &Shelf) -> BTreeMap<Subject, u64> {
        let is_open = |known: &&Known| match self.turned.get(&known.number) {
            Some(Turn::Reopen) => true,
            Some(Turn::Complete | Turn::Drop) => false,
            None => known.openness == Openness::Open,
        };
        let there = shelf.servers().map(|(_, known)| known).chain(shelf.crowd());
        let there = there
            .filter(is_open)
            .map(|known| (known.marker.subject, known.number));
        self.opened.iter().copied().chain(there).collect()
    }

    async fn open(&mut self, draft: &Draft) -> Result<(), Cause> {
        if self.label == Label::Unknown {
            self.github.ensure_label().await.map_err(Cause::GitHub)?;
            self.label = Label::There;
        }
        let number = match self.open_once(draft).await.map_err(Cause::GitHub)? {
            Opened::Now(posted) => self.claim(draft, posted).await?,
            Opened::Before(number) => number,
        };
        self.opened.push((draft.marker.subject, number));
        Ok(())
    }

    /// Opens an issue; after each answer that leaves it open whether it was, looks first.
    async fn open_once(&mut self, draft: &Draft) -> Result<Opened, Failure> {
        let mut attempt = 1;
        loop {
            let failure = match self.github.open(draft).await {
                Ok(posted) => return Ok(Opened::Now(posted)),
                Err(failure) => failure,
            };
            if !failure.may_have_happened() {
                return Err(failure);
            }
            self.github.settle().await;
            if let Some(number) = self.found(draft).await? {
                return Ok(Opened::Before(number));
            }
            if attempt == ATTEMPTS {
                return Err(failure);
            }
            attempt += 1;
        }
    }

    /// What was opened is ours, or it is closed again: else each run would open another.
    async fn claim(&mut self, draft: &Draft, posted: Posted) -> Result<u64, Cause> {
        let number = posted.number;
        let author = posted.author.clone().unwrap_or_default();
        if self.number_of(draft, [posted]).is_some() {
            return Ok(number);
        }
        let close = Edit {
            number,
            title: None,
            body: None,
            turn: Some(Turn::Drop),
            comment: None,
        };
        self.github.change(&close).await.map_err(Cause::GitHub)?;
        let message = Message::new("the token writes as ")
            .theirs(&author)
            .ours(", or may not label its issues, so they would not be found again; what it opened was closed");
        Err(Cause::NotOurs(message))
    }

    /// The number of the issue that a draft became, if it did.
    async fn found(&mut self, draft: &Draft) -> Result<Option<u64>, Failure> {
        let mut listed = Vec::new();
        for author in &self.authors {
            listed.extend(self.github.issues(author).await?);
        }
        Ok(self.number_of(draft, listed))
    }

    fn number_of(&self, draft: &Draft, listed: impl IntoIterator<Item = Posted>) -> Option<u64> {
        let shelf = Shelf::of(listed, &self.authors);
        let known = match draft.marker.subject {
            Subject::Server { key, .. } => shelf.server(key),
            Subject::Crowd => shelf.crowd(),
            Subject::Tracker => shelf.tracker(),
        };
        known.map(|known| known.number)
    }

    async fn edit(&mut self, edit: &Edit) -> Result<(), Failure> {
        self.github.change(edit).await?;
        if let Some(turn) = edit.turn {
            self.turned.insert(edit.number, turn);
        }
        match &edit.comment {
            None => Ok(()),
            Some(comment) => self.comment(edit.number, comment).await,
        }
    }

    async fn comment(&mut self, number: u64, comment: &Comment) -> Result<(), Failure> {
        let sent = self.github.comment(number, &comment.body).await;
        if !may_have_happened(&sent) {
            return sent;
        }
        self.github.settle().await;
        match self.has_said(number, comment).await? {
            true => Ok(()),
            false => self.github.comment(number, &comment.body).await,
        }
    }

    async fn has_said(&mut self, number: u64, comment: &Comment) -> Result<bool, Failure> {
        let said = self.github.comments(number, &self.since).await?;
        let is_ours = |said: &Said| {
            let author = said.author.as_ref().map(|author| author.as_arrived());
            author.is_some_and(|author| {
                self.authors
                    .iter()
                    .any(|ours| ours.eq_ignore_ascii_case(author))
            }) && said.body.as_arrived().lines().next() == Some(comment.marker.as_str())
        };
        Ok(said.iter().any(is_ours))
    }

    /// What was not written, one finding for each cause, with every name.
    pub(super) fn into_findings(self) -> Vec<Finding> {
        let mut causes: Vec<(Cause, Vec<Message>)> = Vec::new();
        for (name, cause) in self.unwritten {
            match causes
                .iter_mut()
                .find(|(known, _)| known.message() == cause.message())
            {
                Some((_, names)) => names.push(name),
                None => causes.push((cause, vec![name])),
            }
        }
        causes
            .into_iter()
            .map(|(cause, names)| *finding(&cause, names))
            .collect()
    }
}

fn may_have_happened<T>(sent: &Result<T, Failure>) -> bool {
    sent.as_ref().is_err_and(Failure::may_have_happened)
}

fn finding(cause: &Cause, names: Vec<Message>) -> Box<Finding> {
    let joined = names
        .into_iter()
        .reduce(|all, name| all.ours(", ").then(name));
    let message = Message::new("not written: ")
        .then(joined.unwrap_or_default())
        .ours("; ")
        .then(cause.message());
    trouble(message, cause.hint())
}

/// What an action is about, for whoever reads that it was not done.
fn named(action: &Action) -> Message {
    match action {
        Action::Open(draft) => Message::new(format!("the issue `{}`", draft.title)),
        Action::Edit(edit) => Message::new(format!("the change of issue {}", edit.number)),
    }
}

impl Cause {
    fn is_about_one_issue(&self) -> bool {
        match self {
            Cause::GitHub(failure) => failure.is_about_one_issue(),
            Cause::NotOurs(_) => false,
        }
    }

    fn message(&self) -> Message {
        match self {
            Cause::GitHub(failure) => failure.message(),
            Cause::NotOurs(message) => message.clone(),
        }
    }

    fn hint(&self) -> &str {
        match self {
            Cause::GitHub(failure) => failure.hint(),
            Cause::NotOurs(_) => {
                "name the author that the token writes as, and give it `issues: write`"
            }
        }
    }
}
