//! The servers that moved → a section for each, with every difference whole.

use askama::Template;

use super::name;
use super::part::{Fold, Part, parts};
use super::room::Room;
use super::servers::{Counts, approved_by};
use crate::change::day;
use crate::check::{Bearing, Checked, Comparison, Outcome, Verdict};
use crate::tell::github::Run;
use crate::tell::order::by_weight;
use crate::tell::way_out::next_step;
use crate::trust::Ledger;
use crate::untrusted::html::{Html, code, rendered, shown};

/// So many differences are unfolded where a page has no more.
const UNFOLDED: usize = 12;

#[derive(Template)]
#[template(path = "moved.html", config = "src/tell/page/askama.toml")]
struct Sections {
    sections: Vec<Section>,
}

/// One server.
struct Section {
    place: Html,
    title: Html,
    path: Html,
    aside: Option<Html>,
    counts: Counts,
    approved: Option<Html>,
    by: Option<Html>,
    way_out: Option<Html>,
    listing: Option<Html>,
    parts: Vec<Html>,
}

/// The servers that answered, and offer something else than what was approved.
pub(super) struct Moved<'a> {
    changed: Vec<(&'a Checked, &'a Comparison)>,
}

impl<'a> Moved<'a> {
    pub(super) fn of(run: &'a Run<'a>) -> Self {
        let compared = |one: &'a Checked| match &one.outcome {
            Outcome::Compared(comparison) if comparison.verdict() == Verdict::Changed => {
                Some((one, comparison))
            }
            Outcome::Compared(_) | Outcome::Unlisted(_) => None,
        };
        let sorted = by_weight(&run.report.checked).into_iter();
        Moved {
            changed: sorted.filter_map(compared).collect(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.changed.len()
    }

    /// The number of a check's section, if it has one.
    pub(super) fn place(&self, one: &Checked) -> Option<usize> {
        let is_it = |(known, _): &(&Checked, _)| std::ptr::eq(*known, one);
        self.changed.iter().position(is_it).map(|place| place + 1)
    }

    /// All sections; empty where nothing moved.
    pub(super) fn told(&self, ledger: &Ledger, room: &mut Room) -> askama::Result<Html> {
        let all = self.changed.iter();
        let all: Vec<Vec<Part>> = all
            .map(|(_, comparison)| parts(comparison))
            .collect::<askama::Result<_>>()?;
        let fold = Fold::of(all.iter().map(Vec::len).sum(), UNFOLDED);
        let mut sections = Vec::new();
        for (index, ((one, comparison), parts)) in self.changed.iter().zip(all).enumerate() {
            let to_come = self.changed.len() - index;
            let told = told(parts, fold, (room, to_come))?;
            let place = shown(index + 1);
            sections.push(section((one, comparison), place, (told, ledger)));
        }
        rendered(&Sections { sections })
    }
}

fn section(
    (one, comparison): (&Checked, &Comparison),
    place: Html,
    (parts, ledger): (Vec<Html>, &Ledger),
) -> Section {
    let lockfile = one.lockfile.as_ref();
    let title = one.url().map(|url| name(&url.untrusted()));
    Section {
        place,
        title: title.unwrap_or_else(|| name(&one.path)),
        path: name(&one.path),
        aside: (one.bearing == Bearing::Told).then(|| shown("does not fail this run")),
        counts: Counts::of(comparison),
        approved: lockfile.map(|lockfile| shown(day(lockfile.approved_at()))),
        by: lockfile.map(|lockfile| approved_by(ledger, lockfile)),
        way_out: next_step(one).map(|step| step.in_page()),
        listing: comparison.offer.as_ref().map(|offer| code(offer.listing)),
        parts,
    }
}

/// The differences of one server, each whole where there is room for it.
pub(super) fn told(
    parts: Vec<Part>,
    fold: Fold,
    (room, servers): (&mut Room, usize),
) -> askama::Result<Vec<Html>> {
    let count = parts.len();
    let mut told = Vec::new();
    for (index, part) in parts.into_iter().enumerate() {
        let whole = part.whole(fold)?;
        let to_come = servers * (count - index);
        told.push(match room.takes(&whole, to_come) {
            true => whole,
            false => part.left_out(whole.0.len())?,
        });
    }
    Ok(told)
}
