//! The tracker: one issue a repository, edited at each run and never commented on.
//!
//! Obeys design §8: the memory between runs, the heartbeat by which people see that the
//! schedule still runs, and the overview.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::body::lockfiles;
use super::marker::{Marker, State, Subject};
use super::memory::{Key, Memory, Recalled};
use super::page::{self, cell};
use super::place::{Place, minute};
use super::row::{Last, Row};
use super::shelf::Shelf;
use super::{Condition, Draft, Run, Server};
use crate::tell::counted;

const HEAD: &str = "
| server | lockfile | now | since | silent in a row | last good check | issue |
|---|---|---|---|---|---|---|
";
const FOOT: &str = "
lockgate edits this text at each run on the default branch, without a comment: subscribe to the issues of the servers instead. It is also what lockgate remembers from run to run; without it, it begins anew.
";
/// Where in the order the servers stand that a run did not look for.
const UNSEEN: u8 = 2;
const TITLE: &str = "lockgate: the MCP servers of this repository";

/// What the tracker on the shelf remembers.
pub fn recalled(shelf: &Shelf, now: Timestamp) -> Recalled {
    let Some(known) = shelf.tracker() else {
        return Recalled::Nothing;
    };
    let line = known.body.as_arrived().lines().nth(1).unwrap_or_default();
    Memory::read(line, now).map_or(Recalled::Unreadable, Recalled::Memory)
}

/// The tracker after a run; `open` are the numbers of the open issues.
pub fn tracker(
    run: &Run<'_>,
    (memory, recalled): (&Memory, &Recalled),
    open: &BTreeMap<Subject, u64>,
    place: &Place<'_>,
) -> Draft {
    let marker = Marker {
        subject: Subject::Tracker,
        state: State::Standing,
    };
    let head = format!(
        "{marker}\n{}\n{}{}{HEAD}",
        memory.line(),
        heartbeat(run, place),
        anew(recalled)
    );
    let body = page::with_rows(&head, &rows(run, memory, open), FOOT);
    let title = TITLE.to_owned();
    Draft {
        marker,
        title,
        body,
    }
}

/// A row for each server, the worst first; those that the run did not look for among them.
fn rows(run: &Run<'_>, memory: &Memory, open: &BTreeMap<Subject, u64>) -> Vec<String> {
    let numbered = open.iter();
    let numbered =
        numbered.filter_map(|(subject, number)| Some((Key::of(subject.server()?), number)));
    let issues: BTreeMap<Key, &u64> = numbered.collect();
    let issue = |key: Key| issues.get(&key).copied();
    let seen = run.servers.iter().map(|server| {
        let remembered = (memory.row(server.key), issue(Key::of(server.key)));
        (rank(server), seen(server, remembered))
    });
    let is_unseen = |key: &Key| run.servers.iter().all(|server| Key::of(server.key) != *key);
    let unseen = memory.rows().filter(|(key, _)| is_unseen(key));
    let unseen = unseen.map(|(key, row)| (UNSEEN, not_seen(row, issue(key))));
    let mut rows: Vec<(u8, String)> = seen.chain(unseen).collect();
    rows.sort_by_key(|(rank, _)| *rank);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn heartbeat(run: &Run<'_>, place: &Place<'_>) -> String {
    let unread = match run.unread {
        0 => String::new(),
        count => format!(" · {} cannot be read", counted(count, "lockfile")),
    };
    let link = place
        .run()
        .map(|run| format!(", {run}"))
        .unwrap_or_default();
    format!(
        "> **Last run {}**{link}: {} · {}{unread}\n>\n> If that is days ago, the schedule has stopped: GitHub switches schedules off where nothing happens for 60 days. Run the workflow by hand, and it goes on.\n",
        minute(place.now),
        counted(run.servers.len(), "server"),
        tally(run)
    )
}

/// `1 changed, 499 unchanged`
fn tally(run: &Run<'_>) -> String {
    let mut counts: BTreeMap<(u8, &str), usize> = BTreeMap::new();
    for server in &run.servers {
        let what = match server.condition {
            Condition::Drifted(_) => "changed",
            Condition::Silent(_) => "without a listing",
            Condition::NotAsked(_) => "not asked",
            Condition::Accepted(_) => "accepted as they are",
            Condition::Same => "unchanged",
        };
        *counts.entry((rank(server), what)).or_default() += 1;
    }
    let told = counts
        .into_iter()
        .map(|((_, what), count)| format!("{count} {what}"));
    told.collect::<Vec<_>>().join(", ")
}

fn anew(recalled: &Recalled) -> &'static str {
    match recalled {
        Recalled::Unreadable => {
            ">\n> **What was remembered could not be read,** as if somebody had edited this text: since when, how often in a row and the last good check begin anew.\n"
        }
        Recalled::Nothing | Recalled::Memory(_) => "",
    }
}

fn rank(server: &Server<'_>) -> u8 {
    match server.condition {
        Condition::Drifted(_) => 0,
        Condition::Silent(_) => 1,
        Condition::NotAsked(_) => 2,
        Condition::Accepted(_) => 3,
        Condition::Same => 4,
    }
}

fn seen(server: &Server<'_>, (row, issue): (Option<&Row>, Option<&u64>)) -> String {
    let now = match &server.condition {
        Condition::Drifted(_) => "✗ changed".to_owned(),
        Condition::Silent(why) => format!("? no listing: `{}`", why.reason),
        Condition::NotAsked(why) => format!("not asked: `{}`", why.reason),
        Condition::Accepted(why) => format!("accepted: `{}`", why.reason),
        Condition::Same => "✓ unchanged".to_owned(),
    };
    format!(
        "| {} | {} | {now} |{}",
        cell(&server.url.untrusted()),
        lockfiles(server),
        remembered(row, issue)
    )
}

/// A server that this run did not look for.
fn not_seen(row: &Row, issue: Option<&u64>) -> String {
    let last = match row.last {
        Last::Same => "was unchanged",
        Last::Drifted(_) => "was changed",
        Last::Silent => "gave no listing",
        Last::Accepted => "was accepted",
    };
    let (url, path) = row
        .names
        .as_ref()
        .map_or(("…".to_owned(), "…".to_owned()), |names| {
            (cell(&names.url), cell(&names.path))
        });
    format!(
        "| {url} | {path} | not in this run: {last} |{}",
        remembered(Some(row), issue)
    )
}

fn remembered(row: Option<&Row>, issue: Option<&u64>) -> String {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    format!(
        " {} | {} | {} | {} |\n",
        or_dash(row.map(|row| minute(row.since))),
        or_dash(
            row.filter(|row| row.failures > 0)
                .map(|row| row.failures.to_string())
        ),
        or_dash(row.and_then(|row| row.good).map(minute)),
        or_dash(issue.map(|number| format!("#{number}")))
    )
}
