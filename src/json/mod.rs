//! bytes → [`Document`] → canonical form: JSON read without loss and written in one way.
//!
//! Obeys RFC 8259 for reading, RFC 8785 (JCS) for the canonical form, and design §1 for
//! what is refused. Nothing hostile ever passes through `serde_json::Value`, in which
//! duplicate members vanish and numbers are reprinted: [`read`] is the only way in.
//! `serde_json` writes what *we* say ([`print()`]).
#![deny(clippy::indexing_slicing)]

mod canonical;
mod form;
mod items;
mod lines;
mod number;
mod order;
mod print;
mod read;
mod refusal;
mod steps;
mod string;
mod value;

pub use canonical::{
    canonical, canonical_of, canonical_without, write_canonical, write_canonical_text,
};
pub use items::{Item, ItemMember, read_items};
pub use lines::Lines;
pub use print::{print, print_line};
pub use read::{MAX_DEPTH, MAX_VALUES, read, read_own};
pub use refusal::{Notice, NoticeKind, ReadError, Reason};
pub use value::{Document, Member, Number, Object, Text, Value};
