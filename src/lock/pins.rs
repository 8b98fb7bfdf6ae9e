//! The extended pins: what reaches a model and v1 does not hash (design §2).

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::{Digest, Listing, Tool};
use crate::untrusted::Untrusted;

/// A tool's name and one of its digests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PinnedTool {
    /// The tool's name.
    pub name: Untrusted,
    /// Its digest: v1's in `tools`, the extended one in `extended.tools`.
    pub sha256: Digest,
}

/// What is approved about a server's `instructions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InstructionsPin {
    /// Nothing: the member is absent, as where a lockfile was made from a file of tools.
    #[default]
    NotPinned,
    /// That there are none: the member is `null`.
    None,
    /// SHA-256 of their UTF-8 bytes.
    Sha256(Digest),
}

impl InstructionsPin {
    /// The pin for what a server said.
    pub fn of(instructions: Option<&Untrusted>) -> Self {
        match instructions {
            None => InstructionsPin::None,
            Some(text) => InstructionsPin::Sha256(Digest::of(text.as_arrived())),
        }
    }

    fn is_absent(&self) -> bool {
        matches!(self, InstructionsPin::NotPinned)
    }
}

impl Serialize for InstructionsPin {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            InstructionsPin::NotPinned | InstructionsPin::None => to.serialize_none(),
            InstructionsPin::Sha256(digest) => digest.serialize(to),
        }
    }
}

/// The header part of a server's identity: toolsets are chosen by header (design §2).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct HeaderPins {
    /// Headers that are no secret, by lower-case name.
    pub headers: BTreeMap<String, String>,
    /// Lower-case names of the headers whose values are secrets, sorted.
    pub secret_headers: Vec<String>,
}

/// `extended`: all that reaches a model, and how the listing was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Extended {
    /// Every tool's extended digest, sorted by name.
    pub tools: Vec<PinnedTool>,
    /// The server's `instructions`.
    #[serde(skip_serializing_if = "InstructionsPin::is_absent")]
    pub instructions_sha256: InstructionsPin,
    /// Headers the listing was asked with, secrets left out.
    pub headers: BTreeMap<String, String>,
    /// Names of the secret headers it was asked with.
    pub secret_headers: Vec<String>,
    /// What the approval is for, where a policy names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audience: Option<Untrusted>,
}

impl Extended {
    /// The pins of a listing that was asked for with `headers`.
    pub fn of(listing: &Listing, headers: HeaderPins) -> Self {
        let instructions_sha256 = match listing.tells_instructions() {
            true => InstructionsPin::of(listing.instructions()),
            false => InstructionsPin::NotPinned,
        };
        let HeaderPins {
            headers,
            secret_headers,
        } = headers;
        let tools = pinned(listing, Tool::extended_sha256);
        Extended {
            tools,
            instructions_sha256,
            headers,
            secret_headers,
            audience: None,
        }
    }

    /// The header part of the server's identity.
    pub fn header_pins(&self) -> HeaderPins {
        HeaderPins {
            headers: self.headers.clone(),
            secret_headers: self.secret_headers.clone(),
        }
    }
}

/// Each tool of `listing` with one of its digests, sorted by name.
pub(super) fn pinned(listing: &Listing, digest: impl Fn(&Tool) -> Digest) -> Vec<PinnedTool> {
    let pin = |tool: &Tool| PinnedTool {
        name: tool.name().clone(),
        sha256: digest(tool),
    };
    listing.tools().iter().map(pin).collect()
}
