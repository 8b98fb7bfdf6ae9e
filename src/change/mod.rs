//! Judges a change: what base trusts, what head brings, and what may be contacted for it.
//!
//! Obeys design §4 and §5. Pure: both sides, the history, the root and the time of the run
//! come in as plain data; all rules are judged before any packet is sent.
#![deny(clippy::indexing_slicing)]

mod approved;
mod behind;
mod blocks;
mod clients;
mod collisions;
mod coverage;
mod event;
mod gate;
mod globs;
mod history;
mod judge;
mod keys;
mod order;
mod plain;
mod root;
mod scanned;
mod servers;
mod side;
mod snapshot;
mod suspicion;
mod trust_change;
mod weighing;

pub use approved::{Subject, day};
pub use blocks::tell_blocks;
pub use clients::{Named, Target, is_config, named};
pub use event::{Branch, Compared, Event, EventFault, Said};
pub use globs::Globs;
pub use history::{History, Newest};
pub use judge::{Change, Judged, judge, stand};
pub use keys::of_keys;
pub use plain::rewritten;
pub use root::{Root, command};
pub use scanned::tell_scans;
pub use servers::duplicates;
pub use side::Side;
pub use snapshot::{Content, RepoPath, Snapshot, is_kept, is_of_interest};

/// Does the change add or change a lockfile?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touched {
    /// Yes.
    ByChange,
    /// No: it stood already, or nothing is compared.
    Not,
}

/// What a lockfile's server may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contact {
    /// Nothing: the lockfile fails a rule.
    Refused,
    /// A listing is asked for, without secrets: the change brought the URL.
    WithoutSecrets,
    /// A listing is asked for, with the secrets that a person typed for this origin and
    /// without those of the trust file: the URL did not stand on base.
    TypedSecrets,
    /// A listing is asked for as it was approved.
    WithSecrets,
}

/// How a lockfile stands to the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Does the change add or change it?
    pub touched: Touched,
    /// What its server may be sent.
    pub contact: Contact,
}
