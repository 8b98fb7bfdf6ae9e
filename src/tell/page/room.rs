//! Blocks → a page that a browser still opens: each block whole, or named and left out.

use crate::untrusted::html::Html;

/// Most bytes of all differences on a page.
const MOST: usize = 24 * 1024 * 1024;
/// What a block may take however many there are.
const FEW: usize = 256 * 1024;

/// The bytes that may still come.
#[derive(Debug)]
pub(super) struct Room(usize);

impl Room {
    /// All of a page.
    pub(super) fn new() -> Self {
        Room(MOST)
    }

    /// Is there room for a block, if so many like it are to come? It is taken, then.
    pub(super) fn takes(&mut self, block: &Html, to_come: usize) -> bool {
        let size = block.0.len();
        let fits = size <= (self.0 / to_come.max(1)).max(FEW).min(self.0);
        if fits {
            self.0 -= size;
        }
        fits
    }
}
