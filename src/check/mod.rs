//! Judges: compare what is offered with what was approved, and say what follows.
//!
//! Obeys design §3. Pure: time and settings come in as arguments.
#![deny(clippy::indexing_slicing)]

mod answer;
mod apart;
mod compare;
mod detail;
mod deviation;
mod fault_text;
mod finding;
mod malformed;
mod notes;
mod offer;
mod paths;
mod report;
mod rule;
mod trigger;
mod verdict;
mod words;

pub use answer::{ANSWER_KIND, Answer, Checked, Outcome, tally};
pub use compare::{Comparison, Modified, Removed, compare};
pub use detail::{Change, FieldChange, Form, Place, TextChange, ValueChange};
pub use deviation::Deviation;
pub use fault_text::explain;
pub use finding::Finding;
pub use notes::notes;
pub use offer::Offer;
pub use report::{Due, FailOn, Mode, REPORT_KIND, Report, SignatureCheck};
pub use rule::{Level, Rule};
pub use trigger::{Author, Trigger};
pub use verdict::{Bearing, Decision, Reason, Unlisted, Verdict};
pub use words::{Moved, moved_words};
