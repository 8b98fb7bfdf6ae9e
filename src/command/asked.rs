//! What servers said → a check for each lockfile, and notes on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockgate::Verdict;
use lockgate::check::{
    Checked, Comparison, Finding, Listed, Outcome, Part, Reason, Said, Surface, Unlisted, compare,
    notes,
};
use lockgate::lock::{Identity, Listing, Lockfile};
use lockgate::scan::{Scan, Severity, scan_against, scan_listing};
use lockgate::world::signals::Interruption;

use super::companion::Companion;
use super::survey::Surveyed;

/// What came of asking.
#[derive(Default)]
pub(crate) struct Asked {
    /// One check for each lockfile.
    pub(crate) checked: Vec<Checked>,
    /// Notes on them.
    pub(crate) findings: Vec<Finding>,
    /// The signal that ended the run early.
    pub(crate) interrupted: Option<Interruption>,
    /// What each server said, if others are asked elsewhere.
    pub(crate) part: Option<Part>,
}

/// The lockfiles of each server.
pub(crate) fn by_server(lockfiles: Vec<Surveyed>) -> BTreeMap<Identity, Vec<Surveyed>> {
    let mut groups: BTreeMap<Identity, Vec<Surveyed>> = BTreeMap::new();
    for one in lockfiles {
        groups.entry(one.lockfile.identity()).or_default().push(one);
    }
    groups
}

impl Asked {
    /// Nothing yet.
    pub(crate) fn of(part: Option<Part>) -> Self {
        Asked {
            part,
            ..Asked::default()
        }
    }

    /// Takes what one server said, for every lockfile of it.
    pub(crate) fn take(
        &mut self,
        server: &Identity,
        group: Vec<Surveyed>,
        listed: &Result<Listing, Unlisted>,
    ) {
        let before = self.checked.len();
        let said = match listed {
            Ok(listing) => {
                let surface = Surface::of(listing, group.iter().map(|one| &one.lockfile));
                let scan = Arc::new(scan_listing(listing));
                self.compare(group, listing, &surface, &scan);
                let checked = self.checked.get(before..).unwrap_or_default();
                Said::Listed(not_pinned(checked, listing, surface, scan))
            }
            Err(unlisted) => {
                self.silence(group, unlisted);
                Said::Unlisted(unlisted.clone())
            }
        };
        if let Some(part) = &mut self.part {
            part.servers.push((server.digest(), said));
        }
    }

    /// Compares a listing with every lockfile of its server.
    pub(crate) fn compare(
        &mut self,
        group: Vec<Surveyed>,
        listing: &Listing,
        surface: &Surface,
        scan: &Arc<Scan>,
    ) {
        for one in group {
            let findings = notes(&one.shown, &one.lockfile, surface);
            self.findings.extend(findings);
            let (lockfile, comparison) = compared(one.lockfile, &one.companion, listing);
            let outcome = Outcome::Compared(comparison);
            let scan = Some(against(&lockfile, listing, scan));
            let one = Surveyed {
                lockfile,
                scan,
                ..one
            };
            self.settle(one, outcome);
        }
    }

    /// Takes it that a server gave no listing.
    pub(crate) fn silence(&mut self, group: Vec<Surveyed>, unlisted: &Unlisted) {
        for one in group {
            self.settle(one, Outcome::Unlisted(unlisted.clone()));
        }
    }

    pub(crate) fn settle(&mut self, one: Surveyed, outcome: Outcome) {
        self.checked.push(Checked {
            path: one.shown,
            lockfile: Some(one.lockfile),
            outcome,
            bearing: one.bearing,
            scan: one.scan,
        });
    }
}

/// What of a listing the lockfiles that it was compared with do not pin.
fn not_pinned(checked: &[Checked], listing: &Listing, surface: Surface, scan: Arc<Scan>) -> Listed {
    let same = checked
        .iter()
        .filter(|one| one.verdict() == Verdict::Unchanged);
    let unchanged: Vec<_> = same
        .filter_map(|one| one.lockfile.as_ref().map(Lockfile::seal))
        .collect();
    Listed {
        listing: (unchanged.len() < checked.len()).then(|| listing.text()),
        unchanged,
        surface,
        scan,
    }
}

/// What was added to an approved text weighs more, where the approved text is at hand.
fn against(lockfile: &Lockfile, listing: &Listing, scan: &Arc<Scan>) -> Arc<Scan> {
    match lockfile.listing() {
        Some(approved) if scan.severity() > Severity::None => {
            Arc::new(scan_against(scan.as_ref().clone(), &approved, listing))
        }
        Some(_) | None => scan.clone(),
    }
}

/// Compares by digest first; the approved texts are only read where something moved.
fn compared(
    lockfile: Lockfile,
    companion: &Companion,
    listing: &Listing,
) -> (Lockfile, Comparison) {
    let comparison = compare(&lockfile, listing);
    if comparison.verdict() == Verdict::Unchanged {
        return (lockfile, comparison);
    }
    match companion.beside(lockfile.clone()) {
        Ok(lockfile) => {
            let comparison = compare(&lockfile, listing);
            (lockfile, comparison)
        }
        // Told by the survey already.
        Err(_) => (lockfile, comparison),
    }
}

/// The verdict of a server that was not asked.
pub(crate) fn not_checked() -> Unlisted {
    let detail = "the run ended before this server was asked".to_owned();
    Unlisted {
        reason: Reason::NotChecked,
        detail,
        said: None,
        hint: None,
    }
}

/// The checks of a run that asks no server.
pub(crate) fn offline(lockfiles: Vec<Surveyed>, part: Option<Part>) -> Asked {
    let unasked = Unlisted {
        detail: "offline: no server was asked".to_owned(),
        ..not_checked()
    };
    let mut asked = Asked::of(part);
    asked.silence(lockfiles, &unasked);
    asked
}
