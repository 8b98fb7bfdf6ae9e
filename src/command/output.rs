//! Text for people and documents for programs → standard output.

use anyhow::{Context, Result};
use lockgate::tell;
use lockgate::world::terminal;

/// Prints text for people; on a terminal its long lines hang under their own indent.
pub(super) fn text(text: &str) -> Result<()> {
    match terminal::width() {
        Some(width) => document(&tell::hang(text, width)),
        None => document(text),
    }
}

/// Prints a document as it is.
pub(super) fn document(text: &str) -> Result<()> {
    terminal::print(text).context("standard output cannot be written")
}
