//! What merging a change approves → a section: who signed each lockfile, every difference whole.

use askama::Template;

use super::moved::told;
use super::name;
use super::part::{Fold, Part, of_pin, parts};
use super::room::Room;
use crate::tell::approval::{BY_NOBODY, Difference, Signed, counted_so, signed_by, worst_first};
use crate::tell::github::Run;
use crate::trust::Ledger;
use crate::untrusted::html::{Html, joined, rendered, shown};

/// So many differences are unfolded where a page has no more.
const UNFOLDED: usize = 12;

#[derive(Template)]
#[template(path = "approves.html", config = "src/tell/page/askama.toml")]
struct Approving {
    lockfiles: Vec<Approved>,
}

/// One lockfile that the change adds or changes.
struct Approved {
    place: Html,
    title: Html,
    path: Html,
    is_signed: bool,
    signed: Html,
    lead: Html,
    told: Html,
    parts: Vec<Html>,
}

/// The section; empty where the change approves nothing.
pub(super) fn approves(run: &Run<'_>, ledger: &Ledger, room: &mut Room) -> askama::Result<Html> {
    let sorted = worst_first(run, ledger);
    let all: Vec<(Difference, Vec<Part>)> = sorted
        .iter()
        .map(|(one, _)| {
            let difference = Difference::of(one);
            let parts = all(&difference)?;
            Ok((difference, parts))
        })
        .collect::<askama::Result<_>>()?;
    let fold = Fold::of(all.iter().map(|(_, parts)| parts.len()).sum(), UNFOLDED);
    let mut lockfiles = Vec::new();
    for (index, (signed, (difference, parts))) in sorted.iter().zip(all).enumerate() {
        let to_come = sorted.len() - index;
        let parts = told(parts, fold, (room, to_come))?;
        lockfiles.push(approved(run, signed, (index, &difference, parts)));
    }
    rendered(&Approving { lockfiles })
}

fn all(difference: &Difference) -> askama::Result<Vec<Part>> {
    match difference {
        Difference::New(comparison) | Difference::Changed(comparison) => parts(comparison),
        Difference::Pins(changes) => changes.iter().map(of_pin).collect(),
    }
}

fn approved(
    run: &Run<'_>,
    (one, approvals): &Signed<'_>,
    (index, difference, parts): (usize, &Difference, Vec<Html>),
) -> Approved {
    let by = signed_by(approvals).map(|by| by.in_page());
    let by = by.unwrap_or_else(|| shown(BY_NOBODY));
    let (lead, told) = difference.told();
    Approved {
        place: shown(index + 1),
        title: name(&one.after.server().url.untrusted()),
        path: name(&one.path),
        is_signed: approvals.suffice(run.approvals),
        signed: joined([by, shown(counted_so(run, approvals))]),
        lead: shown(lead),
        told: shown(told),
        parts,
    }
}
