//! A text → does it hold a word that no language has?

use super::fold::is_unspaced;

/// A longer word is a finding.
const LONGEST_WORD: usize = 2_000;

/// Is there a run of letters that no language has? An image in a `data:` address is none.
pub(super) fn has_long_word(text: &str) -> bool {
    if text.len() <= LONGEST_WORD {
        return false;
    }
    let parts = text.split(|c: char| c.is_whitespace() || is_unspaced(c));
    parts
        .into_iter()
        .any(|word| word.len() > LONGEST_WORD && !word.starts_with("data:"))
}
