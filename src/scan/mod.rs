//! Judges text: what a server hands to a model → is there an order in it that is not meant
//! for the user?
//!
//! Obeys design §3 and §4 (`scan`) and Lockfile v1 (`scan_at_approval`). Deterministic: no
//! model, no network, no pattern that can backtrack. Every string a model may get is
//! judged, sentence by sentence; mention is not order, and an exemption lowers a finding and
//! never deletes it. [`Severity::None`] says that nothing of the known kinds was found, and
//! proves nothing. What it says is ranked for a person to read first: the approved text
//! beside the current one is the control, not this.
#![deny(clippy::indexing_slicing)]

mod above;
mod channel;
mod choosing;
mod concept;
mod drift;
mod enclosing;
mod encoded;
mod exfiltration;
mod finding;
mod fold;
mod hushing;
mod identity;
mod kind;
mod knowing;
mod lexicon;
mod long_word;
mod marks;
mod names;
mod outlets;
mod overriding;
mod reading;
mod recipient;
mod record;
mod roles;
mod rule;
mod safety;
mod scanner;
mod secrecy;
mod secrets;
mod sentence;
mod sentences;
mod shadowing;
mod tool;
mod unseen;
mod voice;
mod walk;

pub use drift::scan_against;
pub use finding::{Area, Scan, ScanFinding};
pub use kind::{Kind, Severity};
pub use names::{Elsewhere, NamedTool, taken_elsewhere};
pub use rule::{RULE_SET, ScanRule};
pub use tool::{scan_listing, scan_malformed};
