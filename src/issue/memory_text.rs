//! [`Memory`] ↔ the hidden line that holds it.
//!
//! Read strictly: a member too many, a moment to come, a server that stands there twice: then
//! it is no memory.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as URL_SAFE_NO_PAD;
use jiff::{Timestamp, ToSpan};
use serde::Serialize;

use super::memory::{Extent, Key, Memory};
use super::row::{Last, Names, Row};
use crate::json::{self, Object, Value};
use crate::untrusted::Untrusted;

const OPEN: &str = "<!-- lockgate:memory ";
const CLOSE: &str = " -->";
impl Memory {
    /// Reads the line that follows the marker.
    pub fn read(line: &str, now: Timestamp) -> Option<Self> {
        let line = line.trim_end_matches('\r');
        let text = line.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
        let document = json::read(text.as_bytes()).ok()?;
        let root = members(&document.root, &["v", "whole", "rows"])?;
        if root.get("v")?.as_u64() != Some(1) {
            return None;
        }
        let extent = match root.get("whole")? {
            Value::Bool(true) => Extent::Whole,
            Value::Bool(false) => Extent::Cut,
            Value::Null
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => {
                return None;
            }
        };
        let rows = root.get("rows")?.as_array()?;
        let mut known = BTreeMap::new();
        for value in rows {
            let (key, row) = read_row(value, now)?;
            if known.insert(key, row).is_some() {
                return None;
            }
        }
        Some(Memory {
            rows: known,
            extent,
        })
    }
}

#[derive(Serialize)]
struct MemoryText<'a> {
    v: u8,
    whole: bool,
    rows: Vec<RowText<'a>>,
}

/// Key, what it was, since when, silent runs, last good check (0: none), lockfiles; then,
/// where there is room, URL and path. An array, for there may be many.
#[derive(Serialize)]
#[serde(untagged)]
enum RowText<'a> {
    Short(String, String, i64, u32, i64, u32),
    Named(
        String,
        String,
        i64,
        u32,
        i64,
        u32,
        &'a Untrusted,
        &'a Untrusted,
    ),
}

pub(super) fn written<'a>(
    rows: impl Iterator<Item = (&'a Key, &'a Row)>,
    (extent, names): (Extent, impl Fn(&'a Row) -> Option<&'a Names>),
) -> String {
    let text = |(key, row): (&Key, &'a Row)| {
        let (key, last) = (URL_SAFE_NO_PAD.encode(key.0), last_text(row.last));
        let since = row.since.as_second();
        let good = row.good.map_or(0, Timestamp::as_second);
        match names(row) {
            None => RowText::Short(key, last, since, row.failures, good, row.lockfiles),
            Some(Names { url, path }) => RowText::Named(
                key,
                last,
                since,
                row.failures,
                good,
                row.lockfiles,
                url,
                path,
            ),
        }
    };
    let rows = rows.map(text).collect();
    // Within a comment `>` could end it; in JSON it only stands in texts.
    let whole = extent == Extent::Whole;
    let text = json::print_line(&MemoryText { v: 1, whole, rows });
    let text = text.replace('<', "\\u003c").replace('>', "\\u003e");
    format!("{OPEN}{text}{CLOSE}")
}

fn last_text(last: Last) -> String {
    match last {
        Last::Same => "same".to_owned(),
        Last::Silent => "silent".to_owned(),
        Last::Accepted => "accepted".to_owned(),
        Last::Drifted(start) => format!("~{}", URL_SAFE_NO_PAD.encode(start)),
    }
}

fn read_last(text: &str) -> Option<Last> {
    match text {
        "same" => Some(Last::Same),
        "silent" => Some(Last::Silent),
        "accepted" => Some(Last::Accepted),
        _ => Some(Last::Drifted(bytes(text.strip_prefix('~')?)?)),
    }
}

