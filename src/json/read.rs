//! bytes → [`Document`]: the strict reader.
//!
//! Obeys design §1. Refuses with a named reason and a byte offset; never guesses, never
//! drops, never fails in any other way.

use super::items::{ItemMember, Items};
use super::refusal::{Notice, NoticeKind, ReadError, Reason};
use super::value::{Document, Member, Number, Object, Text, Value};
use super::{number, order, string};

/// Deepest nesting of arrays and objects, counted from the root of the text.
pub const MAX_DEPTH: usize = 127;

/// Most values in one text.
pub const MAX_VALUES: usize = 2_000_000;

/// How much deeper than what arrived a document of ours may be that holds it.
const OWN_DEPTH: usize = MAX_DEPTH + 32;

/// Reads one JSON text strictly.
///
/// # Errors
/// [`ReadError`] names the reason (design §1) and the byte offset.
///
/// ```
/// use lockgate::json::{canonical, read, Reason};
/// let document = read(br#"{"b": 1.0, "a": "\u0041"}"#).unwrap();
/// assert_eq!(canonical(&document.root), r#"{"a":"A","b":1}"#);
/// assert_eq!(read(br#"{"a": 1, "\u0061": 2}"#).unwrap_err().reason, Reason::DuplicateKey);
/// ```
pub fn read(bytes: &[u8]) -> Result<Document<'_>, ReadError> {
    read_to_depth(bytes, MAX_DEPTH, None)
}

/// Reads a document that we wrote ourselves and that may enclose what arrived.
///
/// # Errors
/// As [`read`], with room for the levels we add around a value.
pub fn read_own(bytes: &[u8]) -> Result<Document<'_>, ReadError> {
    read_to_depth(bytes, OWN_DEPTH, None)
}

pub(super) fn read_to_depth<'a>(
    bytes: &'a [u8],
    max_depth: usize,
    items: Option<Items<'_, 'a>>,
) -> Result<Document<'a>, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| ReadError {
        reason: Reason::InvalidUtf8,
        at: error.valid_up_to(),
        detail: "bytes that are not UTF-8",
    })?;
    let mut reader = Reader {
        text,
        theirs: items,
        at: 0,
        depth: 0,
        values: 0,
        max_depth,
        notices: Vec::new(),
        items: Vec::new(),
        members: Vec::new(),
        decoded: String::new(),
        parts: Vec::new(),
        spare: String::new(),
    };
    reader.skip_byte_order_mark();
    reader.skip_space();
    let root = reader.value().map_err(|refusal| *refusal)?;
    reader.skip_space();
    if reader.at < text.len() {
        return Err(*reader.refuse(Reason::Syntax, "data after the end of the value"));
    }
    Ok(Document {
        root,
        notices: reader.notices,
    })
}

/// A [`ReadError`] on its way out: boxed, because every value read passes by it.
pub(super) type Refusal = Box<ReadError>;

