//! A text and the words that moved in it → one text with both sides marked.
//!
//! `[-removed-]{+added+}`, readable without colour. Text from outside cannot forge the
//! marks. Only stretches that did not change are ever shortened, and that is said.

use super::paint::{ADDED, ASIDE, REMOVED, paint};
use crate::check::Moved;
use crate::untrusted::Untrusted;

/// An unchanged stretch longer than this is shortened…
const LONGEST_UNCHANGED: usize = 320;
/// …to so many characters on each side that has a change beside it.
const KEPT: usize = 100;

/// A stretch of a text that is told with what moved in it, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stretch {
    /// As approved.
    Same(String),
    /// So many characters as approved, left out.
    Gap(usize),
    /// What stood there.
    Removed(String),
    /// What stands there now.
    Added(String),
}

impl Stretch {
    /// The stretch with its marks.
    pub(super) fn marked(&self) -> String {
        match self {
            Stretch::Same(text) => text.clone(),
            Stretch::Gap(left_out) => format!("⟨… {left_out} characters unchanged …⟩"),
            Stretch::Removed(text) => format!("[-{text}-]"),
            Stretch::Added(text) => format!("{{+{text}+}}"),
        }
    }
}

/// `approved` with the words that moved marked, its later lines indented.
pub(super) fn marked(approved: &Untrusted, moved: &[Moved], indent: usize) -> String {
    let painted = |stretch: &Stretch| match stretch {
        Stretch::Same(text) => text.clone(),
        Stretch::Gap(_) => paint(ASIDE, stretch.marked()),
        Stretch::Removed(_) => paint(REMOVED, stretch.marked()),
        Stretch::Added(_) => paint(ADDED, stretch.marked()),
    };
    let stretches = stretches(approved, moved, indent);
    stretches.iter().map(painted).collect()
}

/// `approved` in stretches, with the words that moved, its later lines indented.
pub(super) fn stretches(approved: &Untrusted, moved: &[Moved], indent: usize) -> Vec<Stretch> {
    let characters: Vec<char> = approved.as_arrived().chars().collect();
    let mut told = Vec::new();
    let mut at = 0;
    for stretch in moved {
        let unchanged = characters.get(at..stretch.at).unwrap_or_default();
        let beside = Beside {
            before: at > 0,
            after: true,
        };
        told.extend(shortened(unchanged, beside, indent));
        // `##` and a mark of ours would together be what a workflow runner obeys.
        if let Some(Stretch::Same(text)) = told.last_mut()
            && text.ends_with("##")
        {
            text.truncate(text.len() - 1);
            text.push_str("⟨U+0023⟩");
        }
        told.extend(side(&stretch.removed, indent).map(Stretch::Removed));
        told.extend(side(&stretch.added, indent).map(Stretch::Added));
        at = stretch.at + stretch.removed.as_arrived().chars().count();
    }
    let beside = Beside {
        before: at > 0,
        after: false,
    };
    let rest = characters.get(at..).unwrap_or_default();
    told.extend(shortened(rest, beside, indent));
    told
}

/// The code points that differ where two words may look alike.
pub(super) fn lookalikes(moved: &[Moved]) -> Vec<String> {
    moved.iter().filter_map(lookalike).collect()
}

fn lookalike(stretch: &Moved) -> Option<String> {
    let (removed, added) = (stretch.removed.as_arrived(), stretch.added.as_arrived());
    let pairs: Vec<(char, char)> = removed
        .chars()
        .zip(added.chars())
        .filter(|(a, b)| a != b)
        .collect();
    let is_letter_swap = |(a, b): &(char, char)| {
        a.is_alphabetic() && b.is_alphabetic() && a.is_ascii() != b.is_ascii()
    };
    if pairs.is_empty()
        || removed.chars().count() != added.chars().count()
        || !pairs.iter().all(is_letter_swap)
    {
        return None;
    }
    let spelled =
        |(a, b): &(char, char)| format!("U+{:04X} → U+{:04X}", u32::from(*a), u32::from(*b));
    Some(format!(
        "{} may look alike: {}",
        stretch.added.in_terminal(),
        pairs.iter().map(spelled).collect::<Vec<_>>().join(", ")
    ))
}

