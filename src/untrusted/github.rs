//! [`Untrusted`] → workflow commands, Markdown and HTML: what a runner or a page obeys is escaped.
//!
//! Obeys design §8 and style habit 5, on top of what a terminal would not show
//! ([`Untrusted::in_terminal`]): the same text reads the same everywhere. Never clips.

use std::fmt::{self, Write};

use super::Untrusted;

impl Untrusted {
    /// For the message of a workflow command, on one line.
    pub fn in_workflow_command(&self) -> impl fmt::Display + '_ {
        in_workflow_command(self.in_terminal())
    }

    /// For a property (`file`, `title` …) of a workflow command.
    pub fn in_workflow_property(&self) -> impl fmt::Display + '_ {
        Escaped(self.in_terminal(), workflow_property)
    }

    /// For a line of Markdown: a code span, in which nothing is read as Markdown.
    pub fn in_markdown(&self) -> impl fmt::Display + '_ {
        in_code_span(self.in_terminal().to_string())
    }

    /// For a cell of a Markdown table: a code span that no pipe ends.
    pub fn in_markdown_cell(&self) -> impl fmt::Display + '_ {
        CodeSpan {
            shown: self.in_terminal().to_string(),
            pipes: Pipes::Escaped,
        }
    }

    /// For Markdown, over several lines: a fenced block, to stand on lines of its own.
    pub fn in_markdown_fence(&self) -> impl fmt::Display + '_ {
        in_fence(self.in_terminal_lines(0).to_string())
    }

    /// For an HTML block of Markdown, on one line: a `<code>` element.
    pub fn in_html_code(&self) -> impl fmt::Display + '_ {
        in_html_code(self.in_terminal())
    }

    /// For the inside of a `<code>` or `<pre>` of an HTML block of Markdown: line feeds are
    /// kept, as `&#10;`, so that no line of it is one that ends the block.
    pub fn within_html_code(&self) -> impl fmt::Display + '_ {
        in_html(self.in_terminal_lines(0))
    }
}

/// What is shown already (a sentence, a path), for the message of a workflow command.
pub(crate) fn in_workflow_command(shown: impl fmt::Display) -> impl fmt::Display {
    Escaped(shown, workflow_data)
}

/// What is shown already, for text of an HTML block of Markdown.
pub(crate) fn in_html(shown: impl fmt::Display) -> impl fmt::Display {
    Escaped(shown, html)
}

/// What is shown already, for an HTML block of Markdown: a `<code>` element.
pub(crate) fn in_html_code(shown: impl fmt::Display) -> impl fmt::Display {
    Element(in_html(shown))
}

/// What is shown already, for a line of Markdown: a code span.
pub(crate) fn in_code_span(shown: String) -> impl fmt::Display {
    CodeSpan {
        shown,
        pipes: Pipes::AsTheyAre,
    }
}

/// What is shown already, over several lines of Markdown: a fenced block.
pub(crate) fn in_fence(shown: String) -> impl fmt::Display {
    Fence(shown)
}

/// What stands for a character that a sink would obey.
type Escape = fn(char) -> Option<&'static str>;

fn workflow_data(character: char) -> Option<&'static str> {
    match character {
        '%' => Some("%25"),
        '\r' => Some("%0D"),
        '\n' => Some("%0A"),
        _ => None,
    }
}

fn workflow_property(character: char) -> Option<&'static str> {
    match character {
        ':' => Some("%3A"),
        ',' => Some("%2C"),
        _ => workflow_data(character),
    }
}

fn html(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#39;"),
        '\n' => Some("&#10;"),
        _ => None,
    }
}

/// What is shown, escaped character by character.
struct Escaped<T>(T, Escape);

impl<T: fmt::Display> fmt::Display for Escaped<T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(to, self.1), "{}", self.0)
    }
}

struct Escaping<'a, 'b>(&'a mut fmt::Formatter<'b>, Escape);

impl fmt::Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|character| {
            let Escaping(to, escape) = &mut *self;
            match escape(character) {
                Some(instead) => to.write_str(instead),
                None => to.write_char(character),
            }
        })
    }
}

