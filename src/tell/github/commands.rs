//! [`Report`] → workflow commands: annotations on the line of the tool, worst first.
//!
//! Obeys design §8: at most nine a level and one that counts the rest, as the runner drops
//! what is beyond ten; at most 4,096 characters, where it cuts messages.

use crate::check::{Level, Report};
use crate::tell::points::{Point, points};
use crate::untrusted::in_workflow_command;

/// Most annotations of a level, beside the one that counts the rest.
const MOST: usize = 9;
/// Most characters of a command, as .NET counts them (UTF-16 units).
const LONGEST: usize = 4096;
/// Most characters of a path: an annotation on a longer one stands on no file.
const LONGEST_PATH: usize = 1024;
/// Ends a message that was cut.
const CUT: &str = " … (cut: the job summary has all of it)";

/// One command a line.
pub(super) fn commands(report: &Report) -> String {
    let points = points(report);
    [Level::Error, Level::Warning, Level::Note]
        .into_iter()
        .map(|level| of_level(level, &points))
        .collect()
}

/// Why a run could not do its work, as one command; the text is spelled for a terminal already.
pub fn could_not_work(shown: &str) -> String {
    let head = "::error title=lockgate could not work::";
    format!("{head}{}\n", escaped_within(shown, LONGEST - units(head)))
}

fn of_level(level: Level, points: &[Point]) -> String {
    let points: Vec<&Point> = points.iter().filter(|point| point.level == level).collect();
    let told = if points.len() > MOST + 1 {
        MOST
    } else {
        points.len()
    };
    let mut commands: String = points
        .iter()
        .take(told)
        .map(|point| command(point))
        .collect();
    if points.len() > told {
        let more = points.len() - told;
        commands.push_str(&format!(
            "::{} title=lockgate::{more} more of this level: the job summary and the report have them\n",
            name(level)
        ));
    }
    commands
}

fn command(point: &Point) -> String {
    let path = point.path.as_ref();
    let path = path.map(|path| path.in_workflow_property().to_string());
    let place = path.filter(|path| units(path) <= LONGEST_PATH);
    let line = point.line.map(|line| format!(",line={line}"));
    let place = place.map(|path| format!("file={path}{},", line.unwrap_or_default()));
    let head = format!(
        "::{} {}title={}::",
        name(point.level),
        place.unwrap_or_default(),
        point.title
    );
    let room = LONGEST - units(&head);
    format!("{head}{}\n", escaped_within(&point.text(), room))
}

/// The message as the runner reads it, cut at a character where it is too long.
fn escaped_within(message: &str, room: usize) -> String {
    let whole = in_workflow_command(message).to_string();
    if units(&whole) <= room {
        return whole;
    }
    let mut left = room.saturating_sub(units(CUT));
    let mut kept = String::new();
    for character in message.chars() {
        let escaped = in_workflow_command(character).to_string();
        match left.checked_sub(units(&escaped)) {
            Some(rest) => left = rest,
            None => break,
        }
        kept.push_str(&escaped);
    }
    kept + CUT
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

fn name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    }
}
