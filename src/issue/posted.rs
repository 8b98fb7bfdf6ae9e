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

/// Is an issue open?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Openness {
    /// It is.
    Open,
    /// Somebody, or we, closed it.
    Closed,
}
