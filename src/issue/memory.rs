//! The memory between runs: a hidden line of the tracker, which anybody with the right to
//! edit it may have changed.
//!
//! Obeys design §8. Read strictly: what is not, to the letter, what we would have written is
//! no memory, and the run begins anew and says so. A lie in it can hasten or delay the issue
//! about a silence, or a remark, and nothing else: drift is told whatever it says.

use std::collections::BTreeMap;

use jiff::{Timestamp, ToSpan};
use serde::Serialize;

use super::row::{Last, Names, Row};
use super::server::Server;
use crate::json::{self, Object, Value};
use crate::lock::Digest;
use crate::untrusted::Untrusted;

const OPEN: &str = "<!-- lockgate:memory ";
const CLOSE: &str = " -->";
/// Most characters of the line.
const LONGEST: usize = 24_000;

/// What is remembered of each server, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Memory(BTreeMap<Digest, Row>);

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
        self.0.get(&key)
    }

    /// Every row, by key.
    pub fn rows(&self) -> impl Iterator<Item = (Digest, &Row)> {
        self.0.iter().map(|(key, row)| (*key, row))
    }

    /// What is remembered after a run. A server that the run did not see stays as it was.
    #[must_use]
    pub fn after(&self, servers: &[Server<'_>], now: Timestamp) -> Self {
        let mut rows = self.0.clone();
        for server in servers {
            if let Some(row) = Row::after(self.row(server.key), server, now) {
                rows.insert(server.key, row);
            }
        }
        Memory(rows)
    }

    /// Without the rows that `is_gone` names.
    #[must_use]
    pub(super) fn without(mut self, is_gone: impl Fn(Digest, &Row) -> bool) -> Self {
        self.0.retain(|key, row| !is_gone(*key, row));
        self
    }

    /// The hidden line, never longer than its room: names go first, then the servers that
    /// have been what was approved, then the rest.
    pub fn line(&self) -> String {
        let whole = written(self.0.iter(), |row| row.names.as_ref());
        if whole.chars().count() <= LONGEST {
            return whole;
        }
        let mut rows: Vec<(&Digest, &Row)> = self.0.iter().collect();
        rows.sort_by_key(|(_, row)| row.last == Last::Same);
        let mut most = rows.len();
        loop {
            let line = written(rows.iter().take(most).copied(), |_| None);
            let length = line.chars().count();
            if length <= LONGEST {
                return line;
            }
            most = (most * LONGEST / length).min(most.saturating_sub(1));
        }
    }

    /// Reads the line that follows the marker.
    pub fn read(line: &str, now: Timestamp) -> Option<Self> {
        let line = line.trim_end_matches('\r');
        let text = line.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
        let document = json::read(text.as_bytes()).ok()?;
        let root = members(&document.root, &["v", "rows"])?;
        if root.get("v")?.as_u64() != Some(1) {
            return None;
        }
        let rows = root.get("rows")?.as_array()?;
        let mut memory = BTreeMap::new();
        for value in rows {
            let (key, row) = read_row(value, now)?;
            if memory.insert(key, row).is_some() {
                return None;
            }
        }
        Some(Memory(memory))
    }
}

#[derive(Serialize)]
struct MemoryText<'a> {
    v: u8,
    rows: Vec<RowText<'a>>,
}

#[derive(Serialize)]
struct RowText<'a> {
    key: Digest,
    last: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    drift: Option<String>,
    since: i64,
    failures: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    good: Option<i64>,
    lockfiles: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a Untrusted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a Untrusted>,
}

fn written<'a>(
    rows: impl Iterator<Item = (&'a Digest, &'a Row)>,
    names: impl Fn(&'a Row) -> Option<&'a Names>,
) -> String {
    let text = |(key, row): (&Digest, &'a Row)| RowText {
        key: *key,
        last: match row.last {
            Last::Same => "same",
            Last::Drifted(_) => "drifted",
            Last::Silent => "silent",
            Last::Accepted => "accepted",
        },
        drift: match row.last {
            Last::Drifted(half) => Some(hex(half)),
            Last::Same | Last::Silent | Last::Accepted => None,
        },
        since: row.since.as_second(),
        failures: row.failures,
        good: row.good.map(Timestamp::as_second),
        lockfiles: row.lockfiles,
        url: names(row).map(|names| &names.url),
        path: names(row).map(|names| &names.path),
    };
    let rows = rows.map(text).collect();
    // Within a comment `>` could end it; in JSON it only stands in texts.
    let text = json::print_line(&MemoryText { v: 1, rows });
    let text = text.replace('<', "\\u003c").replace('>', "\\u003e");
    format!("{OPEN}{text}{CLOSE}")
}

const MEMBERS: [&str; 9] = [
    "key",
    "last",
    "drift",
    "since",
    "failures",
    "good",
    "lockfiles",
    "url",
    "path",
];

