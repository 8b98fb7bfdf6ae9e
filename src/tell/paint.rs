//! The few colours; whoever prints drops them where they do not belong.

use std::fmt;

use anstyle::{AnsiColor, Style};

/// What was approved and is gone.
pub(super) const REMOVED: Style = AnsiColor::Red.on_default();
/// What is there now.
pub(super) const ADDED: Style = AnsiColor::Green.on_default();
/// As approved.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// Not as approved.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Could not be checked.
pub(super) const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
/// Names that structure the text.
pub(super) const HEAD: Style = Style::new().bold();
/// What may be passed over.
pub(super) const ASIDE: Style = Style::new().dimmed();

/// `what` in a style.
pub(super) fn paint(style: Style, what: impl fmt::Display) -> String {
    format!("{style}{what}{style:#}")
}
