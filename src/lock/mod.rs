//! What was approved and what is offered: tool, listing, digests, lockfile, companion.
//!
//! Obeys the lockfile page (`Lockfile v1`) and design §1 and §2. Knows; never asks the
//! world and never judges.
#![deny(clippy::indexing_slicing)]

mod append;
mod candidate;
mod companion;
mod covered;
mod digest;
mod fault;
mod identity;
mod listing;
mod lockfile;
mod malformed;
mod members;
mod pins;
mod read_lockfile;
mod reviewed;
mod scan_record;
mod signature;
mod tool;
mod twins;
mod uncovered;
mod url;
mod write;

pub use append::{NotAppended, append_signature};
pub use candidate::{
    COMPANION_ENDING, Candidate, Claim, LOCKFILE_ENDING, claim, may_hold_kind, read_candidate,
};
pub use companion::{COMPANION_KIND, Companion};
pub use digest::{Digest, NotADigest, tools_sha256};
pub use fault::{LockfileFault, Problem};
pub use identity::Identity;
pub use listing::{Cursor, Listing, ServerInfo};
pub use lockfile::{KIND, LockedTool, Lockfile, MemberLines, Server};
pub use malformed::Malformed;
pub(crate) use members::escape as pointer_token;
pub use pins::{Extended, HeaderPins, InstructionsPin, PinnedTool};
pub use reviewed::{Aside, asides, listing_digest};
pub use scan_record::{RecordedFinding, ScanRecord};
pub use signature::LockfileSignature;
pub(crate) use signature::signature_bytes;
pub use tool::{Field, Tool};
pub(crate) use twins::refuse_twins;
pub use url::{BadUrl, ServerUrl};
pub use write::Approval;
pub(crate) use write::{ToolText, spelled};
