//! One server and its issue → what is to be written about it.
//!
//! Obeys design §8. The one place that decides: silent when nothing changed, one comment
//! when it did, closed only by an approval that counts, a person's closing respected. Every
//! case is judged by name.

use jiff::SignedDuration;

use super::approval::Standing;
use super::marker::{Marker, State};
use super::page::with_head;
use super::plan::Sight;
use super::posted::Openness;
use super::row::Row;
use super::shelf::Known;
use super::trouble::{Trouble, What};
use super::{Comment, Condition, Draft, Edit, Place, Server, Turn, body, remark};

/// A silence gets an issue after the second run in a row, if that is so much later: a run
/// after each push is no second night.
const A_NIGHT: SignedDuration = SignedDuration::from_hours(8);

/// What one server asks for.
pub(super) enum Step<'s> {
    /// Silence.
    Nothing,
    /// An issue of its own.
    Open(Trouble<'s>),
    /// A change of the one that is there.
    Edit(Edit),
}

/// What an issue should tell of a server, if anything is known.
enum Due<'s> {
    Nothing,
    Same,
    Trouble(Trouble<'s>),
}

/// Decides what one server asks for.
pub(super) fn step<'s>(server: &'s Server<'s>, sight: &Sight<'s, '_>) -> Step<'s> {
    let known = sight.shelf.server(server.key);
    let Some(row) = sight.memory.row(server.key) else {
        return Step::Nothing;
    };
    let edit = |edit: Option<Edit>| edit.map_or(Step::Nothing, Step::Edit);
    match (due(server, row, sight.place), known) {
        (Due::Nothing, _) | (Due::Same, None) => Step::Nothing,
        (Due::Same, Some(known)) => edit(same(server, (known, row), sight.place)),
        (Due::Trouble(trouble), None) => Step::Open(trouble),
        (Due::Trouble(trouble), Some(known)) => edit(told_of(&trouble, known, sight.place)),
    }
}

fn due<'s>(server: &'s Server<'s>, row: &'s Row, place: &Place<'_>) -> Due<'s> {
    let lasts = row.failures > 1 && row.lasts(place.now) >= A_NIGHT;
    let what = match &server.condition {
        Condition::Same => return Due::Same,
        Condition::Drifted(evidence) => What::Drift(evidence),
        Condition::Silent(why) if lasts => What::Silence(why),
        Condition::Silent(_) | Condition::Accepted(_) | Condition::NotAsked(_) => {
            return Due::Nothing;
        }
    };
    Due::Trouble(Trouble { server, row, what })
}

/// The server is in trouble, and there is an issue about it.
fn told_of(trouble: &Trouble<'_>, known: &Known, place: &Place<'_>) -> Option<Edit> {
    let (state, told) = (trouble.state(), known.state());
    let is_evidence = matches!(told, State::Drift(_) | State::DriftOver(_));
    if told == state {
        return None;
    }
    // An open issue that shows what was offered is not written over for a silence; the
    // tracker tells that.
    if is_evidence && matches!(state, State::Silence(_)) && known.openness == Openness::Open {
        return None;
    }
    let edit = rewritten(known, body::draft(trouble, place));
    let words = remark::changed(trouble.what, place, known.openness);
    Some(told_again(edit, known, &words))
}

/// The server offers what is pinned, and there is an issue about it.
fn same(server: &Server<'_>, (known, row): (&Known, &Row), place: &Place<'_>) -> Option<Edit> {
    let approval = &server.approval;
    let is_newer = known.approved_at().is_some_and(|then| approval.at > then);
    let is_whole = server.checked.len() >= usize::try_from(row.lockfiles).unwrap_or(usize::MAX);
    if !is_whole || known.state() == State::Settled {
        // Other lockfiles of it were not looked for; or there is nothing left to say.
        return None;
    }
    match (is_newer, approval.standing) {
        (true, Standing::Signed | Standing::Off) => {
            let edit = turned(known, State::Settled, &remark::settled(place, approval));
            let words = remark::closed(place, approval);
            Some(spoken(edit, known, Some(Turn::Complete), &words))
        }
        (true, Standing::Unsigned | Standing::NotCounted) => {
            over(known, place, &remark::unsigned(place, approval))
        }
        (false, _) => over(known, place, &remark::back(place)),
    }
}

/// The trouble is over by itself, or by what does not count: it stays open.
fn over(known: &Known, place: &Place<'_>, words: &str) -> Option<Edit> {
    match known.state() {
        State::Drift(digest) => {
            let edit = turned(known, State::DriftOver(digest), &remark::drift_over(place));
            Some(spoken(edit, known, None, words))
        }
        State::Silence(digest) => {
            let status = remark::silence_over(place);
            let edit = turned(known, State::SilenceOver(digest), &status);
            Some(spoken(edit, known, None, &remark::answers(place)))
        }
        State::DriftOver(_) | State::SilenceOver(_) | State::Settled | State::Standing => None,
    }
}

/// The issue with all of its text new.
pub(super) fn rewritten(known: &Known, draft: Draft) -> Edit {
    Edit {
        title: Some(draft.title),
        body: Some(draft.body),
        ..Edit::of(known.number)
    }
}

/// It is said, and an issue that was closed is open again.
pub(super) fn told_again(edit: Edit, known: &Known, words: &str) -> Edit {
    Edit {
        turn: (known.openness == Openness::Closed).then_some(Turn::Reopen),
        comment: Some(Comment::new(words)),
        ..edit
    }
}

/// The issue with another state and another status. The approval it goes by stays the one it
/// was written under, so that a signature that comes later can still close it.
pub(super) fn turned(known: &Known, state: State, status: &str) -> Edit {
    let marker = Marker {
        state,
        ..known.marker
    };
    Edit {
        body: Some(with_head(known.body.as_arrived(), &marker, status)),
        ..Edit::of(known.number)
    }
}

/// To an open issue something is said; one that a person closed is only brought up to date.
pub(super) fn spoken(edit: Edit, known: &Known, turn: Option<Turn>, words: &str) -> Edit {
    match known.openness {
        Openness::Closed => edit,
        Openness::Open => Edit {
            turn,
            comment: Some(Comment::new(words)),
            ..edit
        },
    }
}
