//! One action after the other → GitHub, each once, and what could not be written.
//!
//! Obeys design §8 and the notes on octocrab: a POST that may have happened is looked for,
//! by marker and author, before it is sent again. When GitHub as a whole does not do it, the
//! rest is not tried, and each of it is named.

use std::collections::BTreeMap;

use jiff::{Timestamp, ToSpan};
use lockgate::check::Finding;
use lockgate::issue::{Action, Draft, Edit, Known, Openness, Shelf, Subject, Turn};
use lockgate::message::Message;
use lockgate::world::github::{Failure, GitHub};

use super::issue_once::Opened;
use super::issues::trouble;

/// Writes to one repository.
pub(super) struct Writer {
    pub(super) github: GitHub,
    pub(super) authors: Vec<String>,
    /// A comment that may have been written is looked for from here on.
    pub(super) since: String,
    label: Label,
    opened: Vec<(Subject, u64)>,
    turned: BTreeMap<u64, Turn>,
    unwritten: Vec<(Message, Cause)>,
    stopped: Option<Cause>,
}

/// Is our label known to be there?
#[derive(PartialEq, Eq)]
enum Label {
    Unknown,
    There,
}

/// Why something was not written.
#[derive(Clone)]
pub(super) enum Cause {
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
            body: Some(draft.body),
            ..Edit::of(known.number)
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
                "give the token `issues: write`, with which it may label; as whom it writes is asked at `/graphql` beside the API, which must be within reach"
            }
        }
    }
}
