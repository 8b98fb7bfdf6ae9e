//! Text → [`Html`]: what may stand on a page of ours, and the only way onto it.
//!
//! Obeys style habit 5, on top of what a terminal would not show
//! ([`Untrusted::in_terminal`]): what is spelled out stands in an element of its own, what
//! mark-up is made of is escaped, and letters that run from right to left move nothing
//! beside them. Never clips.
//!
//! Templates name [`Escaper`], which can escape nothing: an expression of a template is
//! [`Html`], or it does not compile.

use std::fmt::{self, Display};

use askama::Template;
use askama::filters::Safe;

use super::Untrusted;

/// What a page may hold, as mark-up.
pub(crate) type Html = Safe<Encoded>;

/// Mark-up that was made here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Encoded(String);

/// Stands where templates name an escaper, and is none: `askama` then takes [`Html`] only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Escaper;

impl Encoded {
    /// So many bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Display for Encoded {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl Untrusted {
    /// For a page, over several lines: for an element that keeps them, and has `dir`.
    pub(crate) fn in_page_lines(&self) -> Html {
        shown(self.in_terminal_lines(0))
    }

    /// Likewise, of text that came or went: a line feed of it is seen.
    pub(crate) fn in_page_moved(&self) -> Html {
        let html = self.in_page_lines().0.0;
        Safe(Encoded(html.replace('\n', "<span class=\"u\">⏎</span>\n")))
    }
}

/// Words of ours, or what is spelled for a terminal already.
pub(crate) fn shown(text: impl Display) -> Html {
    let text = text.to_string();
    let mut html = String::with_capacity(text.len());
    let mut rest = text.as_str();
    // Only a spelling of ours holds `⟨` and `⟩`.
    while let Some((before, spelled, after)) = next_spelling(rest) {
        escape(before, &mut html);
        html.push_str("<span class=\"u\">");
        escape(spelled, &mut html);
        html.push_str("</span>");
        rest = after;
    }
    escape(rest, &mut html);
    Safe(Encoded(html))
}

/// What stands before the first `⟨…⟩` of a text, that, and what stands behind it.
fn next_spelling(text: &str) -> Option<(&str, &str, &str)> {
    let first = text.find('⟨')?;
    let end = first + text.get(first..)?.find('⟩')? + '⟩'.len_utf8();
    let start = text.get(..end)?.rfind('⟨')?;
    Some((text.get(..start)?, text.get(start..end)?, text.get(end..)?))
}

fn escape(text: &str, to: &mut String) {
    for character in text.chars() {
        match character {
            '&' => to.push_str("&amp;"),
            '<' => to.push_str("&lt;"),
            '>' => to.push_str("&gt;"),
            '"' => to.push_str("&quot;"),
            '\'' => to.push_str("&#39;"),
            _ => to.push(character),
        }
    }
}

/// What is spelled for a terminal already, within a sentence of ours.
pub(crate) fn isolated(text: impl Display) -> Html {
    Safe(Encoded(format!("<bdi>{}</bdi>", shown(text))))
}

/// Likewise, as code.
pub(crate) fn code(text: impl Display) -> Html {
    Safe(Encoded(format!("<code>{}</code>", isolated(text))))
}

/// Several, one behind the other.
pub(crate) fn joined(pieces: impl IntoIterator<Item = Html>) -> Html {
    let mut html = String::new();
    for piece in pieces {
        html.push_str(&piece.0.0);
    }
    Safe(Encoded(html))
}

/// A template, of which every expression is [`Html`].
///
/// # Errors
/// [`askama::Error`] if a value of it cannot be written.
pub(crate) fn rendered(template: &impl Template) -> askama::Result<Html> {
    Ok(Safe(Encoded(template.render()?)))
}

/// A style sheet of ours, as it stands: it may not end its element.
pub(crate) fn style(sheet: &'static str) -> Html {
    let is_whole = !sheet.contains('<');
    debug_assert!(is_whole, "a style sheet of ours ends its element");
    Safe(Encoded(if is_whole { sheet } else { "" }.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::marker::PhantomData;

    use super::*;

    /// A template that holds anything but [`Html`] must not compile: it would, if this were an
    /// escaper of askama's.
    #[test]
    fn what_stands_for_an_escaper_is_none() {
        struct Is<T>(PhantomData<T>);
        trait No {
            const AN_ESCAPER: bool = false;
        }
        impl<T> No for Is<T> {}
        impl<T: askama::filters::Escaper> Is<T> {
            const AN_ESCAPER: bool = true;
        }
        const { assert!(Is::<askama::filters::Html>::AN_ESCAPER) };
        const { assert!(!Is::<Escaper>::AN_ESCAPER) };
    }

    #[test]
    fn what_is_no_spelling_opens_nothing() {
        let span = "<span class=\"u\">";
        let check = |text: &str, expect: &str| assert_eq!(shown(text).to_string(), expect);
        check("a⟨U+20", "a⟨U+20");
        check("a⟩b⟨U+0041⟩", &format!("a⟩b{span}⟨U+0041⟩</span>"));
        check("⟨U+20⟨… 3 more⟩", &format!("⟨U+20{span}⟨… 3 more⟩</span>"));
    }

    #[test]
    fn a_page_reads_text_and_nothing_else() {
        let text = Untrusted::new("</bdi><img src='x'>&amp;\n\"a\"\u{200b}⟩");
        assert_eq!(
            isolated(text.in_terminal()).to_string(),
            "<bdi>&lt;/bdi&gt;&lt;img src=&#39;x&#39;&gt;&amp;amp;⏎&quot;a&quot;\
             <span class=\"u\">⟨U+200B⟩</span><span class=\"u\">⟨U+27E9⟩</span></bdi>"
        );
        assert_eq!(
            Untrusted::new("a\n<b>\r").in_page_lines().to_string(),
            "a\n&lt;b&gt;<span class=\"u\">⟨U+000D⟩</span>"
        );
    }
}
