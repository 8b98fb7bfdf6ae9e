//! Text from outside → [`Untrusted`]: it has no `Display` and leaves only by an encoder.
//!
//! Everything a server, a lockfile, a reply or a pull request says is this type. Obeys
//! design §3 (invisible characters spelled out, texts whole). Never clips.

mod github;
pub(crate) mod html;

use std::fmt::{self, Write};

use serde::{Serialize, Serializer};

use crate::visible::{is_unseen, tag_as_ascii};

pub(crate) use github::{in_code_span, in_fence, in_html, in_html_code, in_workflow_command};

/// Text that somebody else wrote, and that may be meant to deceive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Untrusted(String);

impl Untrusted {
    /// Takes text in.
    pub fn new(text: impl Into<String>) -> Self {
        Untrusted(text.into())
    }

    /// The text as it arrived: for hashing, comparing and looking up, never for output.
    pub fn as_arrived(&self) -> &str {
        &self.0
    }

    /// For a terminal, on one line: controls, format characters and all else that cannot
    /// be seen stand as `⟨U+200B⟩`, a run of tag characters with the text it smuggles,
    /// line feeds and tabs as `⏎` and `⇥`.
    pub fn in_terminal(&self) -> impl fmt::Display + '_ {
        InTerminal {
            text: &self.0,
            layout: Layout::Line,
        }
    }

    /// For a terminal, over several lines: like [`Untrusted::in_terminal`], but line feeds
    /// break the line and the next one starts with `indent` spaces.
    pub fn in_terminal_lines(&self, indent: usize) -> impl fmt::Display + '_ {
        InTerminal {
            text: &self.0,
            layout: Layout::Lines { indent },
        }
    }
}

impl From<&str> for Untrusted {
    fn from(text: &str) -> Self {
        Untrusted::new(text)
    }
}

/// The JSON encoder: every document of ours is printed by [`crate::json::print()`], which
/// escapes what cannot be seen.
impl Serialize for Untrusted {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

#[derive(Clone, Copy)]
enum Layout {
    Line,
    Lines { indent: usize },
}

struct InTerminal<'a> {
    text: &'a str,
    layout: Layout,
}

impl fmt::Display for InTerminal<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.text;
        let mut starts_line = true;
        while let Some(character) = rest.chars().next() {
            let tags = rest
                .find(|c| tag_as_ascii(c).is_none())
                .unwrap_or(rest.len());
            let (taken, left) = rest.split_at(tags.max(character.len_utf8()));
            match character {
                _ if tags > 0 => write_tags(taken, to)?,
                '\n' => self.write_line_feed(to)?,
                '\t' => to.write_char('⇥')?,
                _ if must_be_spelled(rest, starts_line) => spell(character, to)?,
                _ => to.write_char(character)?,
            }
            starts_line = character == '\n' || (starts_line && character.is_whitespace());
            rest = left;
        }
        Ok(())
    }
}

impl InTerminal<'_> {
    fn write_line_feed(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.layout {
            Layout::Line => to.write_char('⏎'),
            Layout::Lines { indent } => write!(to, "\n{:indent$}", ""),
        }
    }
}

/// Must the first character of `rest` be spelled out: because it cannot be seen, because
/// it would pass for a spelling of ours, or because a workflow runner that reads the
/// terminal's text as a log would obey it (`::` where a line starts, `##[` anywhere)?
fn must_be_spelled(rest: &str, starts_line: bool) -> bool {
    let obeyed = rest.starts_with("##[") || (starts_line && rest.starts_with("::"));
    obeyed || rest.starts_with(|first| is_unseen(first) || matches!(first, '⟨' | '⟩'))
}

fn spell(character: char, to: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(to, "⟨U+{:04X}⟩", u32::from(character))
}

fn write_tags(tags: &str, to: &mut fmt::Formatter<'_>) -> fmt::Result {
    to.write_str("⟨tags: ")?;
    tags.chars()
        .filter_map(tag_as_ascii)
        .try_for_each(|ascii| to.write_char(ascii))?;
    to.write_char('⟩')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(Untrusted::new(text).in_terminal().to_string(), expect);
    }

    #[test]
    fn spells_out_what_cannot_be_seen() {
        check("plain é 世界 😀", "plain é 世界 😀");
        check("a\u{200b}b", "a⟨U+200B⟩b");
        check("\u{1b}[2J", "⟨U+001B⟩[2J");
        check("\u{202e}evil", "⟨U+202E⟩evil");
        check("one\ntwo\tthree", "one⏎two⇥three");
        check("x\u{e0072}\u{e006d}y", "x⟨tags: rm⟩y");
        check("⟨U+200B⟩", "⟨U+27E8⟩U+200B⟨U+27E9⟩");
        check("a::b ::c", "a::b ::c");
        check(
            "::error::x\n  ::add-mask::y",
            "⟨U+003A⟩:error::x⏎  ⟨U+003A⟩:add-mask::y",
        );
        check("a ##[stop-commands]x", "a ⟨U+0023⟩#[stop-commands]x");
        check("\u{e0001}", "⟨U+E0001⟩");
        check("\u{a0}\u{3164}\u{fe0f}", "⟨U+00A0⟩⟨U+3164⟩⟨U+FE0F⟩");
    }
}
