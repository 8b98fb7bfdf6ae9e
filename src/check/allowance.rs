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
