//! A finding: the world is not as approved, told as plain data (style habit 8).

use serde::Serialize;

use super::rule::{Level, Rule};
use crate::message::Message;
use crate::untrusted::Untrusted;

/// One thing that was found. Sorted by path, line, rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// The file it is about, relative to where the run started.
    pub path: Option<Untrusted>,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The rule it falls under.
    pub rule: Rule,
    /// How much it weighs in this run.
    pub level: Level,
    /// What was found.
    pub message: Message,
    /// The way out.
    pub hint: Option<Message>,
}

impl Finding {
    /// A finding at its rule's default level.
    pub fn new(rule: Rule, message: impl Into<Message>) -> Self {
        Finding {
            path: None,
            line: None,
            rule,
            level: rule.level(),
            message: message.into(),
            hint: None,
        }
    }

    /// At another level than its rule's.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// In that file, on that line.
    #[must_use]
    pub fn at(mut self, path: &Untrusted, line: Option<usize>) -> Self {
        self.path = Some(path.clone());
        self.line = line;
        self
    }

    /// With a way out.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Message>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