pub(super) struct Reader<'t, 'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
    values: usize,
    max_depth: usize,
    pub(super) notices: Vec<Notice>,
    /// Items of all arrays that are open; an array takes its own when it closes, and so
    /// needs one allocation of its size. The same for members.
    items: Vec<Value<'a>>,
    members: Vec<Member<'a>>,
    /// Whose items are handed over, unless some are being read.
    theirs: Option<Items<'t, 'a>>,
    /// The string that is being decoded.
    pub(super) decoded: String,
    /// Members of all objects that are open and read into their canonical form at once.
    pub(super) parts: Vec<ItemMember<'a>>,
    /// Room to put the members of such an object in order.
    pub(super) spare: String,
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn value(&mut self) -> Result<Value<'a>, Refusal> {
        self.count()?;
        match self.peek() {
            Some(b'"') => Ok(Value::String(string::read(self)?)),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'-' | b'0'..=b'9') => Ok(Value::Number(self.number()?)),
            Some(_) | None => Ok(self.word()?.1),
        }
    }

    /// Counts one value more.
    pub(super) fn count(&mut self) -> Result<(), Refusal> {
        self.values += 1;
        if self.values > MAX_VALUES {
            let detail = "one value more than the 2,000,000 accepted";
            return Err(self.refuse(Reason::TooLarge, detail));
        }
        Ok(())
    }

    pub(super) fn nested<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if self.depth == self.max_depth {
            return Err(self.refuse(Reason::Depth, "nesting deeper than 127 levels"));
        }
        self.depth += 1;
        self.at += 1;
        self.skip_space();
        let value = inner(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Result<Value<'a>, Refusal> {
        let first = self.items.len();
        let mut theirs = self.theirs.take_if(|items| items.is_next);
        let mut forms = String::new();
        let mut ended = self.take(b']');
        while !ended {
            match &mut theirs {
                Some(items) => (items.take)(&self.item(&mut forms)?),
                None => {
                    let item = self.value()?;
                    self.items.push(item);
                }
            }
            ended = self.ends(b']', "expected `,` or `]`")?;
        }
        if let Some(items) = theirs {
            *items.arrays += 1;
            self.theirs = Some(items);
        }
        Ok(Value::Array(self.items.drain(first..).collect()))
    }

    fn object(&mut self) -> Result<Value<'a>, Refusal> {
        let first = self.members.len();
        let mut ended = self.take(b'}');
        while !ended {
            self.member()?;
            ended = self.ends(b'}', "expected `,` or `}`")?;
        }
        let mut members: Box<[_]> = self.members.drain(first..).collect();
        order::sort_unique(&mut members)?;
        Ok(Value::Object(Object(members)))
    }

    fn member(&mut self) -> Result<(), Refusal> {
        let at = self.at;
        let name = self.name()?;
        if let Some(items) = &mut self.theirs {
            items.is_next = self.depth <= 2 && name.as_str() == items.name;
        }
        let value = self.value()?;
        self.members.push(Member { name, at, value });
        Ok(())
    }

    /// Reads a member's name and the colon after it.
    pub(super) fn name(&mut self) -> Result<Text<'a>, Refusal> {
        if self.peek() != Some(b'"') {
            return Err(self.refuse(Reason::Syntax, "expected a member name in quotation marks"));
        }
        let name = string::read(self)?;
        self.skip_space();
        self.demand(b':', "expected `:` after a member name")?;
        self.skip_space();
        Ok(name)
    }

    pub(super) fn number(&mut self) -> Result<Number<'a>, Refusal> {
        let at = self.at;
        let (number, rounded) = number::read(self)?;
        if rounded {
            let kind = NoticeKind::NumberRounded;
            self.notices.push(Notice { kind, at });
        }
        Ok(number)
    }

    /// Reads one of the three words that are values.
    pub(super) fn word(&mut self) -> Result<(&'static str, Value<'a>), Refusal> {
        let words = [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
        ];
        for (word, value) in words {
            if self.rest().starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok((word, value));
            }
        }
        let expected = match self.peek() {
            Some(_) => "expected a value",
            None => "the text ends where a value is expected",
        };
        Err(self.refuse(Reason::Syntax, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: impl AsRef<[u8]>, reason: Reason, at: usize) {
        let text = text.as_ref();
        let found = read(text).map_err(|error| (error.reason, error.at));
        assert_eq!(found, Err((reason, at)), "{}", text.escape_ascii());
    }

    #[test]
    fn syntax_is_refused_where_it_ends() {
        for (text, at) in [
            ("", 0),
            ("\u{feff}", 3),
            (" nul", 1),
            ("[1,]", 3),
            ("[1 2]", 3),
            ("{a:1}", 1),
            ("{\"a\" 1}", 5),
            ("{\"a\":1,}", 7),
            ("{\"a\":1", 6),
            ("1 1", 2),
            ("-", 1),
            ("01", 1),
            ("1.", 2),
            ("1e+", 3),
            ("\"a", 2),
            ("\"a\n\"", 2),
            ("\"\\x\"", 1),
            ("\"a\\u12g4\"", 2),
            ("\u{c}1", 0),
        ] {
            check(text, Reason::Syntax, at);
        }
    }

    #[test]
    fn other_reasons_are_told_where_they_stand() {
        check(b"\"\xff\"", Reason::InvalidUtf8, 1);
        check(b"[\"\xed\xa0\x80\"]", Reason::InvalidUtf8, 2);
        check(r#"{"a":1,"b":2,"\u0061":3}"#, Reason::DuplicateKey, 13);
        check(r#"[{"":{"x":1,"x":1}}]"#, Reason::DuplicateKey, 12);
        check(r#""\ud83d""#, Reason::LoneSurrogate, 1);
        check(r#""é\ude00\ud83d""#, Reason::LoneSurrogate, 3);
        check(r#""\ud83d\u0041""#, Reason::LoneSurrogate, 1);
        check("[0, -1e400]", Reason::NumberOverflow, 4);
        check("[1e-400]", Reason::NumberUnderflow, 1);
        check("[0.123456789012345678901]", Reason::NumberNotPreserved, 1);
    }

    #[test]
    fn there_is_an_end_to_levels_and_values() {
        let nested = |levels| ["[".repeat(levels), "]".repeat(levels)].concat();
        assert!(read(nested(MAX_DEPTH).as_bytes()).is_ok());
        check(nested(MAX_DEPTH + 1), Reason::Depth, MAX_DEPTH);
        assert!(read_own(nested(MAX_DEPTH + 1).as_bytes()).is_ok());
        let zeros = |count| format!("[{}0]", "0,".repeat(count - 1));
        assert!(read(zeros(MAX_VALUES - 1).as_bytes()).is_ok());
        check(zeros(MAX_VALUES), Reason::TooLarge, 2 * MAX_VALUES - 1);
    }
}
