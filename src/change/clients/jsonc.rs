//! JSON with comments and trailing commas → plain JSON of the same length.
//!
//! What is taken out becomes spaces, so that every offset and line still holds.

/// The bytes without comments and trailing commas, and without a leading BOM.
pub(super) fn plain(bytes: &[u8]) -> Vec<u8> {
    let mut plain = without_comments(bytes);
    if plain.starts_with(b"\xef\xbb\xbf") {
        blank(&mut plain, 0, 3);
    }
    blank_trailing_commas(&mut plain);
    plain
}

fn without_comments(bytes: &[u8]) -> Vec<u8> {
    let mut plain = bytes.to_vec();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let end = match rest {
            [b'"', ..] => {
                at += string_length(rest);
                continue;
            }
            [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n'),
            [b'/', b'*', ..] => {
                let closed = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                closed.map(|length| length + 4)
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let length = end.unwrap_or(rest.len());
        blank(&mut plain, at, length);
        at += length;
    }
    plain
}

fn blank_trailing_commas(bytes: &mut [u8]) {
    let mut at = 0;
    let mut comma = None;
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'"' => {
                at += bytes.get(at..).map_or(1, string_length);
                comma = None;
                continue;
            }
            b',' => comma = Some(at),
            b'}' | b']' => {
                if let Some(place) = comma.take() {
                    blank(bytes, place, 1);
                }
            }
            _ if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at += 1;
    }
}

/// The length of the string that `rest` begins with, quotation marks included.
fn string_length(rest: &[u8]) -> usize {
    let mut length = 1;
    while let Some(byte) = rest.get(length) {
        match byte {
            b'\\' => length += 2,
            b'"' => return length + 1,
            _ => length += 1,
        }
    }
    rest.len()
}

fn blank(bytes: &mut [u8], at: usize, length: usize) {
    let part = bytes.iter_mut().skip(at).take(length);
    part.filter(|byte| **byte != b'\n')
        .for_each(|byte| *byte = b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        for (from, to) in [
            (r#"{"a": "//x", "b": 1}"#, r#"{"a": "//x", "b": 1}"#),
            ("{} // x\n", "{}     \n"),
            ("{/* a\nb */}", "{    \n    }"),
            ("[1, 2, ]", "[1, 2  ]"),
            (r#"{"a\",": 1,}"#, r#"{"a\",": 1 }"#),
            ("[1,,]", "[1, ]"),
            ("/*", "  "),
            ("[1 /* , */ ,]", "[1          ]"),
        ] {
            assert_eq!(
                String::from_utf8(plain(from.as_bytes())).unwrap(),
                to,
                "{from}"
            );
        }
    }
}
