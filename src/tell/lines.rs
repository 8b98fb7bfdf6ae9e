//! Two texts of our own kind → which lines went and came, with all others beside them.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::paint::{ADDED, REMOVED, paint};
use crate::untrusted::Untrusted;

/// The whole of both texts, line by line: `-` what went, `+` what came.
pub fn lines(approved: &str, current: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (approved.lines().collect(), current.lines().collect());
    let row = |mark: &str, line: &&str| format!("{mark} {}", Untrusted::new(*line).in_terminal());
    let mut text = String::new();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let went = old.get(op.old_range()).unwrap_or_default();
        let came = new.get(op.new_range()).unwrap_or_default();
        if matches!(op, DiffOp::Equal { .. }) {
            went.iter()
                .for_each(|line| text += &format!("  {}\n", row(" ", line)));
            continue;
        }
        let went = went.iter().map(|line| paint(REMOVED, row("-", line)));
        let came = came.iter().map(|line| paint(ADDED, row("+", line)));
        went.chain(came)
            .for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_shown_and_marked() {
        let text = lines("a\nb\nc\n", "a\nB\u{200b}\nc\nd\n");
        let text = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(text, "    a\n  - b\n  + B⟨U+200B⟩\n    c\n  + d\n");
    }
}
