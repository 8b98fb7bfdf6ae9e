//! What a page shows of Markdown: read by a GFM parser, then every tag of its HTML by hand.

#![expect(clippy::panic, reason = "an oracle fails by panicking")]

use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};

/// The tags that our pages are made of.
const TAGS: [&str; 21] = [
    "b",
    "code",
    "del",
    "details",
    "h2",
    "h3",
    "i",
    "ins",
    "li",
    "p",
    "pre",
    "sub",
    "summary",
    "table",
    "td",
    "th",
    "tr",
    "ul",
    "br",
    "h4",
    "blockquote",
];
/// Those of them that stand alone.
const ALONE: [&str; 1] = ["br"];
const ENTITIES: [&str; 6] = ["amp;", "lt;", "gt;", "quot;", "#39;", "#10;"];

/// A page, read.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Every opening tag, in order.
    pub(crate) tags: Vec<String>,
    /// What is shown outside of code.
    pub(crate) words: String,
    /// What is shown as code.
    pub(crate) code: String,
}

pub(crate) fn options() -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.autolink = true;
    extension.footnotes = true;
    extension.strikethrough = true;
    extension.table = true;
    extension.tasklist = true;
    extension.alerts = true;
    extension.math_code = true;
    extension.math_dollars = true;
    options.parse.relaxed_autolinks = true;
    options
}

/// The kinds of the nodes that a GFM parser finds, in order; text is left out.
pub(crate) fn nodes(markdown: &str) -> Vec<String> {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &options());
    let kind = |value: &NodeValue| {
        let kind = format!("{value:?}");
        kind.split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    root.descendants()
        .map(|node| kind(&node.data.borrow().value))
        .filter(|kind| kind != "Text")
        .collect()
}

/// A page all of HTML blocks.
///
/// # Panics
/// Where a reader of Markdown would find anything else, a tag is not one of ours, or tags
/// do not close as they were opened.
pub(crate) fn read(markdown: &str) -> Page {
    let kinds = nodes(markdown);
    let strangers: Vec<&String> = kinds
        .iter()
        .filter(|kind| !["Document", "HtmlBlock"].contains(&kind.as_str()))
        .collect();
    assert!(
        strangers.is_empty(),
        "Markdown was read: {strangers:?}\n{markdown}"
    );
    let mut page = Page::default();
    let mut open: Vec<String> = Vec::new();
    let mut pieces = markdown.split('<');
    page.shows(pieces.next().unwrap_or_default(), &open);
    for piece in pieces {
        let (tag, text) = piece
            .split_once('>')
            .unwrap_or_else(|| panic!("a stray `<` before {piece:?}"));
        let name = tag.strip_prefix('/').unwrap_or(tag);
        // The one attribute that any of them has.
        let name = name
            .strip_suffix(" nowrap")
            .filter(|name| ["td", "th"].contains(name))
            .unwrap_or(name);
        assert!(TAGS.contains(&name), "a foreign tag: <{tag}>");
        if tag.starts_with('/') {
            assert_eq!(
                open.pop().as_deref(),
                Some(name),
                "</{name}> closes another, before {text:?}"
            );
        } else {
            page.tags.push(name.to_owned());
            if !ALONE.contains(&name) {
                open.push(name.to_owned());
            }
        }
        page.shows(text, &open);
    }
    assert!(open.is_empty(), "left open: {open:?}");
    page
}

impl Page {
    pub(crate) fn count(&self, tag: &str) -> usize {
        self.tags.iter().filter(|known| *known == tag).count()
    }

    fn shows(&mut self, text: &str, open: &[String]) {
        assert!(!text.contains('>'), "a stray `>` in {text:?}");
        for entity in text.split('&').skip(1) {
            assert!(
                ENTITIES.iter().any(|known| entity.starts_with(known)),
                "a foreign entity: &{entity}"
            );
        }
        let is_code = open.iter().any(|tag| tag == "code" || tag == "pre");
        if is_code {
            &mut self.code
        } else {
            &mut self.words
        }
        .push_str(text);
    }
}
