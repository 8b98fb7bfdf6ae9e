//! How much of what a server sends is weighed piece by piece before it is told as a whole.
//!
//! Counted in pieces of text, so that the same input gives the same answer on any machine,
//! and so that no list of tools, however long, makes a comparison slow.

/// How many pieces may still be weighed in one comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Allowance(usize);

/// Most pieces of one text and its successor. No honest pair of descriptions comes near.
const ONE: usize = 250_000;
/// Most pieces of all texts of one comparison.
const ALL: usize = 1_000_000;

impl Default for Allowance {
    fn default() -> Self {
        Allowance(ALL)
    }
}

impl Allowance {
    /// So many pieces.
    #[cfg(test)]
    pub(super) fn of(pieces: usize) -> Self {
        Allowance(pieces)
    }

    /// May so many pieces be weighed? Then they are counted.
    pub(super) fn covers(&mut self, pieces: usize) -> bool {
        let covers = pieces <= self.0.min(ONE);
        self.0 -= if covers { pieces } else { 0 };
        covers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Change, Weighed, compare};
    use crate::lock::{Approval, HeaderPins, Listing, Lockfile, ServerUrl};

    #[test]
    fn one_text_and_all_texts_have_an_end() {
        let mut allowance = Allowance::default();
        assert!(!allowance.covers(ONE + 1), "too many for one");
        assert!((0..ALL / ONE).all(|_| allowance.covers(ONE)));
        assert!(!allowance.covers(1), "too many for all");
        assert!(allowance.covers(0));
    }

    #[test]
    fn all_texts_of_a_comparison_share_one_allowance() {
        let listing = |word: &str| {
            let text = format!("{word}. ").repeat(ONE / 10);
            let tool = |n| format!(r#"{{"name":"t{n}","description":"{text}"}}"#);
            let tools: Vec<String> = (0..15).map(tool).collect();
            Listing::parse(format!("[{}]", tools.join(",")).as_bytes()).unwrap()
        };
        let (approved, current) = (listing("a"), listing("b"));
        let approval = Approval {
            url: &ServerUrl::parse("https://mcp.example.com/mcp").unwrap(),
            listing: &approved,
            headers: HeaderPins::default(),
            approved_at: "2026-10-07T10:45:00Z".parse().unwrap(),
            scan: None,
        };
        let lockfile = Lockfile::parse(approval.lockfile().unwrap().as_bytes()).unwrap();
        let comparison = compare(&lockfile, &current);
        let weighed = comparison.modified.iter().map(|tool| {
            assert_eq!(tool.changes.len(), 1);
            match &tool.changes[0].change {
                Change::Text(text) => text.weighed,
                Change::Value(_) => None,
            }
        });
        let whole: Vec<bool> = weighed.map(|how| how == Some(Weighed::Whole)).collect();
        assert_eq!(whole.len(), 15);
        assert!(!whole[0] && whole[14], "{whole:?}");
        assert!(whole.is_sorted(), "the first in the list are weighed");
    }
}
