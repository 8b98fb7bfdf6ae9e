//! Text → its sentences, as slices of what arrived.
//!
//! Hard wraps are joined, paragraphs, list items and tags part. A sentence is never longer
//! than [`LONGEST`]; what is longer is cut at a space, never inside a character.

use super::fold::is_unspaced;

/// Most bytes of one sentence.
pub(super) const LONGEST: usize = 2_000;

/// Most closing marks that a sentence keeps.
const MOST_CLOSING: usize = 8;

/// The sentences of `text`, none of them blank.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return None;
            }
            let (sentence, after) = rest.split_at(end_of_first(rest));
            rest = after;
            let sentence = sentence.trim();
            if !sentence.is_empty() {
                return Some(sentence);
            }
        }
    })
}

/// Where the first sentence ends.
fn end_of_first(text: &str) -> usize {
    let mut space = 0;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        if at >= LONGEST {
            return if space > 0 { space } else { at };
        }
        let rest = text.get(end..).unwrap_or_default();
        let ends = match character {
            '.' | '!' | '?' => stop_ends(text.get(..at).unwrap_or_default(), rest),
            '。' | '！' | '？' | '｡' | '\u{2029}' => true,
            '\n' => line_ends(text.get(..at).unwrap_or_default(), rest),
            _ => false,
        };
        if ends {
            return end + closing(rest);
        }
        if character.is_whitespace() {
            space = end;
        }
    }
    text.len()
}

/// Closing quotes and brackets that belong to the sentence before them.
fn closing(rest: &str) -> usize {
    let closes = |c: char| matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '*');
    let close = rest.chars().take(MOST_CLOSING).take_while(|c| closes(*c));
    close.map(char::len_utf8).sum()
}

fn stop_ends(before: &str, rest: &str) -> bool {
    const SHORT: [&str; 8] = ["e.g", "i.e", "etc", "vs", "cf", "z.b", "no", "approx"];
    let rest = rest.get(closing(rest)..).unwrap_or_default();
    let breaks = rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == '<');
    if !breaks {
        return rest.starts_with(is_unspaced);
    }
    let from = before.len().saturating_sub(8);
    let tail = (from..=before.len())
        .find_map(|at| before.get(at..))
        .unwrap_or_default();
    let word = tail
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next()
        .unwrap_or_default();
    !SHORT.iter().any(|short| word.eq_ignore_ascii_case(short))
}

/// Does a line feed end the sentence, or is it a hard wrap?
fn line_ends(before: &str, rest: &str) -> bool {
    let line = rest.split('\n').next().unwrap_or_default();
    let next = line.trim_start();
    if next.is_empty() {
        return true;
    }
    let starts_anew = next
        .starts_with(|c: char| !c.is_alphabetic() && c != '`' && c != '(' && c != '"')
        || next.starts_with(char::is_uppercase) && !ends_open(before) && !is_torn(before, next)
        || is_label(next);
    let ended = before.trim_end().ends_with([':', '}', ']', '>', ';']);
    starts_anew || ended
}

/// Does the line so far end in the middle of a phrase: in a word of small letters or a comma?
fn ends_open(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().count() >= 50 && line.ends_with(|c: char| c.is_lowercase() || c == ',')
}

/// Is a sentence torn to lines of a few words each, or shouted over several?
fn is_torn(before: &str, next: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_shouted = |line: &str| !line.contains(char::is_lowercase);
    line.split_whitespace().nth(3).is_none() || (is_shouted(line) && is_shouted(next))
}

/// `name: what it is`, a line of a list of arguments.
fn is_label(line: &str) -> bool {
    let word = line.split(':').next().unwrap_or_default();
    word.len() < line.len() && word.len() <= 40 && !word.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        assert_eq!(sentences(text).collect::<Vec<_>>(), expect, "{text:?}");
    }

    #[test]
    fn sentences_are_what_a_reader_takes_for_them() {
        check("One. Two! Three", &["One.", "Two!", "Three"]);
        check("See e.g. this one. Next", &["See e.g. this one.", "Next"]);
        check("v1.2 of a.b", &["v1.2 of a.b"]);
        check("これは一つ。二つ", &["これは一つ。", "二つ"]);
        check(
            "a line that is\nwrapped here",
            &["a line that is\nwrapped here"],
        );
        check("head:\nbody", &["head:", "body"]);
        check("Torn To\nSmall\nLines", &["Torn To\nSmall\nLines"]);
        check(
            "ALL OF IT IS\nSHOUTED HERE",
            &["ALL OF IT IS\nSHOUTED HERE"],
        );
        check(
            "One line of words\nAnother line",
            &["One line of words", "Another line"],
        );
        check("one\n- two\n- three", &["one", "- two", "- three"]);
        check("a: first\nb: second", &["a: first", "b: second"]);
        check("\n\n", &[]);
        check("He said \"go.\" Then", &["He said \"go.\"", "Then"]);
    }

    #[test]
    fn nothing_is_longer_than_the_longest_and_nothing_is_lost() {
        for text in [
            "x".repeat(9_000),
            "é".repeat(5_000),
            "ab ".repeat(4_000),
            "世".repeat(3_000),
        ] {
            let parts: Vec<&str> = sentences(&text).collect();
            assert!(parts.iter().all(|part| part.len() <= LONGEST + 4));
            let kept: usize = parts.iter().map(|part| part.replace(' ', "").len()).sum();
            assert_eq!(kept, text.replace(' ', "").len());
        }
    }
}
