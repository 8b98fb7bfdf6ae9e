//! A path that a person named → what it holds, or one clear error.

use std::fmt;
use std::path::Path;

use anyhow::{Result, anyhow};
use lockgate::untrusted::Untrusted;
use lockgate::world::files::{self, Unread};

/// Reads a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let read = if path == Path::new("-") {
        files::read_stdin()
    } else {
        files::read(path)
    };
    read.map_err(|unread| anyhow!("{} cannot be read: {}", shown(path), cause(&unread)))
}

/// Why a file was not read, in our words.
pub(crate) fn cause(unread: &Unread) -> String {
    match unread {
        Unread::NotPlain => "it is a link or no plain file".to_owned(),
        Unread::TooLarge => "it is larger than 8 MiB".to_owned(),
        Unread::Io(error) => error.to_string(),
    }
}

/// A path in backticks, safe on a terminal.
pub(crate) fn shown(path: &Path) -> impl fmt::Display {
    format!("`{}`", untrusted(path).in_terminal())
}

/// A path as text from outside.
pub(crate) fn untrusted(path: &Path) -> Untrusted {
    let inside = path
        .strip_prefix(".")
        .ok()
        .filter(|inside| !inside.as_os_str().is_empty());
    Untrusted::new(inside.unwrap_or(path).to_string_lossy())
}
