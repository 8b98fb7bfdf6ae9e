//! A server that needs an issue: it drifted, or it has been silent for so long.

use super::evidence::Evidence;
use super::marker::State;
use super::row::Row;
use super::server::Server;
use crate::check::Unlisted;

/// A server, what is remembered of it, and what its issue tells.
pub(super) struct Trouble<'s> {
    pub(super) server: &'s Server<'s>,
    pub(super) row: &'s Row,
    pub(super) what: What<'s>,
}

/// What an issue tells of a server.
#[derive(Clone, Copy)]
pub(super) enum What<'s> {
    /// It offers something else.
    Drift(&'s Evidence<'s>),
    /// It gives no listing.
    Silence(&'s Unlisted),
}

impl Trouble<'_> {
    /// By which the issue knows the next time that it told this.
    pub(super) fn state(&self) -> State {
        match self.what {
            What::Drift(evidence) => State::Drift(evidence.digest),
            What::Silence(why) => State::Silence(self.row.silence(why.reason)),
        }
    }
}
