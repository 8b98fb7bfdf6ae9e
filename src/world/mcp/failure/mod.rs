//! What went wrong, in words → [`Unlisted`], and what follows from it → [`Fault`].
//!
//! Obeys design §3 for the reasons. The one place for these words: ours stand in `detail`,
//! the other side's in `said`, and nothing of a header that we sent in either.

mod answer;
mod connection;
mod fault;

pub(super) use answer::*;
pub(super) use connection::*;
pub(super) use fault::{Fault, Refusal, Setback, Trouble};

use crate::check::{Reason, Unlisted};
use crate::untrusted::Untrusted;

/// Most characters of the other side's words.
const QUOTED: usize = 1_000;

/// A reason in our words alone.
fn unlisted(reason: Reason, detail: impl Into<String>) -> Unlisted {
    Unlisted {
        reason,
        detail: detail.into(),
        said: None,
        hint: None,
    }
}

/// Adds the way out.
fn hinted(unlisted: Unlisted, hint: impl Into<String>) -> Unlisted {
    Unlisted {
        hint: Some(hint.into()),
        ..unlisted
    }
}

/// Adds the other side's words.
fn quoting(unlisted: Unlisted, said: impl Into<String>) -> Unlisted {
    Unlisted {
        said: Some(Untrusted::new(said)),
        ..unlisted
    }
}

/// Cuts what the other side said: it may be as long as all that a server may send.
pub(super) fn cut(unlisted: Unlisted) -> Unlisted {
    let said = unlisted.said.map(|said| {
        let text = said.as_arrived();
        match text.char_indices().nth(QUOTED) {
            Some((end, _)) => Untrusted::new(format!("{}…", text.get(..end).unwrap_or_default())),
            None => said,
        }
    });
    Unlisted { said, ..unlisted }
}
