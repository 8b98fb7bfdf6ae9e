//! Blocks of Markdown → a body that GitHub takes: cut at whole blocks, and it is said.
//!
//! GitHub refuses a body of more than 65,536 characters (threats note, fault 23).

use super::marker::Marker;
use crate::untrusted::Untrusted;

/// Most characters of a body of ours (design §8).
pub(super) const LONGEST_BODY: usize = 60_000;
/// Most characters of a title.
const LONGEST_TITLE: usize = 240;

/// A block that is shown whole or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// What it is about, in Markdown; told where it is left out.
    pub(super) name: String,
    /// Its text, which ends a line.
    pub(super) text: String,
}

/// What fits into a room, and the names of what does not.
#[derive(Debug, Default)]
pub(super) struct Fitted {
    pub(super) text: String,
    pub(super) left_out: Vec<String>,
}

/// Takes each block for which there is room, in order.
pub(super) fn fit(blocks: Vec<Block>, room: usize) -> Fitted {
    let mut fitted = Fitted::default();
    let mut left = room;
    for block in blocks {
        let length = length(&block.text);
        match left.checked_sub(length) {
            Some(rest) => {
                left = rest;
                fitted.text.push_str(&block.text);
            }
            None => fitted.left_out.push(block.name),
        }
    }
    fitted
}

/// A body around a table: as many of its rows as there is room for, and how many are left.
pub(super) fn with_rows(head: &str, rows: &[String], foot: &str) -> String {
    let room = LONGEST_BODY.saturating_sub(length(head) + length(foot) + 200);
    let (rows, left) = fit_rows(rows, room);
    let more = match left {
        0 => String::new(),
        _ => format!(
            "\n**{left} more, for which there is no room here:** the report of the run holds them.\n"
        ),
    };
    format!("{head}{rows}{more}{foot}")
}

fn fit_rows(rows: &[String], room: usize) -> (String, usize) {
    let mut text = String::new();
    let mut left = room;
    for (at, row) in rows.iter().enumerate() {
        match left.checked_sub(length(row)) {
            Some(rest) => left = rest,
            None => return (text, rows.len() - at),
        }
        text.push_str(row);
    }
    (text, 0)
}

/// In characters, as GitHub counts.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// Text from outside for a cell: whole where it is a name, else how long it is.
pub(super) fn cell(text: &Untrusted) -> String {
    const LONGEST_CELL: usize = 300;
    let shown = text.in_markdown_cell().to_string();
    match length(&shown) <= LONGEST_CELL {
        true => shown,
        false => format!("(a text of {} characters)", length(text.as_arrived())),
    }
}

/// The first of these names, and how many more there are.
pub(super) fn names(names: &[String]) -> String {
    const MOST_NAMES: usize = 20;
    let (shown, rest) = names.split_at(names.len().min(MOST_NAMES));
    let more = match rest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}

/// A title of plain characters, never too long.
pub(super) fn title(text: &str) -> String {
    match length(text) <= LONGEST_TITLE {
        true => text.to_owned(),
        false => text.chars().take(LONGEST_TITLE - 1).chain(['…']).collect(),
    }
}

/// What a body begins with: the marker, and what people must know first.
pub(super) fn head(marker: &Marker, status: &str) -> String {
    format!("{marker}\n> {status}\n")
}

/// A body of ours with another marker and another status; the rest stays as it is.
pub(super) fn with_head(body: &str, marker: &Marker, status: &str) -> String {
    let mut lines = body.lines();
    let _marker = lines.next();
    let rest: Vec<&str> = lines.skip_while(|line| line.starts_with('>')).collect();
    let whole = format!("{}{}\n", head(marker, status), rest.join("\n"));
    match length(&whole) <= LONGEST_BODY {
        true => whole,
        // Somebody made it longer than we would: what we must say is said.
        false => whole.chars().take(LONGEST_BODY).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::issue::{State, Subject};

    #[test]
    fn blocks_are_whole_or_left_out() {
        let block = |name: &str, text: &str| Block {
            name: name.into(),
            text: text.into(),
        };
        let fitted = fit(
            vec![block("a", "éé\n"), block("b", "12345\n"), block("c", "é\n")],
            5,
        );
        assert_eq!(fitted.text, "éé\né\n");
        assert_eq!(fitted.left_out, ["b"]);
        let rows = ["aa\n".to_owned(), "bb\n".to_owned(), "c\n".to_owned()];
        assert_eq!(fit_rows(&rows, 5), ("aa\n".to_owned(), 2));
        assert_eq!(fit_rows(&rows, 8), ("aa\nbb\nc\n".to_owned(), 0));
    }

    #[test]
    fn a_new_head_takes_the_place_of_the_old_one() {
        let marker = |state| Marker {
            subject: Subject::Crowd,
            state,
        };
        let before = format!(
            "{}\n| a |\n> quoted\n",
            head(&marker(State::Settled), "one")
        );
        let after = with_head(
            &before.replace('\n', "\r\n"),
            &marker(State::Standing),
            "two",
        );
        let expect = format!(
            "{}\n| a |\n> quoted\n",
            head(&marker(State::Standing), "two")
        );
        assert_eq!(after, expect);
        let long = format!("{before}{}", "x".repeat(70_000));
        let after = with_head(&long, &marker(State::Standing), "two");
        assert_eq!(length(&after), LONGEST_BODY);
        assert!(after.starts_with(&head(&marker(State::Standing), "two")));
    }
}
