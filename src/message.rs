//! Our words and theirs → [`Message`]: one sentence that every sink can encode.
//!
//! Obeys style habits 5 and 7: names the thing, then the cause; lower case, no full stop.

mod pieces;

use std::fmt;

use serde::{Serialize, Serializer};

use self::pieces::{Piece, pieces};
use crate::untrusted::html::{self, Html};
use crate::untrusted::{self, Untrusted};

/// A sentence that may quote text from outside.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Message(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Ours(String),
    Theirs(Untrusted),
    /// Text from outside that is spelled for a terminal already.
    Shown(String),
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

    /// Quotes text from outside that is spelled for a terminal already, in backticks.
    pub(crate) fn shown(mut self, shown: impl Into<String>) -> Self {
        self.0.extend([
            Part::Ours("`".into()),
            Part::Shown(shown.into()),
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

    /// For the message of a workflow command, on one line.
    pub fn in_workflow_command(&self) -> impl fmt::Display + '_ {
        untrusted::in_workflow_command(self.in_terminal())
    }

    /// For a line of Markdown: what is quoted, and whatever is not a plain word, as code.
    pub fn in_markdown(&self) -> String {
        let piece = |piece| match piece {
            Piece::Plain(text) => text,
            Piece::Code(shown) => untrusted::in_code_span(shown).to_string(),
        };
        pieces(self).into_iter().map(piece).collect()
    }

    /// For an HTML block of Markdown, on one line: likewise.
    pub fn in_html(&self) -> String {
        let piece = |piece| match piece {
            Piece::Plain(text) => untrusted::in_html(text).to_string(),
            Piece::Code(shown) => untrusted::in_html_code(shown).to_string(),
        };
        pieces(self).into_iter().map(piece).collect()
    }

    /// For a page of ours, on one line: likewise.
    pub(crate) fn in_page(&self) -> Html {
        let piece = |piece| match piece {
            Piece::Plain(text) => html::shown(text),
            Piece::Code(shown) => html::code(shown),
        };
        html::joined(pieces(self).into_iter().map(piece))
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
            Part::Ours(text) | Part::Shown(text) => to.write_str(text),
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
                Part::Ours(text) | Part::Shown(text) => text.as_str(),
                Part::Theirs(text) => text.as_arrived(),
            })
            .collect();
        to.serialize_str(&whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &Message, markdown: &str, html: &str) {
        assert_eq!(message.in_markdown(), markdown);
        assert_eq!(message.in_html(), html);
    }

    #[test]
    fn quotes_are_code() {
        let hostile = Untrusted::new("`@a` <b>");
        check(
            &Message::new("the tool ").theirs(&hostile).ours(" is gone"),
            "the tool `` `@a` <b> `` is gone",
            "the tool <code>`@a` &lt;b&gt;</code> is gone",
        );
        check(
            &Message::new("run `lockgate lock URL`, then wait"),
            "run `lockgate lock URL`, then wait",
            "run <code>lockgate lock URL</code>, then wait",
        );
    }

    #[test]
    fn words_that_a_page_would_link_or_obey_are_code() {
        check(
            &Message::new("see https://a.example/x or @alice: #12, 1 of 2 (a.json) _b_ &amp;"),
            "see `https://a.example/x` or `@alice:` `#12,` 1 of 2 (a.json) `_b_` `&amp;`",
            "see <code>https://a.example/x</code> or <code>@alice:</code> <code>#12,</code> 1 of 2 (a.json) <code>_b_</code> <code>&amp;amp;</code>",
        );
        check(
            &Message::new("one `half\n- www.a.example deadbeef12 GH-1 a:b:c"),
            "one `half⏎- www.a.example deadbeef12 GH-1 a:b:c`",
            "one <code>half⏎- www.a.example deadbeef12 GH-1 a:b:c</code>",
        );
        check(&Message::new("@a`b`"), "`@ab`", "<code>@ab</code>");
        check(
            &Message::new("www.a.example deadbeef12 GH-1 :tada: a:b - x"),
            "`www.a.example` `deadbeef12` `GH-1` `:tada:` `a:b` `-` x",
            "<code>www.a.example</code> <code>deadbeef12</code> <code>GH-1</code> <code>:tada:</code> <code>a:b</code> <code>-</code> x",
        );
    }
}