/// Where an unchanged stretch has a change beside it.
struct Beside {
    before: bool,
    after: bool,
}

fn shortened(unchanged: &[char], beside: Beside, indent: usize) -> Vec<Stretch> {
    let same = |unchanged: &[char]| {
        let text = unforged(&encoded(unchanged, indent));
        (!text.is_empty()).then_some(Stretch::Same(text))
    };
    if unchanged.len() <= LONGEST_UNCHANGED {
        return same(unchanged).into_iter().collect();
    }
    let head = if beside.before { KEPT } else { 0 };
    let tail = if beside.after { KEPT } else { 0 };
    let left_out = unchanged.len() - head - tail;
    let (before, rest) = unchanged.split_at(head);
    let (_, after) = rest.split_at(left_out);
    let gap = Some(Stretch::Gap(left_out));
    [same(before), gap, same(after)]
        .into_iter()
        .flatten()
        .collect()
}

fn side(text: &Untrusted, indent: usize) -> Option<String> {
    let shown = || unforged(&text.in_terminal_lines(indent).to_string());
    (!text.as_arrived().is_empty()).then(shown)
}

fn encoded(characters: &[char], indent: usize) -> String {
    Untrusted::new(String::from_iter(characters))
        .in_terminal_lines(indent)
        .to_string()
}

/// Spells out the second character of each mark that the text itself contains.
fn unforged(encoded: &str) -> String {
    let spelled = [
        ("[-", "[⟨U+002D⟩"),
        ("-]", "⟨U+002D⟩]"),
        ("{+", "{⟨U+002B⟩"),
        ("+}", "⟨U+002B⟩}"),
    ];
    spelled
        .iter()
        .fold(encoded.to_owned(), |text, (mark, instead)| {
            text.replace(mark, instead)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::moved_words;

    fn check(approved: &str, current: &str, expect: &str) {
        let moved = moved_words(approved, current);
        let text = marked(&Untrusted::new(approved), &moved, 2);
        assert_eq!(anstream::adapter::strip_str(&text).to_string(), expect);
    }

    #[test]
    fn rows() {
        check(
            "Create an issue",
            "Create one issue",
            "Create [-an-]{+one+} issue",
        );
        check("Add", "Add\u{200b} all", "Add{+⟨U+200B⟩ all+}");
        check("a [-b-] c", "a [-b-] d", "a [⟨U+002D⟩b⟨U+002D⟩] [-c-]{+d+}");
        check("##word", "##", "#⟨U+0023⟩[-word-]");
        check("one\ntwo", "one\nthree", "one\n  [-two-]{+three+}");
    }

    #[test]
    fn only_what_is_unchanged_is_shortened_and_it_is_said() {
        let approved = format!("{} end", "word ".repeat(100));
        let current = format!("{} END{}", "word ".repeat(100), "!".repeat(900));
        let text = marked(
            &Untrusted::new(approved.as_str()),
            &moved_words(&approved, &current),
            0,
        );
        let text = anstream::adapter::strip_str(&text).to_string();
        assert!(text.starts_with("⟨… 401 characters unchanged …⟩"), "{text}");
        assert!(
            text.ends_with(&format!("[-end-]{{+END{}+}}", "!".repeat(900))),
            "{text}"
        );
    }

    #[test]
    fn letters_that_look_alike_are_told_apart() {
        let moved = moved_words("Create", "\u{421}reate");
        assert_eq!(
            lookalikes(&moved),
            ["Сreate may look alike: U+0043 → U+0421"]
        );
        assert!(lookalikes(&moved_words("Create", "Delete")).is_empty());
    }
}
