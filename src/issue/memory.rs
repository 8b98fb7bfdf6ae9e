//! The memory between runs: a hidden line of the tracker, which anybody with the right to
//! edit it may have changed.
//!
//! Obeys design §8. What cannot be what we wrote is no memory, and the run begins anew and
//! says so. A lie in it can hasten or delay the issue
//! about a silence, or a remark, and nothing else: drift is told whatever it says.

use std::collections::BTreeMap;

use super::memory_text::written;
use super::page::length;
use super::place::Place;
use super::row::{Last, Row, start};
use super::server::Server;
use crate::lock::Digest;

/// Most characters of the line.
pub(super) const LONGEST: usize = 36_000;

/// What is remembered of each server, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Memory {
    pub(super) rows: BTreeMap<Key, Row>,
    pub(super) extent: Extent,
}

/// By which a server is remembered: the first half of its digest, for there may be many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(pub(super) [u8; 16]);

impl Key {
    /// The start of a server's key.
    pub fn of(key: Digest) -> Self {
        Key(start(key))
    }
}

/// Was there room for every server?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Extent {
    /// A server without a row was not known.
    #[default]
    Whole,
    /// It may have been, and there was no room for it.
    Cut,
}

/// What came of reading a tracker's memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recalled {
    /// There is no tracker yet.
    Nothing,
    /// What it says.
    Memory(Memory),
    /// There is one, and it cannot be what we wrote.
    Unreadable,
}

impl Memory {
    /// What is remembered of a server.
    pub fn row(&self, key: Digest) -> Option<&Row> {
        self.rows.get(&Key::of(key))
    }

    /// Every row, by key.
    pub fn rows(&self) -> impl Iterator<Item = (Key, &Row)> {
        self.rows.iter().map(|(key, row)| (*key, row))
    }

    /// What is remembered after a run. A server that the run did not see stays as it was.
    #[must_use]
    pub fn after(&self, servers: &[Server<'_>], place: &Place<'_>) -> Self {
        let mut rows = self.rows.clone();
        for server in servers {
            if let Some(row) = Row::after(self.row(server.key), server, place) {
                rows.insert(Key::of(server.key), row);
            }
        }
        let extent = self.extent;
        Memory { rows, extent }
    }

    /// Was the server in another state before the run that `self` remembers, or not known at
    /// all? What there was no room for is no news.
    pub(super) fn is_news(&self, key: Digest, now: &Row) -> bool {
        match self.row(key) {
            Some(before) => before.last != now.last,
            None => self.extent == Extent::Whole,
        }
    }

    /// Without the rows that `is_gone` names.
    #[must_use]
    pub(super) fn without(mut self, is_gone: impl Fn(Key) -> bool) -> Self {
        self.rows.retain(|key, _| !is_gone(*key));
        self
    }

    /// The hidden line, never longer than its room: names go first, then the servers that
    /// are what was approved; a silence is kept longest, for it has to be counted.
    pub fn line(&self) -> String {
        let whole = written(self.rows.iter(), (self.extent, |row| row.names.as_ref()));
        if length(&whole) <= LONGEST {
            return whole;
        }
        let mut rows: Vec<(&Key, &Row)> = self.rows.iter().collect();
        rows.sort_by_key(|(_, row)| match row.last {
            Last::Silent => 0,
            Last::Drifted(_) => 1,
            Last::Accepted => 2,
            Last::Same => 3,
        });
        let mut most = rows.len();
        let mut extent = self.extent;
        loop {
            let line = written(rows.iter().take(most).copied(), (extent, |_| None));
            let length = length(&line);
            if length <= LONGEST {
                return line;
            }
            most = (most * LONGEST / length).min(most.saturating_sub(1));
            extent = Extent::Cut;
        }
    }
}
