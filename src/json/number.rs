//! Numbers: the token is kept; the canonical form is ECMAScript's (RFC 8785 §3.2.2.3).
//!
//! The one place that decides what happens to a number a double cannot hold (design §1
//! and §11: should the service turn out to hash integers exactly, only this file changes).

use super::read::{Reader, Refusal};
use super::refusal::{ReadError, Reason};
use super::value::Number;

/// Most significant digits a number may have that the canonical form changes.
const MAX_CHANGED_DIGITS: usize = 20;

/// Every decimal of so many digits survives the way through a double.
const SAFE_DIGITS: usize = 15;

/// Every integer up to this one is a double.
const SAFE_INTEGER: u64 = 1 << 53;

/// Reads the number that is next, and says whether its canonical form is rounded.
pub(super) fn read<'a>(reader: &mut Reader<'_, 'a>) -> Result<(Number<'a>, bool), Refusal> {
    let start = reader.at;
    scan(reader)?;
    let number = Number(reader.text.get(start..reader.at).unwrap_or_default());
    if is_safe_integer(number.0) || is_safe_decimal(number.0) {
        return Ok((number, false));
    }
    let refuse = |reason, detail| {
        Err(Refusal::new(ReadError {
            reason,
            at: start,
            detail,
        }))
    };
    let exact = Decimal::of(number.0);
    let double = double(number);
    if double.is_infinite() {
        return refuse(Reason::NumberOverflow, "a number too large for a double");
    }
    if double == 0.0 && !exact.digits.is_empty() {
        return refuse(
            Reason::NumberUnderflow,
            "a number that a double would make zero",
        );
    }
    let rounded = exact != Decimal::of(ryu_js::Buffer::new().format_finite(double));
    if rounded && exact.digits.len() > MAX_CHANGED_DIGITS {
        return refuse(
            Reason::NumberNotPreserved,
            "a number of more digits than the canonical form keeps",
        );
    }
    Ok((number, rounded))
}

/// Appends the canonical form of `number`.
pub(super) fn write_canonical(number: Number<'_>, to: &mut String) {
    match number.0 {
        "-0" => to.push('0'),
        token if is_safe_integer(token) => to.push_str(token),
        _ => to.push_str(ryu_js::Buffer::new().format(double(number))),
    }
}

/// The nearest double; the standard library's parser is correctly rounded.
pub(super) fn double(number: Number<'_>) -> f64 {
    number.0.parse().unwrap_or(f64::NAN)
}

/// Advances over one number of RFC 8259 §6.
fn scan(reader: &mut Reader<'_, '_>) -> Result<(), Refusal> {
    reader.take(b'-');
    if !reader.take(b'0') {
        digits(reader, "expected a digit")?;
    } else if let Some(b'0'..=b'9') = reader.peek() {
        return Err(reader.refuse(Reason::Syntax, "a digit after a leading zero"));
    }
    if reader.take(b'.') {
        digits(reader, "expected a digit after the decimal point")?;
    }
    if reader.take(b'e') || reader.take(b'E') {
        let _sign = reader.take(b'+') || reader.take(b'-');
        digits(reader, "expected a digit in the exponent")?;
    }
    Ok(())
}

fn digits(reader: &mut Reader<'_, '_>, expected: &'static str) -> Result<(), Refusal> {
    let count = reader
        .rest()
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if count == 0 {
        return Err(reader.refuse(Reason::Syntax, expected));
    }
    reader.at += count;
    Ok(())
}

/// Is the token a plain integer that every double-based reader keeps and writes as it is?
fn is_safe_integer(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token);
    match digits.len() {
        0..=SAFE_DIGITS => digits.bytes().all(|byte| byte.is_ascii_digit()),
        _ => digits
            .parse()
            .is_ok_and(|integer: u64| integer <= SAFE_INTEGER),
    }
}

/// Is the token a decimal without exponent, of so few digits that a double keeps them all?
fn is_safe_decimal(token: &str) -> bool {
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    digits <= SAFE_DIGITS && !token.contains(['e', 'E'])
}

/// The exact value of a number token: `±0.digits × 10^exponent`, digits without leading
/// or trailing zeros. Zero has no digits, and no sign: JSON readers do not tell `-0` apart.
#[derive(PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    fn of(token: &str) -> Self {
        let negative = token.starts_with('-');
        let (mantissa, exponent) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = whole
            .trim_start_matches('-')
            .bytes()
            .chain(fraction.bytes());
        let mut digits: Vec<u8> = all.skip_while(|digit| *digit == b'0').collect();
        let whole_digits = whole.trim_start_matches(['-', '0']).len();
        let leading_zeros = fraction.len() - fraction.trim_start_matches('0').len();
        let point = if whole_digits > 0 {
            whole_digits as i64
        } else {
            -(leading_zeros as i64)
        };
        digits.truncate(
            digits
                .iter()
                .rposition(|digit| *digit != b'0')
                .map_or(0, |last| last + 1),
        );
        if digits.is_empty() {
            return Decimal {
                negative: false,
                digits,
                exponent: 0,
            };
        }
        // An exponent beyond i64 is beyond every double, and refused before it is compared.
        let exponent = exponent
            .trim_start_matches('+')
            .parse::<i64>()
            .unwrap_or(i64::MAX / 2);
        Decimal {
            negative,
            digits,
            exponent: exponent.saturating_add(point),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NoticeKind, canonical, read};
    use super::*;

    fn check(token: &str, expect: Result<(&str, bool), Reason>) {
        let document = read(token.as_bytes());
        let found = document
            .as_ref()
            .map_err(|error| error.reason)
            .map(|document| {
                let rounded = document
                    .notices
                    .iter()
                    .any(|n| n.kind == NoticeKind::NumberRounded);
                (canonical(&document.root), rounded)
            });
        assert_eq!(
            found,
            expect.map(|(text, rounded)| (text.to_owned(), rounded)),
            "{token}"
        );
    }

    #[test]
    fn rows() {
        check("0", Ok(("0", false)));
        check("-0", Ok(("0", false)));
        check("-0.0e9", Ok(("0", false)));
        check("1.0", Ok(("1", false)));
        check("1E2", Ok(("100", false)));
        check("0.00003", Ok(("0.00003", false)));
        check("1e-7", Ok(("1e-7", false)));
        check("1e21", Ok(("1e+21", false)));
        check("100000000000000000000000", Ok(("1e+23", false)));
        check("999999999999999", Ok(("999999999999999", false)));
        check("9007199254740993", Ok(("9007199254740992", true)));
        check("9223372036854775807", Ok(("9223372036854776000", true)));
        check("12345678901234567890123", Err(Reason::NumberNotPreserved));
        check("1e400", Err(Reason::NumberOverflow));
        check("1e99999999999999999999", Err(Reason::NumberOverflow));
        check("1e-400", Err(Reason::NumberUnderflow));
        check("0e99999999999999999999", Ok(("0", false)));
        check("5e-324", Ok(("5e-324", false)));
    }
}
