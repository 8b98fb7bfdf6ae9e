//! Texts made at random → the reader and the writer, held against `serde_json`,
//! `serde_json_canonicalizer`, `ryu-js` and what must always hold.
//!
//! `PROPTEST_CASES` sets how many of each are tried. The fuzz targets ask the same.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a property that does not hold fails the test"
)]

mod oracle;

use lockgate::json::{self, Value, canonical, print, print_line, read, read_own};
use lockgate::visible::is_unseen;
use oracle::check_text;
use oracle::tree::{Tape, Tree};
use proptest::collection::vec;
use proptest::prelude::*;

/// Parts that make a text that is nearly JSON.
const PARTS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\"",
    "\"a\"",
    "\"\\u0061\"",
    "\\",
    "\\u",
    "\\ud83d",
    "\\ude00",
    "0",
    "-",
    "1",
    ".5",
    "e",
    "E+3",
    "e-400",
    "123456789012345678901",
    "true",
    "nul",
    "l",
    "false",
    "\u{feff}",
    "é",
    "\u{1f600}",
    "\n",
    "\0",
];

/// Bytes that change what a text means where they are put.
const EDITS: &[u8] = b"\"\\{}[],:0e.-u/ \n\0\x1f\x7f\x80\xbf\xc0\xe2\xed\xf0\xff";

fn tape() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..400)
}

/// The canonical form of a text that must be acceptable.
fn form(text: &str) -> String {
    match read(text.as_bytes()) {
        Ok(document) => canonical(&document.root),
        Err(error) => panic!("{error}: {text}"),
    }
}