/// In a table a pipe ends the cell, even within a code span.
#[derive(Clone, Copy)]
enum Pipes {
    AsTheyAre,
    Escaped,
}

struct CodeSpan {
    shown: String,
    pipes: Pipes,
}

impl fmt::Display for CodeSpan {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = match self.pipes {
            Pipes::AsTheyAre => self.shown.clone(),
            // Readers disagree on what `\\` before a pipe means.
            Pipes::Escaped => self.shown.replace("\\|", "⟨U+005C⟩|").replace('|', "\\|"),
        };
        if shown.is_empty() {
            return to.write_str("` `");
        }
        let ticks = "`".repeat(longest_run_of_backticks(&shown) + 1);
        // One space at each end is taken off again by whoever reads it.
        let is_bare = |c: char| matches!(c, '`' | ' ');
        let pad = match shown.starts_with(is_bare) || shown.ends_with(is_bare) {
            true => " ",
            false => "",
        };
        write!(to, "{ticks}{pad}{shown}{pad}{ticks}")
    }
}

struct Fence(String);

impl fmt::Display for Fence {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.0;
        let ticks = "`".repeat(longest_run_of_backticks(shown).max(2) + 1);
        write!(to, "{ticks}text\n{shown}\n{ticks}\n")
    }
}

struct Element<T>(T);

impl<T: fmt::Display> fmt::Display for Element<T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "<code>{}</code>", self.0)
    }
}

fn longest_run_of_backticks(text: &str) -> usize {
    let runs = text.split(|character| character != '`').map(str::len);
    runs.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_reads_one_message_and_one_property() {
        let text = Untrusted::new("100%\r\n::add-mask::x, a:b##[group]");
        assert_eq!(
            text.in_workflow_command().to_string(),
            "100%25⟨U+000D⟩⏎⟨U+003A⟩:add-mask::x, a:b⟨U+0023⟩#[group]"
        );
        assert_eq!(
            text.in_workflow_property().to_string(),
            "100%25⟨U+000D⟩⏎⟨U+003A⟩%3Aadd-mask%3A%3Ax%2C a%3Ab⟨U+0023⟩#[group]"
        );
    }

    #[test]
    fn markdown_reads_code_and_nothing_else() {
        let span = |text: &str| Untrusted::new(text).in_markdown().to_string();
        assert_eq!(span("plain @alice"), "`plain @alice`");
        assert_eq!(span("a``b`c"), "```a``b`c```");
        assert_eq!(span("`x"), "`` `x ``");
        assert_eq!(span(" x "), "`  x  `");
        assert_eq!(span("one\n# two"), "`one⏎# two`");
        assert_eq!(span("a|b"), "`a|b`");
        assert_eq!(span(""), "` `");
        let cell = |text: &str| Untrusted::new(text).in_markdown_cell().to_string();
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(cell("a\\|b"), "`a⟨U+005C⟩\\|b`");
        assert_eq!(cell("``` | x |"), "```` ``` \\| x \\| ````");
    }

    #[test]
    fn a_fence_ends_where_we_end_it() {
        let fence = |text: &str| Untrusted::new(text).in_markdown_fence().to_string();
        assert_eq!(fence("one\ntwo"), "```text\none\ntwo\n```\n");
        assert_eq!(fence("```\n@a\r"), "````text\n```\n@a⟨U+000D⟩\n````\n");
    }

    #[test]
    fn html_reads_text_and_nothing_else() {
        let text = Untrusted::new("</code><img src='x'>&amp;\n\n\"@a\"");
        assert_eq!(
            text.in_html_code().to_string(),
            "<code>&lt;/code&gt;&lt;img src=&#39;x&#39;&gt;&amp;amp;⏎⏎&quot;@a&quot;</code>"
        );
        assert_eq!(
            text.within_html_code().to_string(),
            "&lt;/code&gt;&lt;img src=&#39;x&#39;&gt;&amp;amp;&#10;&#10;&quot;@a&quot;"
        );
    }
}
