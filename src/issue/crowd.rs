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
use super::trouble::{Trouble, What};
use super::{Action, Draft, Edit, Turn, words};
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

/// Opens issues, few enough to be read.
pub(super) fn open(mut fresh: Vec<Trouble<'_>>, sight: &Sight<'_, '_>) -> Vec<Action> {
    // Drift before silence; else in the order of the paths.
    fresh.sort_by_key(is_silent);
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

fn is_silent(one: &Trouble<'_>) -> bool {
    matches!(one.what, What::Silence(_))
}

fn own(fresh: &[Trouble<'_>], sight: &Sight<'_, '_>) -> Vec<Action> {
    let draft = |one: &Trouble<'_>| Action::Open(body::draft(one, sight.place));
    fresh.iter().map(draft).collect()
}

/// The rest, in one issue.
fn gather(rest: &[Trouble<'_>], crowd: Option<&Known>, sight: &Sight<'_, '_>) -> Action {
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
fn refresh(fresh: &[Trouble<'_>], known: &Known, sight: &Sight<'_, '_>) -> Option<Edit> {
    if known.state() == state(fresh) || !sight.run.knows_all() {
        return None;
    }
    let edit = rewritten(known, draft(fresh, sight));
    let is_news = fresh.iter().any(|one| is_new(one, sight));
    Some(match is_news {
        false => edit,
        true => told_again(edit, known, &news(fresh, sight)),
    })
}

/// Few are left, and they have issues of their own; or none is.
fn dissolve(left: &[Trouble<'_>], known: &Known, sight: &Sight<'_, '_>) -> Option<Edit> {
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
fn state(fresh: &[Trouble<'_>]) -> State {
    let line = |one: &Trouble<'_>| format!("{} {:?}", one.server.key, one.state());
    let mut lines: Vec<String> = fresh.iter().map(line).collect();
    lines.sort();
    State::Drift(Digest::of(lines.join("\n")))
}

/// Did its trouble begin with this run?
fn is_new(one: &Trouble<'_>, sight: &Sight<'_, '_>) -> bool {
    sight.before.is_news(one.server.key, one.row)
}

fn news(fresh: &[Trouble<'_>], sight: &Sight<'_, '_>) -> String {
    let new = fresh.iter().filter(|one| is_new(one, sight));
    let names: Vec<String> = new.map(|one| cell(one.server.path)).collect();
    let words = format!(
        "New in this list, seen {}: {}. The text above is the current one.",
        minute(sight.place.now),
        page::names(&names)
    );
    remark::with_run(sight.place, &words)
}

fn draft(fresh: &[Trouble<'_>], sight: &Sight<'_, '_>) -> Draft {
    let marker = Marker {
        subject: Subject::Crowd,
        state: state(fresh),
    };
    let silent = fresh.iter().filter(|one| is_silent(one)).count();
    let changed = fresh.len() - silent;
    let parts = [(changed, "changed"), (silent, "without a listing")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let title = format!("MCP servers: {} more · {}", fresh.len(), parts.join(", "));
    let head = format!(
        "{}{INTRODUCTION}{}{TABLE}",
        page::head(&marker, remark::MANY),
        words::fenced(COMMANDS)
    );
    let foot = format!("{}\n", remark::with_run(sight.place, HOW_THIS_CLOSES));
    let rows: Vec<String> = fresh.iter().map(row).collect();
    let body = page::with_rows(&head, &rows, &foot);
    Draft {
        marker,
        title,
        body,
    }
}

fn row(one: &Trouble<'_>) -> String {
    let what = match one.what {
        What::Drift(evidence) => counts(evidence),
        What::Silence(why) => format!("`{}`", why.reason),
    };
    format!(
        "| {} | {} | {what} | {} |\n",
        cell(&one.server.url.untrusted()),
        cell(one.server.path),
        minute(one.row.since)
    )
}
