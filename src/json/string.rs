//! Strings: scanned eight bytes at a time, decoded only where they hold an escape.

use super::read::{Reader, Refusal};
use super::refusal::Reason;
use super::value::{Spelling, Text};

/// Reads the string whose opening quotation mark is next.
pub(super) fn read<'a>(reader: &mut Reader<'_, 'a>) -> Result<Text<'a>, Refusal> {
    reader.at += 1;
    let start = reader.at;
    reader.at += plain_length(reader.rest());
    if reader.take(b'"') {
        let plain = reader.text.get(start..reader.at - 1).unwrap_or_default();
        return Ok(Text(Spelling::Plain(plain)));
    }
    escaped(reader, start)
}

/// Decodes the string that began at `start`, from its first escape on.
fn escaped<'a>(reader: &mut Reader<'_, 'a>, start: usize) -> Result<Text<'a>, Refusal> {
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
    let (eights, tail) = bytes.as_chunks::<8>();
    for (index, eight) in eights.iter().enumerate() {
        let special = special_bytes(u64::from_le_bytes(*eight));
        if special != 0 {
            return index * 8 + special.trailing_zeros() as usize / 8;
        }
    }
    let plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | 0..0x20);
    eights.len() * 8 + tail.iter().take_while(plain).count()
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
fn escape(reader: &mut Reader<'_, '_>) -> Result<char, Refusal> {
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

fn unicode_escape(reader: &mut Reader<'_, '_>) -> Result<char, Refusal> {
    let Some(first) = code_unit(reader.rest()) else {
        let expected = "expected four hexadecimal digits after `\\u`";
        return Err(reader.refuse(Reason::Syntax, expected));
    };
    let second = reader.rest().get(6..).and_then(code_unit);
    let (code, length) = match (first, second) {
        (0xD800..0xDC00, Some(second @ 0xDC00..0xE000)) => {
            (0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), 12)
        }
        _ => (first, 6),
    };
    let Some(character) = char::from_u32(code) else {
        return Err(reader.refuse(Reason::LoneSurrogate, "half of a surrogate pair"));
    };
    reader.at += length;
    Ok(character)
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
