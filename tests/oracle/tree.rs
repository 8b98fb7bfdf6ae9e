//! Bytes → a JSON value and one of its many spellings.
//!
//! A [`Tape`] is a list of choices, so that one generator serves `proptest`, which shrinks
//! the bytes, and `libfuzzer`, which grows them. At its end a tape chooses the simplest.

use std::collections::HashSet;
use std::fmt::Write;

/// Choices to come.
pub(crate) struct Tape<'a>(pub(crate) &'a [u8]);

impl Tape<'_> {
    pub(crate) fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    fn u64(&mut self) -> u64 {
        (0..8).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }

    fn pick<'b>(&mut self, from: &[&'b str]) -> &'b str {
        from[self.below(from.len())]
    }
}

/// A JSON value; member names are unique, numbers are acceptable tokens.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

/// Texts that readers and writers have stumbled over.
const TEXTS: &[&str] = &[
    "",
    "a",
    "ID",
    "id",
    "9",
    "10",
    "4294967294",
    "$ref",
    "-1",
    "__proto__",
    "toJSON",
    "$serde_json::private::Number",
    "$serde_json::private::RawValue",
    "##[error]x",
    "\u{7f}\u{80}\u{9f}",
    "\u{2028}\u{200b}\u{202e}",
    "\u{e000}",
    "\u{ffff}",
    "\u{10000}",
    "\u{e0041}",
    "é",
    "e\u{301}",
    "\"\\/\u{8}\u{c}\n\r\t\0\u{1f}",
    "seven b\\",
    "eight by\n",
];

/// Numbers at the edges of what is kept.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "0.0e9",
    "1",
    "-1.50",
    "1E2",
    "999999999999999",
    "1000000000000000",
    "9007199254740991",
    "9007199254740993",
    "-9223372036854775808",
    "18446744073709551615",
    "100000000000000000000000",
    "1e21",
    "1e-6",
    "1e-7",
    "5e-324",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "0.1000000000000000056",
];

impl Tree {
    /// All the values that `tape` chooses, in one.
    pub(crate) fn of(tape: &[u8]) -> Tree {
        let mut tape = Tape(tape);
        let mut items = Vec::new();
        while !tape.0.is_empty() {
            items.push(Tree::make(&mut tape, 6));
        }
        Tree::Array(items)
    }

    /// The value that `tape` chooses, at most `levels` deep.
    fn make(tape: &mut Tape<'_>, levels: usize) -> Tree {
        match tape.below(if levels == 0 { 5 } else { 8 }) {
            0 => Tree::Null,
            1 => Tree::Bool(tape.below(2) == 1),
            2 => Tree::Number(number(tape)),
            3 | 4 => Tree::String(text(tape)),
            5 => Tree::Array(
                (0..tape.below(6))
                    .map(|_| Tree::make(tape, levels - 1))
                    .collect(),
            ),
            _ => {
                Tree::object((0..tape.below(8)).map(|_| (text(tape), Tree::make(tape, levels - 1))))
            }
        }
    }

    fn object(members: impl Iterator<Item = (String, Tree)>) -> Tree {
        let mut names = HashSet::new();
        Tree::Object(
            members
                .filter(|(name, _)| names.insert(name.clone()))
                .collect(),
        )
    }

    /// The shortest spelling.
    pub(crate) fn plain(&self) -> String {
        self.spelled(&mut Tape(&[]))
    }

    /// The spelling that `tape` chooses: white space, order of members, escapes, zeros.
    pub(crate) fn spelled(&self, tape: &mut Tape<'_>) -> String {
        let mut to = String::new();
        self.spell(tape, &mut to);
        to
    }

