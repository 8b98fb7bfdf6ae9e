//! The one time a run has.

use jiff::Timestamp;

/// Now, read once at the start of a run.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the clock"
)]
pub fn now() -> Timestamp {
    Timestamp::now()
}
