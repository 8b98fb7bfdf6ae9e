//! Text → the end of a file that others write to as well: a runner's summary and outputs.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// Adds `text` to the end of a file in one write; the file is made if it is not there.
///
/// # Errors
/// What the system says; a part of the text may stand in the file then.
pub fn append(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(text.as_bytes())
}
