//! bytes → the items of one long array, each handed over and freed as it is read.
//!
//! A listing is nothing but one long array: held whole it takes many times its size.

use super::order::Named;
use super::read::{MAX_DEPTH, read_to_depth};
use super::value::Text;
use super::{Document, ReadError};

/// Reads as [`read`], and hands each item of a long array to `take` as soon as it is read,
/// so that only one of them is held at a time. These are the items of the root array, and
/// of arrays that are the member `name` of the root or of an object in it; they are left
/// empty in the document. Says also of how many arrays there were any: of more than one,
/// and nobody can tell whose they are.
///
/// # Errors
/// As [`read`]; what was handed over by then is worth nothing.
pub fn read_items<'a>(
    bytes: &'a [u8],
    name: &'static str,
    take: &mut dyn FnMut(&Item<'_, 'a>),
) -> Result<(Document<'a>, usize), ReadError> {
    let mut arrays = 0;
    let items = Items {
        name,
        take,
        is_next: true,
        arrays: &mut arrays,
    };
    let document = read_to_depth(bytes, MAX_DEPTH, Some(items))?;
    Ok((document, arrays))
}

/// The items that are handed over while the text is read.
pub(super) struct Items<'t, 'a> {
    pub(super) name: &'static str,
    pub(super) take: &'t mut dyn FnMut(&Item<'_, 'a>),
    /// Is the value that is read next an array whose items these are?
    pub(super) is_next: bool,
    /// How many such arrays there were.
    pub(super) arrays: &'t mut usize,
}

/// One item, its members in canonical form.
#[derive(Debug)]
pub enum Item<'f, 'a> {
    /// An object: its members in canonical order, names unique, and the text that their
    /// forms stand in.
    Object {
        /// The members.
        members: Vec<ItemMember<'a>>,
        /// The text.
        forms: &'f str,
    },
    /// Something else; what a message calls it.
    Other(&'static str),
}

/// A member of an item, and where its canonical form stands.
#[derive(Debug)]
pub struct ItemMember<'a> {
    pub(super) name: Text<'a>,
    pub(super) at: usize,
    pub(super) start: usize,
    pub(super) value: usize,
    pub(super) end: usize,
}

impl ItemMember<'_> {
    /// The member's name, decoded.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The canonical form of its value, out of the forms of its item.
    pub fn form<'f>(&self, forms: &'f str) -> &'f str {
        forms.get(self.value..self.end).unwrap_or_default()
    }
}

impl Named for ItemMember<'_> {
    fn name(&self) -> &str {
        self.name.as_str()
    }

    fn at(&self) -> usize {
        self.at
    }
}
