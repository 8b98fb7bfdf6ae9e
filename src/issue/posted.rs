//! What GitHub lists: an issue, whoever wrote it.

use crate::untrusted::Untrusted;

/// The label that every issue of ours carries, and that strangers cannot give.
pub const LABEL: &str = "lockgate";

/// An issue as GitHub lists it. None of it is believed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// Its number.
    pub number: u64,
    /// Open or closed.
    pub openness: Openness,
    /// Who wrote it; `None` if the account is gone.
    pub author: Option<Untrusted>,
    /// Its labels.
    pub labels: Vec<Untrusted>,
    /// Its body.
    pub body: Untrusted,
}

/// Did one of `ours` write it? GitHub compares logins without regard to letter case.
pub fn is_by(author: Option<&Untrusted>, ours: &[String]) -> bool {
    author.is_some_and(|author| {
        let author = author.as_arrived();
        ours.iter().any(|ours| ours.eq_ignore_ascii_case(author))
    })
}

/// Is an issue open?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Openness {
    /// It is.
    Open,
    /// Somebody, or we, closed it.
    Closed,
}
