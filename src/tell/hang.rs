//! Text → the same text, its long lines broken under their own indent.
//!
//! A terminal breaks a long line at its margin, where only rows of ours begin: a
//! description of the right length would end in a row that looks like a verdict.

use unicode_width::UnicodeWidthChar;

/// How much deeper a line goes on than it began.
const DEEPER: usize = 2;

/// Breaks every line of `text` that is wider than `width` columns, at a space if there is
/// one. Colours are kept and take no room.
pub fn hang(text: &str, width: usize) -> String {
    let mut hung = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        hang_line(line, width, &mut hung);
    }
    hung
}

fn hang_line(line: &str, width: usize, to: &mut String) {
    let indent = line.bytes().take_while(|byte| *byte == b' ').count();
    let under = (indent + DEEPER).min(width / 2);
    let mut column = 0;
    for word in line.split_inclusive(' ') {
        let fits = column + columns(word.trim_end()) <= width;
        if !fits && column > under && columns(word) <= width - under {
            column = break_line(under, to);
        }
        for piece in pieces(word) {
            if column + columns(piece) > width && !piece.trim().is_empty() {
                column = break_line(under, to);
            }
            to.push_str(piece);
            column += columns(piece);
        }
    }
}

fn break_line(under: usize, to: &mut String) -> usize {
    to.push('\n');
    to.extend(std::iter::repeat_n(' ', under));
    under
}

/// The columns a text takes, colours left out.
fn columns(text: &str) -> usize {
    pieces(text)
        .filter(|piece| !piece.starts_with('\x1b'))
        .flat_map(str::chars)
        .filter_map(UnicodeWidthChar::width)
        .sum()
}

/// The characters of a text, each colour (`ESC [ … m`) as one piece.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = match first {
            '\x1b' => rest.find('m').map_or(rest.len(), |end| end + 1),
            _ => first.len_utf8(),
        };
        let (piece, left) = rest.split_at(length);
        rest = left;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, width: usize, expect: &str) {
        assert_eq!(hang(text, width), expect, "{text:?}");
    }

    #[test]
    fn rows() {
        check("short\n", 10, "short\n");
        check("", 10, "");
        check("  one two three four\n", 14, "  one two \n    three four\n");
        check(
            "  abcdefghijklmnop\n",
            10,
            "  abcdefgh\n    ijklmn\n    op\n",
        );
        check("  世界世界\n", 8, "  世界世\n    界\n");
        check("\u{1b}[1mone\u{1b}[0m two", 7, "\u{1b}[1mone\u{1b}[0m two");
        check("a b\nc d", 1, "a \nb\nc \nd");
    }

    #[test]
    fn nothing_from_the_middle_of_a_line_comes_to_the_margin() {
        for width in 20..90 {
            let hung = hang(
                &format!("    {}✓ unchanged  x.json", "word ".repeat(12)),
                width,
            );
            assert!(hung.lines().all(|line| line.starts_with("    ")), "{hung}");
        }
    }
}
