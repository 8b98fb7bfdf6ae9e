//! What a run saw, the memory, and the issues of ours → what is to be written.
//!
//! Obeys design §8. Worst first; what each server asks for is decided in `step`.

use super::crowd;
use super::marker::State;
use super::memory::{Key, Memory};
use super::posted::Openness;
use super::shelf::{Double, Known, Shelf};
use super::step::{Step, spoken, step, turned};
use super::{Action, Comment, Edit, Place, Run, Scope, Turn, remark};
use crate::lock::Digest;

/// Most issues that one run opens for servers (design §8).
pub(super) const MOST_NEW: usize = 20;
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
            Step::Open(trouble) => fresh.push(trouble),
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

/// Issues about servers that were given up on purpose.
fn given_up(sight: &Sight<'_, '_>) -> Vec<Edit> {
    let gone = sight
        .shelf
        .servers()
        .filter(|(key, known)| known.state() != State::Settled && is_given_up(*key, known, sight));
    let close = |(_, known): (Digest, &Known)| {
        let edit = turned(known, State::Settled, remark::GIVEN_UP);
        spoken(edit, known, Some(Turn::Drop), &remark::dropped(sight.place))
    };
    gone.map(close).collect()
}

/// Is it listed as given up, and pinned by no lockfile that this run looked for?
fn is_given_up(key: Digest, known: &Known, sight: &Sight<'_, '_>) -> bool {
    let mut removed = sight.place.removed.iter();
    let url = known.url();
    let is_listed = removed.any(|removed| Some(Digest::of(removed.as_str())) == url);
    let is_pinned = sight.run.servers.iter().any(|server| server.key == key);
    let is_in_scope = match &sight.place.scope {
        Scope::Whole => true,
        Scope::Paths(_) => {
            let names = sight.memory.row(key).and_then(|row| row.names.as_ref());
            names.is_some_and(|names| sight.place.scope.covers(&names.path))
        }
    };
    is_listed && !is_pinned && is_in_scope && sight.run.unread == 0
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
