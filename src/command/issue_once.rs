//! Issues and comments that GitHub may have taken although it did not say so.
//!
//! Obeys the notes on octocrab: a POST is never sent blindly twice. What may be there is
//! looked for, by author and marker, before it is sent again.

use lockgate::issue::{Comment, Draft, Edit, Posted, Shelf, Turn, is_by};
use lockgate::message::Message;
use lockgate::world::github::{Failure, Said};

use super::issue_writer::{Cause, Writer};

/// How often an issue is opened at most, each time after a look.
const ATTEMPTS: u32 = 2;

/// What stands in an issue that was opened and is not kept.
const GIVEN_UP: &str = "lockgate opened this issue and would not know it again, because of its author or because it has no label. So it was closed at once; the run says what to do.";

/// What came of opening an issue.
pub(super) enum Opened {
    /// GitHub says what it opened.
    Now(Posted),
    /// It was there, although GitHub did not say so.
    Before(u64),
}

impl Writer {
    /// Opens an issue; after each answer that leaves it open whether it was, looks first.
    pub(super) async fn open_once(&mut self, draft: &Draft) -> Result<Opened, Failure> {
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
    pub(super) async fn claim(&mut self, draft: &Draft, posted: Posted) -> Result<u64, Cause> {
        let number = posted.number;
        let author = posted.author.clone().unwrap_or_default();
        if number_of(draft, &Shelf::of([posted], &self.authors)).is_some() {
            return Ok(number);
        }
        let close = Edit {
            // Without its marker: else it would be taken for one that a person closed.
            body: Some(GIVEN_UP.to_owned()),
            turn: Some(Turn::Drop),
            ..Edit::of(number)
        };
        self.github.change(&close).await.map_err(Cause::GitHub)?;
        let message = Message::new("the token writes as ")
            .theirs(&author)
            .ours(", or may not label its issues, so they would not be found again; what it opened was closed");
        Err(Cause::NotOurs(message))
    }

    /// The number of the issue that a draft became, if it did.
    async fn found(&mut self, draft: &Draft) -> Result<Option<u64>, Failure> {
        Ok(number_of(draft, &self.shelf().await?))
    }

    pub(super) async fn comment(&mut self, number: u64, comment: &Comment) -> Result<(), Failure> {
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
            is_by(said.author.as_ref(), &self.authors)
                && said.body.as_arrived().lines().next() == Some(comment.marker.as_str())
        };
        Ok(said.iter().any(is_ours))
    }
}

fn number_of(draft: &Draft, shelf: &Shelf) -> Option<u64> {
    let known = shelf.about(&draft.marker.subject);
    known.map(|known| known.number)
}

fn may_have_happened<T>(sent: &Result<T, Failure>) -> bool {
    sent.as_ref().is_err_and(Failure::may_have_happened)
}