fn read_row(value: &Value<'_>, now: Timestamp) -> Option<(Digest, Row)> {
    let row = members(value, &MEMBERS)?;
    let text = |name: &str| row.get(name)?.as_str();
    let number = |name: &str| u32::try_from(row.get(name)?.as_u64()?).ok();
    let key: Digest = text("key")?.parse().ok()?;
    let last = match (text("last")?, row.get("drift")) {
        ("same", None) => Last::Same,
        ("silent", None) => Last::Silent,
        ("accepted", None) => Last::Accepted,
        ("drifted", Some(_)) => Last::Drifted(half(text("drift")?)?),
        _ => return None,
    };
    let names = match (row.get("url"), row.get("path")) {
        (None, None) => None,
        _ => Some(Names {
            url: text("url")?.into(),
            path: text("path")?.into(),
        }),
    };
    let good = match row.get("good") {
        None => None,
        Some(value) => Some(moment(value, now)?),
    };
    let row = Row {
        last,
        since: moment(row.get("since")?, now)?,
        failures: number("failures")?,
        good,
        lockfiles: number("lockfiles")?,
        names,
    };
    Some((key, row))
}

/// An object that has none but these members.
fn members<'v, 'a>(value: &'v Value<'a>, known: &[&str]) -> Option<&'v Object<'a>> {
    let object = value.as_object()?;
    let is_known = |member: &json::Member<'_>| known.contains(&member.name.as_str());
    object.iter().all(is_known).then_some(object)
}

/// A moment that is not to come; clocks differ by a little.
fn moment(value: &Value<'_>, now: Timestamp) -> Option<Timestamp> {
    let moment = Timestamp::from_second(i64::try_from(value.as_u64()?).ok()?).ok()?;
    let latest = now.checked_add(10.minutes()).ok()?;
    (moment <= latest).then_some(moment)
}

fn hex(half: [u8; 16]) -> String {
    half.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn half(text: &str) -> Option<[u8; 16]> {
    let whole: Digest = format!("{text}{text}").parse().ok()?;
    let (half, _) = whole.as_bytes().split_at(16);
    half.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_second(1_796_000_000).unwrap()
    }

    fn memory(count: usize, name: &str) -> Memory {
        let row = |at: usize| {
            let lasts = [
                Last::Same,
                Last::Drifted([7; 16]),
                Last::Silent,
                Last::Accepted,
            ];
            let row = Row {
                last: lasts[at % 4],
                since: Timestamp::from_second(1_795_000_000).unwrap(),
                failures: 3,
                good: (at % 2 == 0).then(now),
                lockfiles: 40,
                names: Some(Names {
                    url: name.into(),
                    path: "mcp/a.json".into(),
                }),
            };
            (Digest::of(at.to_string()), row)
        };
        Memory((0..count).map(row).collect())
    }

    #[test]
    fn what_is_written_is_read_again() {
        for name in ["https://a.example/", "--><!-- > ```\n\u{202e}@a \"x\" \\"] {
            let memory = memory(9, name);
            let line = memory.line();
            assert_eq!(line.lines().count(), 1);
            assert_eq!(line.matches('>').count(), 1, "{line}");
            assert_eq!(Memory::read(&line, now()), Some(memory.clone()));
            assert_eq!(Memory::read(&format!("{line}\r"), now()), Some(memory));
        }
    }

    #[test]
    fn nothing_else_is_a_memory() {
        let line = memory(2, "u").line();
        for (from, to) in [
            (" -->", ""),
            ("\"v\":1", "\"v\":2"),
            ("\"v\":1", "\"v\":1,\"x\":1"),
            ("\"since\":1795000000", "\"since\":9795000000"),
            ("\"since\":1795000000", "\"since\":-1"),
            ("\"failures\":3", "\"failures\":-3"),
            ("\"failures\":3", "\"failures\":99999999999"),
            ("\"failures\":3", "\"failures\":3,\"failures\":4"),
            ("\"lockfiles\":40", "\"lockfiles\":\"40\""),
            ("\"url\":\"u\",", ""),
            ("\"last\":\"same\"", "\"last\":\"fine\""),
            ("\"last\":\"same\"", "\"last\":\"drifted\""),
            ("\"key\":\"", "\"key\":\"0"),
            ("<!-- lockgate:memory", "<!-- lockgate:memories"),
        ] {
            let wrong = line.replacen(from, to, 1);
            assert_ne!(wrong, line, "{from}");
            assert_eq!(Memory::read(&wrong, now()), None, "{wrong}");
        }
        let twice = line.replacen("\"rows\":[", "\"rows\":[", 1);
        let row = twice
            .split('[')
            .nth(1)
            .and_then(|rest| rest.split('}').next())
            .unwrap();
        let twice = twice.replacen("\"rows\":[", &format!("\"rows\":[{row}}},"), 1);
        assert_eq!(Memory::read(&twice, now()), None, "one server twice");
        assert_eq!(Memory::read("", now()), None);
    }

    #[test]
    fn a_large_memory_keeps_what_is_wrong() {
        let memory = memory(700, "https://mcp.example.com/a/long/one");
        let line = memory.line();
        assert!(line.chars().count() <= LONGEST);
        let kept = Memory::read(&line, now()).unwrap();
        assert!(kept.rows().count() > 120);
        assert!(
            kept.rows()
                .all(|(_, row)| row.last != Last::Same && row.names.is_none())
        );
    }
}