/// Replaces, inserts or removes a byte, or cuts or doubles what follows it.
fn edit(text: &mut Vec<u8>, tape: &mut Tape<'_>) {
    let at = (tape.below(256) << 8 | tape.below(256)) % (text.len() + 1);
    let byte = match tape.below(3) {
        0 => tape.byte(),
        _ => EDITS[tape.below(EDITS.len())],
    };
    match tape.below(5) {
        0 => text.insert(at, byte),
        1 => text.truncate(at),
        2 => text.extend_from_within(at..),
        3 if at < text.len() => text[at] = byte,
        _ if at < text.len() => drop(text.remove(at)),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_are_judged_as_by_the_oracle(bytes in vec(any::<u8>(), 0..64)) {
        check_text(&bytes);
    }

    #[test]
    fn nearly_json_is_judged_as_by_the_oracle(parts in vec(prop::sample::select(PARTS), 0..24)) {
        check_text(parts.concat().as_bytes());
    }

    #[test]
    fn damaged_json_is_judged_as_by_the_oracle(value in tape(), spelling in tape(), edits in vec(any::<[u8; 6]>(), 1..6)) {
        let mut text = Tree::of(&value).spelled(&mut Tape(&spelling)).into_bytes();
        for choices in edits {
            edit(&mut text, &mut Tape(&choices));
            check_text(&text);
        }
    }

    #[test]
    fn a_spelling_is_not_a_meaning(value in tape(), spelling in tape()) {
        let spelled = Tree::of(&value).spelled(&mut Tape(&spelling));
        check_text(spelled.as_bytes());
        prop_assert_eq!(form(&spelled), form(&Tree::of(&value).plain()), "{}", spelled);
    }

    #[test]
    fn any_one_change_is_a_change(value in tape(), change in tape()) {
        let mut changed = Tree::of(&value);
        changed.change(&mut Tape(&change));
        prop_assert_ne!(form(&changed.plain()), form(&Tree::of(&value).plain()));
    }

    #[test]
    fn what_is_printed_reads_back_and_hides_nothing(value in tape(), spelling in tape()) {
        let text = Tree::of(&value).spelled(&mut Tape(&spelling));
        let document = read(text.as_bytes()).expect("a tree is JSON");
        let lines = print(&document.root);
        prop_assert!(lines.ends_with('\n'));
        for printed in [print_line(&document.root), lines.replace('\n', "")] {
            prop_assert!(!printed.contains(is_unseen), "{}", printed);
            prop_assert!(!printed.contains("##["), "{}", printed);
        }
        for printed in [print_line(&document.root), lines] {
            let again = read_own(printed.as_bytes()).expect("what is printed is JSON");
            prop_assert_eq!(canonical(&again.root), canonical(&document.root));
        }
    }
}

#[test]
fn magic_keys_are_members_like_any_other() {
    for name in ["Number", "RawValue"] {
        for value in ["\"1.5\"", "\"{\\\"a\\\":1}\"", "1.5", "null"] {
            let text = format!("{{\"$serde_json::private::{name}\":{value}}}");
            let document = read(text.as_bytes()).expect("an object");
            assert!(matches!(document.root, Value::Object(_)), "{text}");
            assert_eq!(canonical(&document.root), text);
            assert_eq!(print_line(&document.root), text);
            let nested = format!("[{text}]");
            assert_eq!(json::canonical_of(&document.root).as_ref(), Ok(&text));
            assert_eq!(form(&nested), nested);
        }
    }
}

/// Doubles by their bits, with what RFC 8785 (appendix B) says they are.
const DOUBLES: &[(u64, &str)] = &[
    (0x0000_0000_0000_0000, "0"),
    (0x8000_0000_0000_0000, "0"),
    (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"),
    (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
    (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
    (0x4340_0000_0000_0000, "9007199254740992"),
    (0xc340_0000_0000_0000, "-9007199254740992"),
    (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
    (0x44b5_2d02_c7e1_4af6, "1e+23"),
    (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
    (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
    (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
    (0x444b_1ae4_d6e2_ef50, "1e+21"),
    (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
    (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
    (0x41b3_de43_5555_5553, "333333333.3333332"),
    (0x41b3_de43_5555_5554, "333333333.33333325"),
    (0x41b3_de43_5555_5555, "333333333.3333333"),
    (0x41b3_de43_5555_5556, "333333333.3333334"),
    (0x41b3_de43_5555_5557, "333333333.33333343"),
    (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
    (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
];

#[test]
fn doubles_are_written_as_ecmascript_writes_them() {
    for (bits, expect) in DOUBLES {
        check_double(f64::from_bits(*bits), expect);
    }
    let powers = (1..2047).map(|exponent| f64::from_bits(exponent << 52));
    for double in doubles().take(120_000).chain(powers) {
        check_double(double, ryu_js::Buffer::new().format_finite(double));
    }
}

/// Reads the double in three spellings; each must be written as `expect`, which must be
/// what ECMAScript says and read back to the same bits.
fn check_double(double: f64, expect: &str) {
    for token in [
        format!("{double:?}"),
        format!("{double:E}"),
        format!("{double:.16e}"),
    ] {
        assert_eq!(form(&token), expect, "{token}");
    }
    assert_eq!(expect, ecmascript(double));
    let again: f64 = expect.parse().expect("a number");
    assert_eq!(again.to_bits(), (double + 0.0).to_bits(), "{expect}");
}

/// `Number::toString` of ECMAScript, laid out from the standard library's digits: as many
/// as its shortest form has, and the nearest ones that are read back (`{:e}` does not
/// break ties to even).
fn ecmascript(double: f64) -> String {
    let shortest = format!("{:e}", double.abs());
    let (digits, _) = shortest.split_once('e').expect("an exponent");
    let nearest = format!("{:.*e}", digits.len().saturating_sub(2), double.abs());
    let is_read_back = nearest.parse() == Ok(double.abs());
    let scientific = if is_read_back { nearest } else { shortest };
    let (mantissa, exponent) = scientific.split_once('e').expect("an exponent");
    let digits = mantissa.replace('.', "");
    let exponent: i32 = exponent.parse().expect("a small exponent");
    let (point, count) = (exponent + 1, digits.len() as i32);
    let zeros = |count: i32| "0".repeat(count.unsigned_abs() as usize);
    let sign = if double < 0.0 { "-" } else { "" };
    let unsigned = match point {
        _ if count <= point && point <= 21 => digits + &zeros(point - count),
        1..=21 => {
            let (whole, fraction) = digits.split_at(point as usize);
            format!("{whole}.{fraction}")
        }
        -5..=0 => format!("0.{}{digits}", zeros(point)),
        _ => format!("{mantissa}e{exponent:+}"),
    };
    format!("{sign}{unsigned}")
}

/// Finite doubles of all magnitudes, and as many of everyday size: always the same ones.
fn doubles() -> impl Iterator<Item = f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let bits = std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    });
    bits.flat_map(|bits| {
        [
            f64::from_bits(bits),
            (bits as i64 as f64) / 1e15,
            (bits >> 40) as f64 / 100.0,
        ]
    })
    .filter(|double| double.is_finite())
}
