//! Two texts → the lines that moved between them, as a person reads a long text.

use serde::Serialize;

use super::allowance::Allowance;
use super::words::{Weighed, weighed};
use crate::untrusted::Untrusted;

/// Lines that differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MovedLines {
    /// The line of the approved text at which they start, counted from 1.
    pub at: usize,
    /// The lines that stood there, without their ends.
    pub removed: Vec<Untrusted>,
    /// The lines that stand there now.
    pub added: Vec<Untrusted>,
}

/// The lines that differ, in order; none where both texts are one line.
pub(super) fn moved_lines(
    approved: &str,
    current: &str,
    allowance: &mut Allowance,
) -> (Vec<MovedLines>, Weighed) {
    if !approved.contains('\n') && !current.contains('\n') {
        return (Vec::new(), Weighed::Words);
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (
        approved.split('\n').collect(),
        current.split('\n').collect(),
    );
    let (stretches, weighed) = weighed(&old, &new, allowance);
    let own = |lines: &[&str]| lines.iter().map(|line| Untrusted::new(*line)).collect();
    let moved = stretches.into_iter().map(|(removed, added)| MovedLines {
        at: removed.start + 1,
        removed: own(old.get(removed).unwrap_or_default()),
        added: own(new.get(added).unwrap_or_default()),
    });
    (moved.collect(), weighed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(approved: &str, current: &str, expect: &[(usize, &[&str], &[&str])]) {
        let (moved, _) = moved_lines(approved, current, &mut Allowance::default());
        let texts = |texts: &[&str]| texts.iter().map(|text| Untrusted::new(*text)).collect();
        let expect: Vec<MovedLines> = expect
            .iter()
            .map(|(at, removed, added)| MovedLines {
                at: *at,
                removed: texts(removed),
                added: texts(added),
            })
            .collect();
        assert_eq!(moved, expect, "{approved:?} {current:?}");
    }

    #[test]
    fn rows() {
        check("one", "two", &[]);
        check("one", "one\ntwo", &[(2, &[], &["two"])]);
        check("a\nb\nc", "a\nB\nc", &[(2, &["b"], &["B"])]);
        check("a\nb\nc", "a\nc", &[(2, &["b"], &[])]);
        check("a\n", "a", &[(2, &[""], &[])]);
        check(
            "a\nb\nc\nd",
            "x\nb\nc\ny\nz",
            &[(1, &["a"], &["x"]), (4, &["d"], &["y", "z"])],
        );
    }
}
