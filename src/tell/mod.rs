//! Tells: what was found → what a person reads. Pure: returns text, prints nothing.
//!
//! Obeys design §3: whole texts, invisible characters spelled out, words that moved.
//! Colour is only ever an addition: everything reads the same without it.
#![deny(clippy::indexing_slicing)]

mod approval;
mod change;
mod excerpt;
mod github;
mod hang;
mod headline;
mod lines;
mod moved;
mod notes;
mod order;
mod page;
mod paint;
mod points;
mod report;
mod sarif;
mod scan;
mod way_out;
mod words;

pub use change::{comparison, instructions, listing, tool};
pub use github::{
    Approves, DelimiterTaken, ForGitHub, Run, comparison_in_html, could_not_work, github,
};
pub use hang::hang;
pub use lines::lines;
pub use page::page;
pub use report::{counted, findings, report};
pub use sarif::sarif;
pub use scan::scan;
