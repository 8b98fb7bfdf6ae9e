//! Two texts → the words that moved between them (design §3).
//!
//! Exact: the moved words put into the approved text give the current one. The same for
//! the same input, whatever the machine's load: bounded by size, not by time.

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::untrusted::Untrusted;

/// One stretch of text that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// Where it starts in the approved text, in characters (Unicode scalar values).
    pub at: usize,
    /// What stood there.
    pub removed: Untrusted,
    /// What stands there now.
    pub added: Untrusted,
}

/// Most word pairs that are weighed one by one; beyond it the whole differing middle is
/// one stretch. No honest pair of descriptions comes near.
const MAX_PAIRS: usize = 1_000_000;

/// The stretches in which `current` differs from `approved`, in order.
pub fn moved_words(approved: &str, current: &str) -> Vec<Moved> {
    let (approved, current) = (words(approved), words(current));
    let same = |(a, b): &(&&str, &&str)| a == b;
    let before = approved.iter().zip(&current).take_while(same).count();
    let (old, new) = (approved.split_at(before).1, current.split_at(before).1);
    let after = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let (old, new) = (
        old.split_at(old.len() - after).0,
        new.split_at(new.len() - after).0,
    );
    let start = characters(approved.split_at(before).0);
    let stretches = joined(differing(old, new), old);
    let stretch = |(removed, added): (std::ops::Range<usize>, std::ops::Range<usize>)| Moved {
        at: start + characters(old.get(..removed.start).unwrap_or_default()),
        removed: Untrusted::new(old.get(removed).unwrap_or_default().concat()),
        added: Untrusted::new(new.get(added).unwrap_or_default().concat()),
    };
    stretches.into_iter().map(stretch).collect()
}

type Stretch = (std::ops::Range<usize>, std::ops::Range<usize>);

fn differing(old: &[&str], new: &[&str]) -> Vec<Stretch> {
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    if old.len().saturating_mul(new.len()) > MAX_PAIRS {
        return vec![(0..old.len(), 0..new.len())];
    }
    let changed = |op: &DiffOp| !matches!(op, DiffOp::Equal { .. });
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    ops.iter()
        .filter(|op| changed(op))
        .map(|op| (op.old_range(), op.new_range()))
        .collect()
}

/// Joins stretches that only white space keeps apart: people read phrases.
fn joined(stretches: Vec<Stretch>, old: &[&str]) -> Vec<Stretch> {
    let mut joined: Vec<Stretch> = Vec::new();
    for (removed, added) in stretches {
        if let Some((last_removed, last_added)) = joined.last_mut() {
            let between = old.get(last_removed.end..removed.start).unwrap_or_default();
            if between.iter().all(|word| word.trim().is_empty()) {
                last_removed.end = removed.end;
                last_added.end = added.end;
                continue;
            }
        }
        joined.push((removed, added));
    }
    joined
}

/// Splits a text into words, runs of white space, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let class = class(first);
        let length = match class {
            Class::Single => first.len_utf8(),
            Class::Word | Class::Space => {
                rest.find(|c| self::class(c) != class).unwrap_or(rest.len())
            }
        };
        let (word, left) = rest.split_at(length);
        words.push(word);
        rest = left;
    }
    words
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Word,
    Space,
    Single,
}

fn class(character: char) -> Class {
    match character {
        '_' => Class::Word,
        _ if character.is_alphanumeric() => Class::Word,
        _ if character.is_whitespace() => Class::Space,
        _ => Class::Single,
    }
}

fn characters(words: &[&str]) -> usize {
    words.iter().map(|word| word.chars().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(approved: &str, current: &str, expect: &[(usize, &str, &str)]) {
        let moved = moved_words(approved, current);
        let found: Vec<_> = moved
            .iter()
            .map(|m| (m.at, m.removed.as_arrived(), m.added.as_arrived()))
            .collect();
        assert_eq!(found, expect, "{approved:?} {current:?}");
        assert_eq!(applied(approved, &moved), current);
    }

    fn applied(approved: &str, moved: &[Moved]) -> String {
        let mut characters = approved.chars();
        let mut at = 0;
        let mut text = String::new();
        for stretch in moved {
            text.extend(characters.by_ref().take(stretch.at - at));
            let removed = stretch.removed.as_arrived();
            assert_eq!(
                characters
                    .by_ref()
                    .take(removed.chars().count())
                    .collect::<String>(),
                removed
            );
            text.push_str(stretch.added.as_arrived());
            at = stretch.at + removed.chars().count();
        }
        text.extend(characters);
        text
    }

    #[test]
    fn rows() {
        check("same", "same", &[]);
        check("", "new", &[(0, "", "new")]);
        check("Create an issue", "Create one issue", &[(7, "an", "one")]);
        check(
            "Create an issue in the team",
            "Create an issue. First read x",
            &[(15, " in the team", ". First read x")],
        );
        check("世界 a b", "世界 c b", &[(3, "a", "c")]);
        check("a\u{200b}b", "ab", &[(0, "a\u{200b}b", "ab")]);
        check("x, y, z", "x; y; z", &[(1, ",", ";"), (4, ",", ";")]);
    }

    #[test]
    fn a_text_too_large_to_weigh_is_one_stretch() {
        let approved = "a b ".repeat(1000);
        let current = "c d ".repeat(1000);
        let moved = moved_words(&approved, &current);
        assert_eq!(moved.len(), 1);
        assert_eq!(applied(&approved, &moved), current);
    }
}
