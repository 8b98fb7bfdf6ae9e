//! Servers that need an issue they do not have → issues of their own, or one for the crowd.
//!
//! Obeys design §8: at most twenty new issues a run, and nothing lost. Whom the crowd's
//! issue holds stays there until there are few of them.

use super::body;
use super::counts::counts;
use super::marker::{Marker, State, Subject};
use super::page::{self, cell};
use super::place::minute;
use super::plan::{MOST_NEW, Sight};
use super::remark;
use super::shelf::Known;
use super::step::{rewritten, spoken, told_again, turned};
use super::{Action, Condition, Draft, Edit, Server, Turn, words};
use crate::lock::Digest;

const INTRODUCTION: &str = "
More servers than one run opens issues for: each has a row here, and an issue of its own when few are left. So many at once have one cause more often than many (a gateway, an account, the network of this check): look for that first. Then, one after the other:

";
const COMMANDS: &str = "lockgate check LOCKFILE                 # what moved
lockgate approve LOCKFILE --key agent   # if it was expected";
const TABLE: &str = "
| server | lockfile | what | since |
|---|---|---|---|
";
const HOW_THIS_CLOSES: &str = "
### How this closes

By itself when few are left. The report of the run holds every word.";

/// A server and what its issue would tell.
pub(super) type Fresh<'s, 'a> = (&'s Server<'a>, State);

/// Opens issues, few enough to be read.
pub(super) fn open(mut fresh: Vec<Fresh<'_, '_>>, sight: &Sight<'_, '_>) -> Vec<Action> {
    // Drift before silence; else in the order of the paths.
    fresh.sort_by_key(|(_, state)| matches!(state, State::Silence(_)));
    let crowd = sight.shelf.crowd();
    let gathered = crowd.filter(|known| matches!(known.state(), State::Drift(_)));
    match (fresh.len() > MOST_NEW, gathered) {
        (false, None) => own(&fresh, sight),
        (false, Some(known)) => {
            let mut actions = own(&fresh, sight);
            actions.extend(dissolve(&fresh, known, sight).map(Action::Edit));
            actions
        }
        (true, Some(known)) => refresh(&fresh, known, sight)
            .map(Action::Edit)
            .into_iter()
            .collect(),
        (true, None) => {
            let (first, rest) = fresh.split_at(MOST_NEW);
            let mut actions = own(first, sight);
            actions.push(gather(rest, crowd, sight));
            actions
        }
    }
}

fn own(fresh: &[Fresh<'_, '_>], sight: &Sight<'_, '_>) -> Vec<Action> {
    let draft = |(server, state): &Fresh<'_, '_>| {
        let row = sight.memory.row(server.key)?;
        Some(Action::Open(body::draft(server, *state, row, sight.place)))
    };
    fresh.iter().filter_map(draft).collect()
}

/// The rest, in one issue.
fn gather(rest: &[Fresh<'_, '_>], crowd: Option<&Known>, sight: &Sight<'_, '_>) -> Action {
    let draft = draft(rest, sight);
    let Some(known) = crowd else {
        return Action::Open(draft);
    };
    Action::Edit(told_again(
        rewritten(known, draft),
        known,
        &news(rest, sight),
    ))
}

/// Others than before, and said only if one of them is news.
fn refresh(fresh: &[Fresh<'_, '_>], known: &Known, sight: &Sight<'_, '_>) -> Option<Edit> {
    if known.state() == state(fresh) || !sight.run.knows_all() {
        return None;
    }
    let edit = rewritten(known, draft(fresh, sight));
    let is_news = fresh.iter().any(|(server, _)| is_new(server, sight));
    Some(match is_news {
        false => edit,
        true => told_again(edit, known, &news(fresh, sight)),
    })
}

/// Few are left, and they have issues of their own; or none is.
fn dissolve(left: &[Fresh<'_, '_>], known: &Known, sight: &Sight<'_, '_>) -> Option<Edit> {
    if !sight.knows_all() {
        return None;
    }
    let (state, words) = match (left, known.state()) {
        ([], State::Drift(digest)) => (
            State::DriftOver(digest),
            "None of these servers is in trouble any more. Which of them were approved again, and which went back by themselves, the tracker and their lockfiles tell: find out before you close this.".to_owned(),
        ),
        _ => (
            State::Settled,
            format!("Few are left ({}), and each has an issue of its own now.", left.len()),
        ),
    };
    let edit = turned(known, state, &format!("**Over.** {words}"));
    let turn = (state == State::Settled).then_some(Turn::Complete);
    let words = remark::with_run(sight.place, &words);
    Some(spoken(edit, known, turn, &words))
}

/// A digest of who is in it and what each would tell.
fn state(fresh: &[Fresh<'_, '_>]) -> State {
    let line = |(server, state): &Fresh<'_, '_>| format!("{} {state:?}", server.key);
    let mut lines: Vec<String> = fresh.iter().map(line).collect();
    lines.sort();
    State::Drift(Digest::of(lines.join("\n")))
}

/// Did its trouble begin with this run?
fn is_new(server: &Server<'_>, sight: &Sight<'_, '_>) -> bool {
    let row = sight.memory.row(server.key);
    row.is_some_and(|row| sight.before.is_news(server.key, row))
}

fn news(fresh: &[Fresh<'_, '_>], sight: &Sight<'_, '_>) -> String {
    let new = fresh.iter().filter(|(server, _)| is_new(server, sight));
    let names: Vec<String> = new.map(|(server, _)| cell(server.path)).collect();
    let words = format!(
        "New in this list, seen {}: {}. The text above is the current one.",
        minute(sight.place.now),
        page::names(&names)
    );
    remark::with_run(sight.place, &words)
}

fn draft(fresh: &[Fresh<'_, '_>], sight: &Sight<'_, '_>) -> Draft {
    let marker = Marker {
        subject: Subject::Crowd,
        state: state(fresh),
    };
    let is_silent = |(_, state): &&Fresh<'_, '_>| matches!(state, State::Silence(_));
    let silent = fresh.iter().filter(is_silent).count();
    let title = format!(
        "MCP servers: {} more · {} changed, {silent} give no listing",
        fresh.len(),
        fresh.len() - silent
    );
    let head = format!(
        "{}{INTRODUCTION}{}{TABLE}",
        page::head(&marker, remark::MANY),
        words::fenced(COMMANDS)
    );
    let foot = format!("{}\n", remark::with_run(sight.place, HOW_THIS_CLOSES));
    let rows: Vec<String> = fresh.iter().map(|one| row(one, sight)).collect();
    let body = page::with_rows(&head, &rows, &foot);
    Draft {
        marker,
        title,
        body,
    }
}

fn row((server, _): &Fresh<'_, '_>, sight: &Sight<'_, '_>) -> String {
    let what = match &server.condition {
        Condition::Drifted(evidence) => counts(evidence),
        Condition::Silent(why) | Condition::Accepted(why) | Condition::NotAsked(why) => {
            format!("`{}`", why.reason)
        }
        Condition::Same => String::new(),
    };
    let since = sight
        .memory
        .row(server.key)
        .map(|row| minute(row.since))
        .unwrap_or_default();
    format!(
        "| {} | {} | {what} | {since} |\n",
        cell(&server.url.untrusted()),
        cell(server.path)
    )
}
