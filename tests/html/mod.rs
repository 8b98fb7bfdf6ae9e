//! Our page, read: every element and attribute is one of ours, and nested as it should be.

#![expect(clippy::panic, reason = "an oracle fails by panicking")]

/// The elements that the page is made of, and what attributes each may have.
const ELEMENTS: [(&str, &[&str]); 42] = [
    ("html", &["lang"]),
    ("head", &[]),
    ("meta", &["charset", "http-equiv", "name", "content"]),
    ("title", &[]),
    ("style", &[]),
    ("body", &[]),
    ("header", &["class"]),
    ("main", &["id", "tabindex"]),
    ("footer", &[]),
    ("nav", &["aria-label"]),
    ("section", &["id", "class", "aria-labelledby"]),
    ("article", &["id", "aria-labelledby"]),
    ("div", &["class", "dir"]),
    ("p", &["class"]),
    ("h1", &[]),
    ("h2", &["id"]),
    ("h3", &["id"]),
    ("h4", &[]),
    ("h5", &[]),
    ("ul", &["class"]),
    ("ol", &["class"]),
    ("li", &["class"]),
    ("dl", &["class"]),
    ("dt", &[]),
    ("dd", &["class", "dir"]),
    ("a", &["href", "class"]),
    ("b", &[]),
    ("strong", &[]),
    ("code", &[]),
    ("bdi", &[]),
    ("span", &["class"]),
    ("del", &[]),
    ("ins", &[]),
    ("details", &["class", "open"]),
    ("summary", &[]),
    ("table", &["role", "aria-label"]),
    ("thead", &["role"]),
    ("tbody", &["role"]),
    ("tr", &["role", "class"]),
    ("th", &["role", "scope", "class"]),
    ("td", &["role", "class"]),
    ("br", &[]),
];
const ALONE: [&str; 2] = ["meta", "br"];
const ENTITIES: [&str; 5] = ["amp;", "lt;", "gt;", "quot;", "#39;"];

/// A page, read.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Every element, in order.
    pub(crate) elements: Vec<Element>,
    /// What is shown in words of ours.
    pub(crate) words: String,
    /// What is shown where text from outside may stand.
    pub(crate) theirs: String,
    /// The style sheet.
    pub(crate) style: String,
}

/// An element with its attributes, entities as they stand.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// May text from outside stand in it?
    fn is_theirs(&self) -> bool {
        self.name == "bdi"
            || (self
                .attribute("class")
                .is_some_and(|class| class.split(' ').next() == Some("text"))
                && self.attribute("dir") == Some("auto"))
    }
}

/// Reads a page.
///
/// # Panics
/// Where an element or an attribute is not one of ours, or elements do not close as they
/// were opened.
pub(crate) fn read(html: &str) -> Page {
    let rest = html.strip_prefix("<!doctype html>\n");
    let rest = rest.unwrap_or_else(|| panic!("it begins with {:?}", html.get(..40)));
    let mut page = Page::default();
    let mut open: Vec<Element> = Vec::new();
    let mut pieces = rest.split('<');
    page.shows(pieces.next().unwrap_or_default(), &open);
    for piece in pieces {
        let (tag, text) = piece
            .split_once('>')
            .unwrap_or_else(|| panic!("a stray `<` before {piece:?}"));
        match tag.strip_prefix('/') {
            Some(name) => {
                let last = open.pop().map(|element| element.name);
                assert_eq!(
                    last.as_deref(),
                    Some(name),
                    "</{name}> closes another, before {text:?}"
                );
            }
            None => {
                let element = element(tag);
                page.elements.push(element.clone());
                if !ALONE.contains(&element.name.as_str()) {
                    open.push(element);
                }
            }
        }
        match open.last().map(|element| element.name.as_str()) {
            Some("style") => page.style.push_str(text),
            _ => page.shows(text, &open),
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    page
}

fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let known = ELEMENTS.iter().find(|(known, _)| *known == name);
    let (_, allowed) = known.unwrap_or_else(|| panic!("a foreign element: <{tag}>"));
    let mut attributes = Vec::new();
    while !rest.is_empty() {
        let (attribute, value) = match rest.split_once("=\"") {
            Some((attribute, after)) => {
                let (value, left) = after.split_once('"').unwrap_or_else(|| panic!("<{tag}>"));
                rest = left.trim_start_matches(' ');
                (attribute, value)
            }
            None => (std::mem::take(&mut rest), ""),
        };
        assert!(allowed.contains(&attribute), "a foreign attribute: <{tag}>");
        attributes.push((attribute.to_owned(), value.to_owned()));
    }
    Element {
        name: name.to_owned(),
        attributes,
    }
}

impl Page {
    pub(crate) fn count(&self, name: &str) -> usize {
        self.elements.iter().filter(|one| one.name == name).count()
    }

    fn shows(&mut self, text: &str, open: &[Element]) {
        assert!(
            !text.contains('>') && !text.contains('"'),
            "stray mark-up in {text:?}"
        );
        for entity in text.split('&').skip(1) {
            assert!(
                ENTITIES.iter().any(|known| entity.starts_with(known)),
                "a foreign entity: &{entity}"
            );
        }
        match open.iter().any(Element::is_theirs) {
            true => self.theirs.push_str(text),
            false => self.words.push_str(text),
        }
    }
}
