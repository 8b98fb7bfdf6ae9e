//! Servers of a run, the memory, and the issues of ours → what is to be written.
//!
//! Obeys design §8. The one place that decides: silent when nothing changed, one comment
//! when it did, closed only by an approval that counts, a person's closing respected. Every
//! case is judged by name.

use jiff::SignedDuration;

use super::approval::Standing;
use super::crowd;
use super::marker::{Marker, State};
use super::memory::{Key, Memory};
use super::page::with_head;
use super::posted::Openness;
use super::row::Row;
use super::shelf::{Double, Known, Shelf};
use super::{
    Action, Comment, Condition, Draft, Edit, Place, Run, Scope, Server, Turn, body, remark,
};
use crate::lock::Digest;

/// Most issues that one run opens for servers (design §8).
pub(super) const MOST_NEW: usize = 20;
/// A silence gets an issue after the second run in a row, if that is so much later: a run
/// after each push is no second night.
const A_NIGHT: SignedDuration = SignedDuration::from_hours(8);

/// What is to be written, worst first, and what is remembered then.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What to write.
    pub actions: Vec<Action>,
    /// What the tracker is to hold.
    pub memory: Memory,
}

/// What a run has to go by.
pub(super) struct Sight<'a, 'p> {
    pub(super) run: &'a Run<'a>,
    pub(super) shelf: &'a Shelf,
    pub(super) before: &'a Memory,
    pub(super) memory: &'a Memory,
    pub(super) place: &'a Place<'p>,
}

impl Sight<'_, '_> {
    /// Is there no server of which the run learned nothing?
    pub(super) fn knows_all(&self) -> bool {
        self.place.scope == Scope::Whole && self.run.knows_all()
    }
}

/// Decides what is to be written.
pub fn plan(run: &Run<'_>, before: &Memory, shelf: &Shelf, place: &Place<'_>) -> Plan {
    let memory = before.after(&run.servers, place);
    let sight = Sight {
        run,
        shelf,
        before,
        memory: &memory,
        place,
    };
    let mut fresh = Vec::new();
    let mut edits = Vec::new();
    for server in &run.servers {
        match step(server, &sight) {
            Step::Nothing => {}
            Step::Open(state) => fresh.push((server, state)),
            Step::Edit(edit) => edits.push(edit),
        }
    }
    let mut actions = crowd::open(fresh, &sight);
    actions.extend(edits.into_iter().map(Action::Edit));
    actions.extend(given_up(&sight).into_iter().map(Action::Edit));
    actions.extend(doubles(shelf));
    let memory = forget(&sight);
    Plan { actions, memory }
}

/// The memory without the servers that have no lockfile any more and no open issue.
fn forget(sight: &Sight<'_, '_>) -> Memory {
    let is_seen = |key: Key| {
        sight
            .run
            .servers
            .iter()
            .any(|server| Key::of(server.key) == key)
    };
    let has_issue = |key: Key| {
        let mut open = sight
            .shelf
            .servers()
            .filter(|(_, known)| known.openness == Openness::Open);
        open.any(|(server, _)| Key::of(server) == key)
    };
    let may_forget = sight.knows_all();
    let memory = sight.memory.clone();
    memory.without(|key| may_forget && !is_seen(key) && !has_issue(key))
}

/// What one server asks for.
enum Step {
    Nothing,
    Open(State),
    Edit(Edit),
}

/// What an issue should tell of a server, if anything is known.
enum Due {
    Nothing,
    Same,
    Trouble(State),
}

fn step(server: &Server<'_>, sight: &Sight<'_, '_>) -> Step {
    let known = sight.shelf.server(server.key);
    let Some(row) = sight.memory.row(server.key) else {
        return Step::Nothing;
    };
    match (due(server, row, sight.place), known) {
        (Due::Nothing, _) | (Due::Same, None) => Step::Nothing,
        (Due::Same, Some(known)) => same(server, (known, row), sight.place),
        (Due::Trouble(state), None) => Step::Open(state),
        (Due::Trouble(state), Some(known)) => trouble(server, (state, row), known, sight.place),
    }
}

fn due(server: &Server<'_>, row: &Row, place: &Place<'_>) -> Due {
    match &server.condition {
        Condition::Same => Due::Same,
        Condition::Drifted(evidence) => Due::Trouble(State::Drift(evidence.digest)),
        Condition::Silent(why) => match row.failures > 1 && row.lasts(place.now) >= A_NIGHT {
            true => Due::Trouble(State::Silence(row.silence(why.reason))),
            false => Due::Nothing,
        },
        Condition::Accepted(_) | Condition::NotAsked(_) => Due::Nothing,
    }
}

