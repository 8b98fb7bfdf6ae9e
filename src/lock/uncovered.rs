//! The members of a tool that no digest covers → text that is kept to be read, not pinned.
//!
//! `_meta`, `icons`, `execution` and whatever else a server sends may reach a model, and
//! vary from one listing to the next (design §2).

use super::covered::COVERED;
use crate::json;

/// One object with those members; two are always equal, as they are no part of what a
/// tool is.
#[derive(Debug, Clone, Default)]
pub(super) struct Uncovered(Option<Box<str>>);

impl PartialEq for Uncovered {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Uncovered {}

impl Uncovered {
    /// Keeps what is not covered of a tool's members: names and canonical forms.
    pub(super) fn of<F: AsRef<str>>(
        members: impl Iterator<Item = (impl AsRef<str>, impl FnOnce() -> F)>,
    ) -> Self {
        let mut text = String::new();
        for (name, form) in members.filter(|(name, _)| !COVERED.contains(&name.as_ref())) {
            text.push(if text.is_empty() { '{' } else { ',' });
            text.push_str(&json::print_line(&name.as_ref()));
            text.push(':');
            text.push_str(form().as_ref());
        }
        if text.is_empty() {
            return Uncovered(None);
        }
        text.push('}');
        Uncovered(Some(text.into()))
    }

    /// The text, if there is any.
    pub(super) fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }
}
