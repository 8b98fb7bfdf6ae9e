//! Tells: what was found → what a person reads. Pure: returns text, prints nothing.
//!
//! Obeys design §3: whole texts, invisible characters spelled out, words that moved.
//! Colour is only ever an addition: everything reads the same without it.
#![deny(clippy::indexing_slicing)]

mod change;
mod hang;
mod lines;
mod paint;
mod report;
mod words;

pub use change::{comparison, instructions, listing, tool};
pub use hang::hang;
pub use lines::lines;
pub(crate) use paint::unpainted;
pub use report::{counted, findings, report};
