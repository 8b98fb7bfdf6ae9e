//! What a person approves, scanned: as they are shown it, and as the lockfile will hold it.

use lockgate::lock::{Listing, Lockfile, ScanRecord};
use lockgate::scan::{Scan, scan_against, scan_listing};

use super::base::Before;
use super::reading::agreed;

/// The scan of a list that somebody is about to approve.
pub(super) struct Scanned {
    /// What is shown: what was added to an approved text weighs more.
    pub(super) shown: Scan,
    /// What a new lockfile holds: the list alone, whatever stood before.
    pub(super) record: ScanRecord,
}

impl Scanned {
    /// Scans `listing`, beside what was approved.
    pub(super) fn of(before: &[Before], listing: &Listing) -> Self {
        let scan = scan_listing(listing);
        let record = ScanRecord::from(&scan);
        let shown = match agreed(before).and_then(Lockfile::listing) {
            Some(approved) => scan_against(scan, &approved, listing),
            None => scan,
        };
        Scanned { shown, record }
    }
}
