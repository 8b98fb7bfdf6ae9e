//! One difference → a block of the page: a tool, or the instructions, with each member.

use askama::Template;

use super::member::{self, Member};
use crate::check::{
    Change, Comparison, FieldChange, Modified, Named, Removed, Renamed, TextChange,
};
use crate::lock::{Field, Tool};
use crate::message::Message;
use crate::tell::approval::PinChange;
use crate::tell::excerpt::clipped;
use crate::tell::notes::{ONLY_EXTENDED, notes, renamed as about};
use crate::untrusted::Untrusted;
use crate::untrusted::html::{Html, code, joined, rendered, shown};

/// Most characters of a tool's name in a heading: what is longer says so.
const LONGEST_NAME: usize = 200;

/// One difference.
pub(super) struct Part {
    kind: &'static str,
    sign: &'static str,
    name: Html,
    what: Html,
    warnings: Vec<Html>,
    members: Vec<Member>,
    notes: Vec<Html>,
}

/// Is a difference folded at first?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fold {
    /// No.
    Open,
    /// Yes.
    Closed,
}

impl Fold {
    /// Yes, where so many are more than `most`.
    pub(super) fn of(count: usize, most: usize) -> Self {
        match count > most {
            true => Fold::Closed,
            false => Fold::Open,
        }
    }
}

#[derive(Template)]
#[template(path = "part.html", config = "src/tell/page/askama.toml")]
struct Block<'a> {
    kind: Html,
    sign: Html,
    part: &'a Part,
    is_open: bool,
    left_out: Option<Html>,
}

impl Part {
    /// All of it.
    pub(super) fn whole(&self, fold: Fold) -> askama::Result<Html> {
        rendered(&self.block(fold == Fold::Open, None))
    }

    /// What it is, and that the rest, of so many bytes, stands elsewhere.
    pub(super) fn left_out(&self, size: usize) -> askama::Result<Html> {
        let told = format!(
            "{} KiB of it found no room on this page: the JSON report (`--report`) has them whole",
            size / 1024
        );
        rendered(&self.block(false, Some(Message::new(told).in_page())))
    }

    /// With the names that are too long for its heading.
    fn with_whole(mut self, names: &[&Untrusted]) -> askama::Result<Self> {
        let is_long =
            |name: &&&Untrusted| name.in_terminal().to_string().chars().count() > LONGEST_NAME;
        for name in names.iter().rev().filter(is_long) {
            self.members.insert(0, member::name(name)?);
        }
        Ok(self)
    }

    fn block(&self, is_open: bool, left_out: Option<Html>) -> Block<'_> {
        Block {
            kind: shown(self.kind),
            sign: shown(self.sign),
            part: self,
            is_open,
            left_out,
        }
    }
}

/// Each difference by itself: modified tools, likely renames, new tools, tools that are gone,
/// instructions.
pub(super) fn parts(comparison: &Comparison) -> askama::Result<Vec<Part>> {
    (comparison.modified.iter().map(modified))
        .chain(comparison.renamed.iter().map(renamed))
        .chain(comparison.only_added().map(added))
        .chain(comparison.only_removed().map(removed))
        .chain(comparison.instructions.iter().map(instructions))
        .collect()
}

/// A pinned tool that differs, as far as names and descriptions tell.
pub(super) fn of_pin(change: &PinChange) -> askama::Result<Part> {
    let (kind, sign, name, what, members) = match change {
        PinChange::New(name, text) => ("new", "+", name, "new", member::description(text)?),
        PinChange::Gone(name, text) => ("gone", "−", name, "gone", member::description(text)?),
        PinChange::Changed(name, change) => {
            let members = match change.approved == change.current {
                true => Vec::new(),
                false => vec![member::text_change("description", change)?],
            };
            ("changed", "~", name, "changed", members)
        }
    };
    let part = Part {
        kind,
        sign,
        name: tool_name(name),
        what: shown(what),
        warnings: Vec::new(),
        members,
        notes: Vec::new(),
    };
    part.with_whole(&[name])
}

fn modified(tool: &Modified) -> askama::Result<Part> {
    let name = tool_name(&tool.name);
    let part = detailed(tool, name, "changed: ")?;
    part.with_whole(&[&tool.name])
}

fn renamed(pair: &Renamed) -> askama::Result<Part> {
    let names = [tool_name(&pair.from), shown(" → "), tool_name(&pair.to)];
    let what = about(pair.sameness);
    let part = detailed(&pair.detail, joined(names), "; changed: ")?;
    let what = match pair.detail.changes.is_empty() && pair.detail.untold.is_empty() {
        true => shown(what),
        false => joined([shown(what), part.what]),
    };
    Part { what, ..part }.with_whole(&[&pair.from, &pair.to])
}

/// What moved in a tool, and what else is to be known.
fn detailed(tool: &Modified, name: Html, before: &str) -> askama::Result<Part> {
    let mut members: Vec<Member> = tool
        .changes
        .iter()
        .map(member::moved)
        .collect::<askama::Result<_>>()?;
    members.extend(member::untold(tool)?);
    let fields = tool.changes.iter().map(|change| change.field);
    let fields: Vec<&str> = fields
        .chain(tool.untold.iter().copied())
        .map(Field::name)
        .collect();
    let note = |note: String| Message::new(note).in_page();
    Ok(Part {
        kind: "changed",
        sign: "~",
        name,
        what: shown(format!("{before}{}", fields.join(", "))),
        warnings: tool.changes.iter().flat_map(taken_back).collect(),
        members,
        notes: notes(tool).into_iter().map(note).collect(),
    })
}

/// The promises that a change takes back.
fn taken_back(change: &FieldChange) -> Vec<Html> {
    let places = match &change.change {
        Change::Text(_) => return Vec::new(),
        Change::Value(change) => change.places.iter(),
    };
    let named = places.flat_map(|place| &place.named);
    let named = named.filter(|named| Named::takes_back(named));
    named.map(|named| named.message().in_page()).collect()
}

fn added(tool: &Tool) -> askama::Result<Part> {
    let part = Part {
        kind: "new",
        sign: "+",
        name: tool_name(tool.name()),
        what: shown("new: nobody approved it"),
        warnings: Vec::new(),
        members: member::whole(tool)?,
        notes: Vec::new(),
    };
    part.with_whole(&[tool.name()])
}

fn removed(tool: &Removed) -> askama::Result<Part> {
    let part = Part {
        kind: "gone",
        sign: "−",
        name: tool_name(&tool.name),
        what: shown("gone: the server offers it no longer"),
        warnings: Vec::new(),
        members: member::gone(tool)?,
        notes: Vec::new(),
    };
    part.with_whole(&[&tool.name])
}

fn instructions(change: &TextChange) -> askama::Result<Part> {
    Ok(Part {
        kind: "changed",
        sign: "~",
        name: shown("server instructions"),
        what: shown("what the server tells a model before any tool"),
        warnings: Vec::new(),
        members: vec![member::text_change("instructions", change)?],
        notes: vec![Message::new(ONLY_EXTENDED).in_page()],
    })
}

fn tool_name(name: &Untrusted) -> Html {
    code(clipped(name, LONGEST_NAME))
}