fn read_row(value: &Value<'_>, now: Timestamp) -> Option<(Key, Row)> {
    let (known, names) = match value.as_array()? {
        [known @ .., url, path] if known.len() == 6 => {
            let (url, path) = (url.as_str()?.into(), path.as_str()?.into());
            (known, Some(Names { url, path }))
        }
        known => (known, None),
    };
    let [key, last, since, failures, good, lockfiles] = known else {
        return None;
    };
    let number = |value: &Value<'_>| u32::try_from(value.as_u64()?).ok();
    let row = Row {
        last: read_last(last.as_str()?)?,
        since: moment(since, now)?,
        failures: number(failures)?,
        good: match good.as_u64()? {
            0 => None,
            _ => Some(moment(good, now)?),
        },
        lockfiles: number(lockfiles)?,
        names,
    };
    Some((Key(bytes(key.as_str()?)?), row))
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

fn bytes<const LENGTH: usize>(text: &str) -> Option<[u8; LENGTH]> {
    URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::super::memory::LONGEST;
    use super::*;
    use crate::lock::Digest;

    fn now() -> Timestamp {
        Timestamp::from_second(1_796_000_000).unwrap()
    }

    fn memory(count: usize, name: &str) -> Memory {
        let row = |at: usize| {
            let lasts = [
                Last::Same,
                Last::Drifted([7; 8]),
                Last::Silent,
                Last::Accepted,
            ];
            let row = Row {
                last: lasts[at % 4],
                since: Timestamp::from_second(1_795_000_000).unwrap(),
                failures: 3,
                good: at.is_multiple_of(2).then(now),
                lockfiles: 40,
                names: Some(Names {
                    url: name.into(),
                    path: "mcp/a.json".into(),
                }),
            };
            (Key::of(Digest::of(at.to_string())), row)
        };
        Memory {
            rows: (0..count).map(row).collect(),
            extent: Extent::Whole,
        }
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
        let row = "\",1795000000,3,1796000000,40,\"u\",\"mcp/a.json\"]";
        assert!(line.contains(row), "{line}");
        for (from, to) in [
            (" -->", ""),
            ("\"v\":1", "\"v\":2"),
            ("\"v\":1", "\"v\":1,\"x\":1"),
            ("\"v\":1", "\"v\":1,\"v\":1"),
            ("\"whole\":true", "\"whole\":1"),
            ("\"whole\":true,", ""),
            ("1795000000", "9795000000"),
            ("1795000000", "-1"),
            ("1796000000,40", "9796000000,40"),
            (",3,", ",-3,"),
            (",3,", ",99999999999,"),
            (",3,", ",3,3,"),
            (",40,", ",\"40\","),
            (",\"mcp/a.json\"]", "]"),
            ("\"u\"", "7"),
            ("\"same\"", "\"fine\""),
            ("\"same\"", "\"~AAAA\""),
            ("[[\"", "[[\"A"),
            ("<!-- lockgate:memory", "<!-- lockgate:memories"),
        ] {
            let wrong = line.replacen(from, to, 1);
            assert_ne!(wrong, line, "{from}");
            assert_eq!(Memory::read(&wrong, now()), None, "{wrong}");
        }
        let row = line
            .split("[[")
            .nth(1)
            .and_then(|rest| rest.split(']').next())
            .unwrap();
        let twice = line.replacen("[[", &format!("[[{row}],["), 1);
        assert_eq!(Memory::read(&twice, now()), None, "one server twice");
        assert_eq!(Memory::read("", now()), None);
    }

    #[test]
    fn a_large_memory_keeps_what_is_wrong() {
        let memory = memory(1_600, "https://mcp.example.com/a/long/one");
        let line = memory.line();
        assert!(line.chars().count() <= LONGEST);
        let kept = Memory::read(&line, now()).unwrap();
        assert_eq!(kept.extent, Extent::Cut);
        assert!(kept.rows().count() > 480);
        assert!(
            kept.rows()
                .all(|(_, row)| row.last != Last::Same && row.names.is_none())
        );
    }
}
