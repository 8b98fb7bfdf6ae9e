//! Judges: compare what is offered with what was approved, and say what follows.
//!
//! Obeys design §3. Pure: time and settings come in as arguments.
#![deny(clippy::indexing_slicing)]

mod allowance;
mod answer;
mod apart;
mod compare;
mod detail;
mod deviation;
mod difference;
mod ends;
mod fault_text;
mod finding;
mod hints;
mod keyword;
mod lines;
mod malformed;
mod modified;
mod named;
mod notes;
mod offer;
mod part;
mod parts;
mod paths;
mod places;
mod read_part;
mod renames;
mod report;
mod rule;
mod shard;
mod surface;
mod trigger;
mod verdict;
mod words;

pub use answer::{ANSWER_KIND, Answer, Checked, Outcome, tally};
pub use compare::{Comparison, Modified, Removed, Renamed, Sameness, compare};
pub use detail::{Change, FieldChange, Form, Kept, TextChange};
pub use deviation::Deviation;
pub use fault_text::explain;
pub use finding::Finding;
pub use hints::HintMove;
pub use lines::MovedLines;
pub use named::Named;
pub use notes::notes;
pub use offer::Offer;
pub use part::{Listed, Part, Said};
pub use parts::{Parts, Read};
pub use places::{Place, ValueChange};
pub use read_part::{PartFault, PartReport, Stamp};
pub use report::{Due, FailOn, Mode, REPORT_KIND, Report, SignatureCheck};
pub use rule::{Level, Rule};
pub use shard::{MAX_SHARDS, NotAShard, Shard};
pub use surface::Surface;
pub use trigger::{Author, Trigger};
pub use verdict::{Bearing, Cause, Decision, Reason, Unlisted, Verdict};
pub use words::{Moved, Weighed, moved_words};
