//! The order of member names: UTF-16 code units (RFC 8785 §3.2.3), compared as UTF-8.

use std::cmp::Ordering;

use super::read::Refusal;
use super::refusal::{ReadError, Reason};

/// Compares two names by their UTF-16 code units without encoding them.
///
/// UTF-8 bytes order by code point. That differs from UTF-16 only between U+E000..U+FFFF
/// (lead bytes EE, EF) and the astral planes (F0..F4, surrogates D800..DFFF in UTF-16).
pub(super) fn utf16(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes().iter(), b.as_bytes().iter());
    loop {
        match (a.next(), b.next()) {
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) if *x.min(y) >= 0xEE && (*x >= 0xF0) != (*y >= 0xF0) => {
                return y.cmp(x);
            }
            (x, y) => return x.cmp(&y),
        }
    }
}

/// A member of an object, however its value is read.
pub(super) trait Named {
    /// Its name, decoded.
    fn name(&self) -> &str;
    /// Byte offset of the name.
    fn at(&self) -> usize;
}

/// Puts members into canonical order, refuses two of one name, and says whether they
/// stood in another order.
pub(super) fn sort_unique(members: &mut [impl Named]) -> Result<bool, Refusal> {
    if members.is_sorted_by(|a, b| utf16(a.name(), b.name()) == Ordering::Less) {
        return Ok(false);
    }
    members.sort_unstable_by(|a, b| utf16(a.name(), b.name()));
    let twins = members.windows(2).find_map(|pair| match pair {
        [first, second] if first.name() == second.name() => Some(first.at().max(second.at())),
        _ => None,
    });
    match twins {
        None => Ok(true),
        Some(at) => Err(Refusal::new(ReadError {
            reason: Reason::DuplicateKey,
            at,
            detail: "a second member of the same name",
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_encoded_utf16() {
        let names = [
            "",
            "a",
            "aa",
            "b",
            "é",
            "\u{d7ff}",
            "\u{e000}",
            "\u{ffff}",
            "\u{10000}",
            "\u{10ffff}",
            "z\u{10000}",
            "z\u{e000}",
        ];
        for a in names {
            for b in names {
                assert_eq!(
                    utf16(a, b),
                    a.encode_utf16().cmp(b.encode_utf16()),
                    "{a:?} {b:?}"
                );
            }
        }
    }
}