/// The server is in trouble, and there is an issue about it.
fn trouble(
    server: &Server<'_>,
    (state, row): (State, &Row),
    known: &Known,
    place: &Place<'_>,
) -> Step {
    let told = known.state();
    let is_evidence = matches!(told, State::Drift(_) | State::DriftOver(_));
    if told == state {
        return Step::Nothing;
    }
    // An open issue that shows what was offered is not written over for a silence; the
    // tracker tells that.
    if is_evidence && matches!(state, State::Silence(_)) && known.openness == Openness::Open {
        return Step::Nothing;
    }
    let Draft { title, body, .. } = body::draft(server, state, row, place);
    Step::Edit(Edit {
        title: Some(title),
        body: Some(body),
        turn: (known.openness == Openness::Closed).then_some(Turn::Reopen),
        comment: Some(Comment::new(&remark::changed(
            server,
            place,
            known.openness,
        ))),
        ..Edit::of(known.number)
    })
}

/// The server offers what is pinned, and there is an issue about it.
fn same(server: &Server<'_>, (known, row): (&Known, &Row), place: &Place<'_>) -> Step {
    let approval = &server.approval;
    let is_newer = known.approved_at().is_some_and(|then| approval.at > then);
    let is_whole = server.checked.len() >= usize::try_from(row.lockfiles).unwrap_or(usize::MAX);
    if !is_whole {
        // Its other lockfiles were not looked for, and may be other than these.
        return Step::Nothing;
    }
    let counts = match approval.standing {
        Standing::Signed | Standing::Off => true,
        Standing::Unsigned | Standing::NotCounted => false,
    };
    if is_newer && counts && known.state() != State::Settled {
        let edit = turned(known, State::Settled, &remark::settled(place, approval));
        let words = remark::closed(place, approval);
        return Step::Edit(spoken(edit, known, Some(Turn::Complete), &words));
    }
    match known.state() {
        State::Drift(digest) => {
            let edit = turned(known, State::DriftOver(digest), &remark::drift_over(place));
            let words = match is_newer {
                true => remark::unsigned(place, approval),
                false => remark::back(place),
            };
            Step::Edit(spoken(edit, known, None, &words))
        }
        State::Silence(digest) => {
            let edit = turned(
                known,
                State::SilenceOver(digest),
                &remark::silence_over(place),
            );
            Step::Edit(spoken(edit, known, None, &remark::answers(place)))
        }
        State::DriftOver(_) | State::SilenceOver(_) | State::Settled | State::Standing => {
            Step::Nothing
        }
    }
}

/// The issue with another state and another status. The approval it goes by stays the one it
/// was written under, so that a signature that comes later can still close it.
fn turned(known: &Known, state: State, status: &str) -> Edit {
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
fn spoken(edit: Edit, known: &Known, turn: Option<Turn>, words: &str) -> Edit {
    match known.openness {
        Openness::Closed => edit,
        Openness::Open => Edit {
            turn,
            comment: Some(Comment::new(words)),
            ..edit
        },
    }
}

/// Issues about servers that were given up on purpose.
fn given_up(sight: &Sight<'_, '_>) -> Vec<Edit> {
    let place = sight.place;
    let is_in_scope = |key: Digest| match &place.scope {
        Scope::Whole => true,
        Scope::Paths(_) => {
            let names = sight.memory.row(key).and_then(|row| row.names.as_ref());
            names.is_some_and(|names| place.scope.covers(&names.path))
        }
    };
    let is_listed = |known: &Known| {
        let mut removed = place.removed.iter();
        known
            .url()
            .is_some_and(|url| removed.any(|removed| Digest::of(removed.as_str()) == url))
    };
    let is_pinned = |key: Digest| sight.run.servers.iter().any(|server| server.key == key);
    let is_gone = |(key, known): &(Digest, &Known)| {
        is_listed(known)
            && !is_pinned(*key)
            && is_in_scope(*key)
            && sight.run.unread == 0
            && known.state() != State::Settled
    };
    sight
        .shelf
        .servers()
        .filter(is_gone)
        .map(|(_, known)| {
            let marker = Marker {
                state: State::Settled,
                ..known.marker
            };
            let body = with_head(known.body.as_arrived(), &marker, &remark::given_up());
            let edit = Edit {
                body: Some(body),
                ..Edit::of(known.number)
            };
            spoken(edit, known, Some(Turn::Drop), &remark::dropped(place))
        })
        .collect()
}

/// Two runs at the same time can open two issues about one thing: the younger is closed.
pub fn doubles(shelf: &Shelf) -> Vec<Action> {
    let close = |double: &Double| {
        let words = format!(
            "Two runs at the same time opened this and #{}, which goes on.",
            double.of
        );
        Action::Edit(Edit {
            turn: Some(Turn::Drop),
            comment: Some(Comment::new(&words)),
            ..Edit::of(double.number)
        })
    };
    shelf.doubles().iter().map(close).collect()
}
