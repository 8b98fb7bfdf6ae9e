//! Document of ours → JSON text for people: two-space indent, nothing hidden in it.
//!
//! Characters that a person cannot see leave as escapes, so that a hidden order shows in
//! a committed file, a review and a log; `##[` is broken, because a runner obeys it
//! anywhere in a line. The value read back is the same.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::visible::is_unseen;

/// Prints `document` with two-space indent and a final newline.
pub fn print(document: &impl Serialize) -> String {
    let mut text = written(document, Spelled(PrettyFormatter::new()));
    text.push('\n');
    text
}

/// Prints `document` on one line, without a newline.
pub fn print_line(document: &impl Serialize) -> String {
    written(document, Spelled(CompactFormatter))
}

fn written(document: &impl Serialize, formatter: impl Formatter) -> String {
    let mut bytes = Vec::new();
    let outcome = document.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
    debug_assert!(
        outcome.is_ok(),
        "documents of ours have string keys: {outcome:?}"
    );
    String::from_utf8(bytes).unwrap_or_default()
}

/// A formatter that spells out what cannot be seen, over one that lays out.
struct Spelled<F>(F);

/// Hands the calls that lay out to the inner formatter.
macro_rules! lay_out {
    ($($call:ident($($flag:ident)?)),* $(,)?) => {
        $(fn $call<W: ?Sized + Write>(&mut self, to: &mut W $(, $flag: bool)?) -> io::Result<()> {
            self.0.$call(to $(, $flag)?)
        })*
    };
}

impl<F: Formatter> Formatter for Spelled<F> {
    lay_out!(
        begin_array(),
        end_array(),
        begin_array_value(first),
        end_array_value(),
        begin_object(),
        end_object(),
        begin_object_key(first),
        end_object_key(),
        begin_object_value(),
        end_object_value(),
    );

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        to: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut start = 0;
        for (at, character) in fragment.char_indices() {
            let obeyed = character == '#'
                && fragment
                    .get(at..)
                    .is_some_and(|rest| rest.starts_with("##["));
            if obeyed || is_unseen(character) {
                to.write_all(fragment.get(start..at).unwrap_or_default().as_bytes())?;
                write_escape(to, character)?;
                start = at + character.len_utf8();
            }
        }
        to.write_all(fragment.get(start..).unwrap_or_default().as_bytes())
    }
}

fn write_escape<W: ?Sized + Write>(to: &mut W, character: char) -> io::Result<()> {
    character
        .encode_utf16(&mut [0; 2])
        .iter()
        .try_for_each(|unit| write!(to, "\\u{unit:04x}"))
}
