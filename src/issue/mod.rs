//! Issues: what a run saw of each server, and what GitHub lists → what is written there.
//!
//! Obeys design §8: one issue per drifted server, silent while nothing changes, closed only
//! by a signed re-approval; one tracker, which is the memory. Pure: what GitHub lists and
//! the time come in as arguments, and nothing is sent from here.
#![deny(clippy::indexing_slicing)]

mod approval;
mod body;
mod counts;
mod crowd;
mod draft;
mod evidence;
mod marker;
mod memory;
mod memory_text;
mod page;
mod place;
mod plan;
mod posted;
mod remark;
mod row;
mod run;
mod server;
mod shelf;
mod step;
mod suspicion;
mod tracker;
mod trouble;
mod ways_out;
mod words;

pub use draft::{Action, Comment, Draft, Edit, Turn};
pub use marker::{Marker, State, Subject};
pub use memory::{Key, Memory, Recalled};
pub use place::{Place, Scope};
pub use plan::{Plan, doubles, plan};
pub use posted::{LABEL, Openness, Posted, is_by};
pub use row::Row;
pub use run::Run;
pub use server::{Condition, Server};
pub use shelf::{Known, Shelf};
pub use tracker::{recalled, tracker};
