//! What follows from a failure: to end, to ask something else, to ask again.

use std::time::Duration;

use crate::check::Unlisted;
use crate::wire::{Code, NoHandshake, RpcError, Version};

/// Why a request got no answer that was looked for.
#[derive(Debug)]
pub(in super::super) enum Fault {
    /// Nothing else need be asked.
    Final(Unlisted),
    /// The server refused this request; it may answer another.
    Refused(Box<Refusal>),
}

/// The same for one try of a request.
#[derive(Debug)]
pub(in super::super) enum Trouble {
    /// Nothing else need be asked.
    Final(Unlisted),
    /// The server refused this request; it may answer another.
    Refused(Box<Refusal>),
    /// The same request may be answered in a while.
    Setback(Setback),
}

/// A request that was refused.
#[derive(Debug)]
pub(in super::super) struct Refusal {
    /// The HTTP status, if it was the status that refused.
    pub(in super::super) status: Option<u16>,
    /// What to tell if nothing else is answered.
    pub(in super::super) why: Unlisted,
    code: Option<Code>,
    supported: Vec<Version>,
}

/// A request that may be answered in a while.
#[derive(Debug)]
pub(in super::super) struct Setback {
    /// What to tell if it is not.
    pub(in super::super) why: Unlisted,
    /// How long the server asks us to wait.
    pub(in super::super) wait: Option<Duration>,
}

impl Fault {
    /// The answer about this server.
    pub(in super::super) fn into_unlisted(self) -> Unlisted {
        match self {
            Fault::Final(unlisted) => unlisted,
            Fault::Refused(refusal) => refusal.why,
        }
    }
}

impl Refusal {
    /// What came is no answer; there is no more to be learnt from it.
    pub(in super::super) fn of(why: Unlisted) -> Self {
        Refusal {
            status: None,
            why,
            code: None,
            supported: Vec::new(),
        }
    }

    /// An HTTP status (but 2xx), with the JSON-RPC error that came along.
    pub(super) fn with_status(
        status: Option<u16>,
        error: Option<&RpcError>,
        why: Unlisted,
    ) -> Self {
        Refusal {
            status,
            why,
            code: error.map(|error| error.code),
            supported: error.and_then(|e| e.supported.clone()).unwrap_or_default(),
        }
    }

    /// The result of a handshake that opens nothing.
    pub(in super::super) fn no_handshake(fault: NoHandshake) -> Self {
        let why = super::no_handshake(&fault);
        let supported = match fault {
            NoHandshake::NotSupported(versions) => versions,
            NoHandshake::NoVersion | NoHandshake::OtherVersion(_) | NoHandshake::Malformed(_) => {
                Vec::new()
            }
        };
        Refusal {
            supported,
            ..Refusal::of(why)
        }
    }

    /// The JSON-RPC code that refused.
    pub(in super::super) fn code(&self) -> Option<Code> {
        self.code
    }

    /// The known versions that the server says it speaks.
    pub(in super::super) fn supported(&self) -> &[Version] {
        &self.supported
    }
}

impl From<Unlisted> for Trouble {
    fn from(unlisted: Unlisted) -> Self {
        Trouble::Final(unlisted)
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Trouble::Refused(Box::new(refusal))
    }
}

impl From<Setback> for Trouble {
    fn from(setback: Setback) -> Self {
        Trouble::Setback(setback)
    }
}
