//! Blocks → a page that never outgrows what the runner takes: whole blocks, or none.
//!
//! Obeys design §8 (under 900 KiB: beyond 1 MiB the runner drops the whole summary).

/// Most bytes of a summary.
pub(super) const MOST: usize = 900 * 1024;
/// What is kept free for the last words.
pub(super) const LAST_WORDS: usize = 4 * 1024;

/// What a block may take however many there are.
const FEW_WORDS: usize = 8 * 1024;

/// A text with a limit.
#[derive(Debug)]
pub(super) struct Page {
    text: String,
    most: usize,
}

impl Page {
    /// An empty page of so many bytes.
    pub(super) fn of(most: usize) -> Self {
        Page {
            text: String::new(),
            most,
        }
    }

    /// So many bytes can still come.
    pub(super) fn room(&self) -> usize {
        self.most.saturating_sub(self.text.len())
    }

    /// Takes a block, if there is room for it.
    pub(super) fn take(&mut self, block: &str) -> Taken {
        if block.len() > self.room() {
            return Taken::LeftOut;
        }
        self.text.push_str(block);
        Taken::Whole
    }

    /// Takes blocks, each if there is room for it; how many were left out.
    pub(super) fn take_each(&mut self, blocks: impl IntoIterator<Item = String>) -> usize {
        let take = |block: &String| self.take(block) == Taken::LeftOut;
        blocks.into_iter().filter(take).count()
    }

    /// What one of so many blocks to come may take: as much as each of the others, and at
    /// least enough for a few words, as long as there is room.
    pub(super) fn share(&self, to_come: usize) -> usize {
        let even = self.room() / to_come.max(1);
        even.max(FEW_WORDS).min(self.room())
    }

    /// The page.
    pub(super) fn text(self) -> String {
        self.text
    }
}

/// What became of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// It stands on the page.
    Whole,
    /// There was no room.
    LeftOut,
}
