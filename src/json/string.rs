//! Strings: scanned eight bytes at a time, decoded only where they hold an escape.

use super::read::Reader;
use super::refusal::{ReadError, Reason};
use super::value::{Spelling, Text};

/// Reads the string whose opening quotation mark is next.
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<Text<'a>, ReadError> {
    reader.at += 1;
    let start = reader.at;
    reader.at += plain_length(reader.rest());
    if reader.take(b'"') {
        let plain = reader.text.get(start..reader.at - 1).unwrap_or_default();
        return Ok(Text(Spelling::Plain(plain)));
    }
    reader.decoded.clear();
    reader
        .decoded
        .push_str(reader.text.get(start..reader.at).unwrap_or_default());
    loop {
        match reader.peek() {
            Some(b'"') => {
                reader.at += 1;
                return Ok(Text(Spelling::Escaped(reader.decoded.as_str().into())));
            }
            Some(b'\\') => {
                let character = escape(reader)?;
                reader.decoded.push(character);
            }
            Some(0..0x20) => {
                return Err(reader.refuse(Reason::Syntax, "a control character inside a string"));
            }
            Some(_) => {
                let start = reader.at;
                reader.at += plain_length(reader.rest());
                let plain = reader.text.get(start..reader.at).unwrap_or_default();
                reader.decoded.push_str(plain);
            }
            None => return Err(reader.refuse(Reason::Syntax, "the text ends inside a string")),
        }
    }
}

/// How many bytes precede the first quotation mark, backslash or control character.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(Ok(eight)) = bytes.get(at..at + 8).map(<[u8; 8]>::try_from) {
        let special = special_bytes(u64::from_le_bytes(eight));
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let tail = bytes.get(at..).unwrap_or_default();
    at + tail
        .iter()
        .take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20))
        .count()
}

/// Sets the high bit of each byte that ends a plain run. Borrows may set bits above the
/// first such byte, never below it, so the lowest set bit is exact.
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let zero = |w: u64| w.wrapping_sub(ONES) & !w;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (zero(quote) | zero(backslash) | control) & HIGH
}

/// Decodes the escape whose backslash is next.
fn escape(reader: &mut Reader<'_>) -> Result<char, ReadError> {
    let simple = match reader.rest().get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(reader),
        Some(_) | None => {
            return Err(reader.refuse(Reason::Syntax, "an escape that JSON does not have"));
        }
    };
    reader.at += 2;
    Ok(simple)
}

fn unicode_escape(reader: &mut Reader<'_>) -> Result<char, ReadError> {
    let bad = reader.refuse(
        Reason::Syntax,
        "expected four hexadecimal digits after `\\u`",
    );
    let lone = reader.refuse(Reason::LoneSurrogate, "half of a surrogate pair");
    let first = code_unit(reader.rest()).ok_or(bad)?;
    if !(0xD800..0xE000).contains(&first) {
        reader.at += 6;
        return char::from_u32(first).ok_or(lone);
    }
    let second = reader.rest().get(6..).and_then(code_unit).ok_or(lone)?;
    if first >= 0xDC00 || !(0xDC00..0xE000).contains(&second) {
        return Err(lone);
    }
    reader.at += 12;
    char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)).ok_or(lone)
}

/// The UTF-16 code unit that `\uXXXX` at the start of `bytes` spells.
fn code_unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(..6)? else {
        return None;
    };
    digits.iter().try_fold(0, |unit, digit| {
        Some(unit << 4 | char::from(*digit).to_digit(16)?)
    })
}
