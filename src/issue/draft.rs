//! What is written to GitHub: plain data, nothing of it sent yet.

use super::marker::Marker;
use crate::lock::Digest;

/// One thing to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Open an issue.
    Open(Draft),
    /// Change one that is there.
    Edit(Edit),
}

/// An issue to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// What its first line says: by it the issue is found again.
    pub marker: Marker,
    /// Its title.
    pub title: String,
    /// Its body, the marker included.
    pub body: String,
}

/// A change of an issue: first its text and whether it is open, then one comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Which issue.
    pub number: u64,
    /// Its new title.
    pub title: Option<String>,
    /// Its new body.
    pub body: Option<String>,
    /// Opened or closed.
    pub turn: Option<Turn>,
    /// What is said to those who follow it.
    pub comment: Option<Comment>,
}

/// An issue is opened again, or closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Opened again.
    Reopen,
    /// Closed: what was to be done is done.
    Complete,
    /// Closed: there is nothing to do.
    Drop,
}

/// A comment; its first line is hidden, and by it the comment is found again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The first line.
    pub marker: String,
    /// All of it, the first line included.
    pub body: String,
}

impl Comment {
    /// A comment with these words of ours.
    pub(super) fn new(words: &str) -> Self {
        let marker = format!("<!-- lockgate:v1 comment={} -->", Digest::of(words));
        let body = format!("{marker}\n{words}\n");
        Comment { marker, body }
    }
}

impl Edit {
    /// A change of nothing.
    pub fn of(number: u64) -> Self {
        Edit {
            number,
            title: None,
            body: None,
            turn: None,
            comment: None,
        }
    }
}
