//! Our words and theirs → [`Message`]: one sentence that every sink can encode.
//!
//! Obeys style habits 5 and 7: names the thing, then the cause; lower case, no full stop.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::untrusted::Untrusted;

/// A sentence that may quote text from outside.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Message(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Ours(String),
    Theirs(Untrusted),
}

impl Message {
    /// Begins with words of ours.
    pub fn new(ours: impl Into<String>) -> Self {
        Message(vec![Part::Ours(ours.into())])
    }

    /// Goes on with words of ours.
    pub fn ours(mut self, ours: impl Into<String>) -> Self {
        self.0.push(Part::Ours(ours.into()));
        self
    }

    /// Quotes text from outside, in backticks.
    pub fn theirs(mut self, theirs: &Untrusted) -> Self {
        self.0.extend([
            Part::Ours("`".into()),
            Part::Theirs(theirs.clone()),
            Part::Ours("`".into()),
        ]);
        self
    }

    /// Goes on with another message.
    pub fn then(mut self, more: Message) -> Self {
        self.0.extend(more.0);
        self
    }

    /// Quotes texts from outside, each in backticks, with commas between them.
    pub fn each<'a>(self, theirs: impl IntoIterator<Item = &'a Untrusted>) -> Self {
        let quote = |(message, comma): (Self, &'static str), theirs: &Untrusted| {
            (message.ours(comma).theirs(theirs), ", ")
        };
        theirs.into_iter().fold((self, ""), quote).0
    }

    /// For a terminal, on one line.
    pub fn in_terminal(&self) -> impl fmt::Display + '_ {
        InTerminal(self)
    }
}

impl From<&str> for Message {
    fn from(ours: &str) -> Self {
        Message::new(ours)
    }
}

struct InTerminal<'a>(&'a Message);

impl fmt::Display for InTerminal<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.0.iter().try_for_each(|part| match part {
            Part::Ours(text) => to.write_str(text),
            Part::Theirs(text) => text.in_terminal().fmt(to),
        })
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let whole: String = self
            .0
            .iter()
            .map(|part| match part {
                Part::Ours(text) => text.as_str(),
                Part::Theirs(text) => text.as_arrived(),
            })
            .collect();
        to.serialize_str(&whole)
    }
}
