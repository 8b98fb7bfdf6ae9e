//! Why a listing cannot be what was approved: plain data, told elsewhere.
//!
//! Obeys design §1. No reader can be sure of what such an answer says.

use crate::json::ReadError;
use crate::untrusted::Untrusted;

/// The answer cannot be what was approved: no reader can be sure of what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed {
    /// Not acceptable JSON.
    Json(ReadError),
    /// No `tools` array where one is due; what stands there instead.
    NoTools(&'static str),
    /// A tool that is no object; what it is.
    ToolNotAnObject(&'static str),
    /// A tool without a string `name`.
    ToolWithoutName,
    /// Two tools of one name.
    DuplicateName(Untrusted),
    /// A member that equals a hashed one but for letter case.
    CaseVariant {
        /// The tool that has it.
        tool: Untrusted,
        /// The member's name as it arrived.
        member: Untrusted,
    },
    /// A `nextCursor` that is neither a string nor `null`; what it is.
    BadCursor(&'static str),
    /// A cursor that was already followed: the listing has no end.
    RepeatedCursor(Untrusted),
    /// One page of several where a whole listing is due.
    MorePages,
    /// `instructions` that are no text; what they are.
    BadInstructions(&'static str),
    /// Anything else that breaks the protocol inside an answer to `tools/list`.
    Protocol(&'static str),
}

impl From<ReadError> for Malformed {
    fn from(error: ReadError) -> Self {
        Malformed::Json(error)
    }
}