    fn spell(&self, tape: &mut Tape<'_>, to: &mut String) {
        space(tape, to);
        match self {
            Tree::Null => to.push_str("null"),
            Tree::Bool(flag) => to.push_str(if *flag { "true" } else { "false" }),
            Tree::Number(token) => spell_number(token, tape, to),
            Tree::String(text) => spell_text(text, tape, to),
            Tree::Array(items) => {
                let mut before = '[';
                for item in items {
                    to.push(std::mem::replace(&mut before, ','));
                    item.spell(tape, to);
                }
                to.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            Tree::Object(members) => spell_members(members, tape, to),
        }
        space(tape, to);
    }

    /// Changes one value somewhere inside: the one that `tape` chooses, as it chooses.
    pub(crate) fn change(&mut self, tape: &mut Tape<'_>) {
        match self {
            Tree::Array(items) if !items.is_empty() && tape.below(4) > 0 => {
                let at = tape.below(items.len());
                items[at].change(tape);
            }
            Tree::Object(members) if !members.is_empty() && tape.below(4) > 0 => {
                let at = tape.below(members.len());
                members[at].1.change(tape);
            }
            Tree::Null
            | Tree::Bool(_)
            | Tree::Number(_)
            | Tree::String(_)
            | Tree::Array(_)
            | Tree::Object(_) => self.change_here(tape),
        }
    }

    fn change_here(&mut self, tape: &mut Tape<'_>) {
        let grow = tape.below(2) == 0;
        match self {
            Tree::Null => *self = Tree::Array(Vec::new()),
            Tree::Bool(flag) => *flag = !*flag,
            Tree::Number(token) => *token = neighbour(token),
            Tree::String(text) if grow || text.is_empty() => text.push('\u{200b}'),
            Tree::String(text) => drop(text.pop()),
            Tree::Array(items) if grow || items.is_empty() => items.push(Tree::Null),
            Tree::Array(items) => drop(items.pop()),
            Tree::Object(members) if grow || members.is_empty() => {
                let longest = members.iter().map(|(name, _)| name.len()).max();
                members.push(("n".repeat(longest.unwrap_or(0) + 1), Tree::Null));
            }
            Tree::Object(members) => drop(members.pop()),
        }
    }
}

fn text(tape: &mut Tape<'_>) -> String {
    (0..tape.below(5))
        .map(|_| match tape.below(3) {
            0 => tape.pick(TEXTS).to_owned(),
            1 => char::from(b' ' + tape.byte() % 95).to_string(),
            _ => {
                let code = u32::from(tape.byte()) << 16 | u32::from(tape.byte()) << 8 | 0x7f;
                char::from_u32(code % 0x11_0000).map_or_else(String::new, String::from)
            }
        })
        .collect()
}

fn number(tape: &mut Tape<'_>) -> String {
    let double = match tape.below(4) {
        0 => return tape.pick(NUMBERS).to_owned(),
        1 => return (tape.u64() as i64).to_string(),
        2 => f64::from(tape.byte()) / 100.0,
        _ => f64::from_bits(tape.u64()),
    };
    if double.is_finite() {
        format!("{double:?}")
    } else {
        tape.u64().to_string()
    }
}

/// The next double, away from zero where there is one.
fn neighbour(token: &str) -> String {
    let double: f64 = token.parse().expect("an acceptable token");
    let next = if double == f64::MAX {
        double.next_down()
    } else {
        double.next_up()
    };
    format!("{next:?}")
}

fn space(tape: &mut Tape<'_>, to: &mut String) {
    to.push_str(tape.pick(&["", "", "", "", " ", "\n", "\r\n", "\t  "]));
}

fn spell_number(token: &str, tape: &mut Tape<'_>, to: &mut String) {
    to.push_str(token);
    let is_integer = !token.contains(['.', 'e', 'E']);
    match tape.below(4) {
        1 if is_integer => to.push_str(".0"),
        2 if is_integer => to.push_str("e0"),
        3 if !token.contains(['e', 'E']) => to.push_str("E+00"),
        _ => {}
    }
}

fn spell_members(members: &[(String, Tree)], tape: &mut Tape<'_>, to: &mut String) {
    let mut left: Vec<_> = members.iter().collect();
    let mut before = '{';
    while !left.is_empty() {
        let (name, value) = left.remove(tape.below(left.len()));
        to.push(std::mem::replace(&mut before, ','));
        space(tape, to);
        spell_text(name, tape, to);
        space(tape, to);
        to.push(':');
        value.spell(tape, to);
    }
    to.push_str(if members.is_empty() { "{}" } else { "}" });
}

fn spell_text(text: &str, tape: &mut Tape<'_>, to: &mut String) {
    to.push('"');
    for character in text.chars() {
        let short = match character {
            '"' | '\\' => Some(character),
            '/' if tape.below(2) == 1 => Some('/'),
            '\u{8}' => Some('b'),
            '\u{c}' => Some('f'),
            '\n' => Some('n'),
            '\r' => Some('r'),
            '\t' => Some('t'),
            _ => None,
        };
        match (short, tape.below(8)) {
            (_, 1) => spell_units(character, false, to),
            (_, 2) => spell_units(character, true, to),
            (Some(short), _) => to.extend(['\\', short]),
            (None, _) if character < ' ' => spell_units(character, false, to),
            (None, _) => to.push(character),
        }
    }
    to.push('"');
}

fn spell_units(character: char, upper: bool, to: &mut String) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        let written = if upper {
            write!(to, "\\u{unit:04X}")
        } else {
            write!(to, "\\u{unit:04x}")
        };
        written.expect("a String takes all");
    }
}
