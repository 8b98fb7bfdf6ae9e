//! Judges: compare what is offered with what was approved, and say what follows.
//!
//! Obeys design §3. Pure: time and settings come in as arguments.
#![deny(clippy::indexing_slicing)]

mod malformed;
mod verdict;

pub use verdict::{Decision, Reason, Unlisted, Verdict};
