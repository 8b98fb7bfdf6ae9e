//! What was approved and what is offered: tool, listing, digests, lockfile, companion.
//!
//! Obeys the lockfile page (`Lockfile v1`) and design §1 and §2. Knows; never asks the
//! world and never judges.
#![deny(clippy::indexing_slicing)]

mod digest;
mod listing;
mod tool;

pub use digest::{Digest, NotADigest, tools_sha256};
pub use listing::{Cursor, Listing, Malformed, ServerInfo};
pub use tool::{Field, Tool};
