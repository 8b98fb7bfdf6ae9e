//! Two sides of a text or a value → approved beside current, whole, with what moved marked.

use askama::Template;

use crate::check::{Form, Kept, Moved, Place, TextChange};
use crate::json::{self, Value};
use crate::tell::notes::{NOTHING, ONLY_DIGEST, weighed};
use crate::tell::words::lookalikes;
use crate::untrusted::Untrusted;
use crate::untrusted::html::{Html, isolated, rendered, shown};

/// A value that is longer is laid out over lines.
const ONE_LINE: usize = 60;

#[derive(Template)]
#[template(path = "sides.html", config = "src/tell/page/askama.toml")]
struct Sides {
    class: Html,
    approved: Side,
    current: Side,
    notes: Vec<Html>,
}

/// What stands on one side.
enum Side {
    /// Words of ours, where there is nothing.
    Nothing(Html),
    /// A text, bit by bit.
    Bits(Vec<Bit>),
    /// A text or a value, all of which came or went.
    All(Html),
    /// A text of which the other side is not at hand.
    Alone(Html),
}

struct Bit {
    moved: bool,
    text: Html,
}

/// A text, before and now.
pub(super) fn text_sides(change: &TextChange) -> askama::Result<Html> {
    let (approved, current) = match (&change.approved, &change.current, change.kept) {
        (Some(approved), Some(_), _) => both(approved, &change.moved),
        (approved, current, Kept::Whole) => (one(approved.as_ref()), one(current.as_ref())),
        (_, current, Kept::Digest) => (
            Side::Nothing(shown(ONLY_DIGEST)),
            match current {
                Some(current) => Side::Alone(current.in_page_lines()),
                None => Side::Nothing(shown(NOTHING)),
            },
        ),
    };
    let alike = lookalikes(&change.moved).into_iter().map(isolated);
    let weighed = weighed(change).map(shown);
    rendered(&Sides {
        class: shown("wide"),
        approved,
        current,
        notes: alike.chain(weighed).collect(),
    })
}

/// A place of a schema or of the annotations, before and now.
pub(super) fn place_sides(place: &Place) -> askama::Result<Html> {
    if let Some(change) = &place.text {
        return text_sides(change);
    }
    let is_short = |form: &Option<Form>| {
        let text = form.as_ref().map(|form| form.untrusted().as_arrived());
        text.is_none_or(|text| text.chars().count() <= ONE_LINE)
    };
    let is_short = is_short(&place.approved) && is_short(&place.current);
    let laid_out = |form: &Form| match is_short {
        true => form.untrusted().clone(),
        false => form.laid_out(),
    };
    let side = |form: &Option<Form>| match (form, is_short) {
        (Some(form), true) => Side::Bits(vec![Bit {
            moved: true,
            text: laid_out(form).in_page_lines(),
        }]),
        (Some(form), false) => Side::All(laid_out(form).in_page_lines()),
        (None, _) => Side::Nothing(shown(NOTHING)),
    };
    rendered(&Sides {
        class: shown(if is_short { "short" } else { "wide" }),
        approved: side(&place.approved),
        current: side(&place.current),
        notes: Vec::new(),
    })
}

/// The whole of one side, where the other has nothing.
fn one(text: Option<&Untrusted>) -> Side {
    match text {
        Some(text) => Side::All(text.in_page_lines()),
        None => Side::Nothing(shown(NOTHING)),
    }
}

/// Both texts, put together of what stayed and what moved.
fn both(approved: &Untrusted, moved: &[Moved]) -> (Side, Side) {
    let characters: Vec<char> = approved.as_arrived().chars().collect();
    let (mut was, mut is) = (Vec::new(), Vec::new());
    let stays = |from: usize, to: usize| {
        let text = characters.get(from..to).unwrap_or_default();
        let text = Untrusted::new(String::from_iter(text));
        bit(false, text.in_page_lines(), &text)
    };
    let mut at = 0;
    for stretch in moved {
        was.extend(stays(at, stretch.at));
        is.extend(stays(at, stretch.at));
        was.extend(bit(true, stretch.removed.in_page_moved(), &stretch.removed));
        is.extend(bit(true, stretch.added.in_page_moved(), &stretch.added));
        at = stretch.at + stretch.removed.as_arrived().chars().count();
    }
    was.extend(stays(at, characters.len()));
    is.extend(stays(at, characters.len()));
    (Side::Bits(was), Side::Bits(is))
}

fn bit(moved: bool, shown: Html, text: &Untrusted) -> Option<Bit> {
    (!text.as_arrived().is_empty()).then_some(Bit { moved, text: shown })
}

#[derive(Template)]
#[template(path = "text.html", config = "src/tell/page/askama.toml")]
struct Text {
    text: Html,
}

/// A text by itself.
pub(super) fn text(text: &Untrusted) -> askama::Result<Html> {
    rendered(&Text {
        text: text.in_page_lines(),
    })
}

/// A text, or JSON laid out over lines where it is long.
pub(super) fn value(value: &Value<'_>) -> askama::Result<Html> {
    if let Some(there) = value.as_str() {
        return text(&Untrusted::new(there));
    }
    let line = json::canonical(value);
    text(&match line.chars().count() > ONE_LINE {
        true => Untrusted::new(json::print(value).trim_end()),
        false => Untrusted::new(line),
    })
}
