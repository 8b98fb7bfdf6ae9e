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
