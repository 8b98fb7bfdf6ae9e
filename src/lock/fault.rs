//! Why a lockfile or a companion listing cannot be used: the thing, its line, the cause.

use super::url::BadUrl;
use crate::json::ReadError;
use crate::untrusted::Untrusted;

/// A lockfile that cannot be used; it blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockfileFault {
    /// The line it stands on, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a lockfile (design §2, Seal) or a companion listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Not acceptable JSON.
    Json(ReadError),
    /// The text is no object at all; what it is.
    NotAnObject(&'static str),
    /// `kind` is another one; `None` if it is no string.
    Kind(Option<Untrusted>),
    /// `v` is not 1.
    Version,
    /// A member is missing; its JSON Pointer.
    Missing(String),
    /// A member has another shape; its JSON Pointer and what is due there.
    Shape {
        /// JSON Pointer of the member.
        pointer: String,
        /// What is due there.
        due: &'static str,
    },
    /// `server.url` is not a server URL.
    Url(Untrusted, BadUrl),
    /// A member of `extended` that this version does not know, and so cannot check.
    UnknownPin(Untrusted),
    /// `sha256` is not the seal of the document.
    Seal,
    /// `count` is not the number of tools.
    Count,
    /// Two tools of one name.
    DuplicateName(Untrusted),
    /// `tools_sha256` is not that of the tools listed.
    ToolsSha256,
    /// `descriptions` has a tool that `tools` has not.
    UnknownDescription(Untrusted),
    /// `extended.tools` does not name the tools that `tools` names.
    ExtendedTools,
    /// A tool of the companion is not the one that the lockfile pins.
    NotTheApprovedTool(Untrusted),
    /// The companion lacks a tool that the lockfile pins.
    LacksApprovedTool(Untrusted),
    /// The lockfile's text for a tool is not the description of the tool it pins.
    NotTheApprovedDescription(Untrusted),
    /// The companion's `instructions` are not the ones that the lockfile pins.
    NotTheApprovedInstructions,
    /// The companion is no listing.
    Listing(super::Malformed),
}

impl Problem {
    pub(super) fn at_line(self, line: usize) -> LockfileFault {
        LockfileFault {
            line,
            problem: self,
        }
    }
}
