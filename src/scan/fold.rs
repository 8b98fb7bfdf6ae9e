//! Text → the form that is matched: what looks or reads the same is the same.
//!
//! Compatibility forms (full width, mathematical, ligatures) are resolved, marks are taken
//! off, letter case is gone, letters of other scripts that look like Latin ones are Latin,
//! what cannot be seen is dropped, and all that may part words is one space. The word
//! lists pass through the same fold, so that a list is written as people write.

use icu_normalizer::DecomposingNormalizerBorrowed;

use crate::visible::is_unseen;

/// Folds `text` into `to`, which is emptied first.
pub(super) fn fold(text: &str, to: &mut String) {
    to.clear();
    to.reserve(text.len());
    let mut lower_run = 0_u8;
    for character in text.chars() {
        if character.is_ascii() {
            // `apiKey` is two words, `OAuth` and `iPhone` are one.
            if character.is_ascii_uppercase() && lower_run >= 2 {
                space(to);
            }
            lower_run = match character.is_ascii_lowercase() {
                true => lower_run.saturating_add(1),
                false => 0,
            };
            push_ascii(character, to);
        } else {
            lower_run = 0;
            push_other(character, to);
        }
    }
    while to.ends_with(' ') {
        to.pop();
    }
}

/// Folds into a new string.
pub(super) fn folded(text: &str) -> String {
    let mut to = String::new();
    fold(text, &mut to);
    to
}

/// The beginning of `text`, at most so many bytes, never ending inside a character.
pub(super) fn beginning(text: &str, length: usize) -> &str {
    let ends = (0..4).filter_map(|back| length.checked_sub(back));
    match text.len() <= length {
        true => text,
        false => ends
            .filter_map(|end| text.get(..end))
            .next()
            .unwrap_or_default(),
    }
}

/// Is it a character of a script that puts no space between words?
pub(super) fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Is it one of the letters that only Japanese has?
pub(super) fn is_kana(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}')
}

fn push_ascii(character: char, to: &mut String) {
    match character {
        'a'..='z' | '0'..='9' => to.push(character),
        'A'..='Z' => to.push(character.to_ascii_lowercase()),
        '_' | '-' | '*' | '`' | '=' | '|' | '"' => space(to),
        '\'' if to.ends_with(|before: char| before.is_alphanumeric()) => to.push('\''),
        '\'' => space(to),
        _ if character.is_ascii_graphic() => to.push(character),
        ' ' | '\n' | '\t' | '\r' => space(to),
        _ => {}
    }
}

fn space(to: &mut String) {
    if !to.is_empty() && !to.ends_with(' ') {
        to.push(' ');
    }
}

fn push_other(character: char, to: &mut String) {
    if is_unspaced(character) {
        return to.push(character);
    }
    match character {
        '\u{2018}' | '\u{2019}' | '\u{02bc}' => return push_ascii('\'', to),
        '\u{2010}'..='\u{2015}'
        | '\u{2212}'
        | '“'
        | '”'
        | '„'
        | '«'
        | '»'
        | '「'
        | '」'
        | '『'
        | '』' => return space(to),
        'ß' => return to.push_str("ss"),
        // One character that stands for eighteen, none of them in a list.
        '\u{fdfa}' => return to.push(character),
        _ if character.is_whitespace() => return space(to),
        _ if is_unseen(character) => return,
        _ => {}
    }
    let normalizer = DecomposingNormalizerBorrowed::new_nfkd();
    for part in normalizer.normalize_iter(std::iter::once(character)) {
        push_part(part, to);
    }
}

/// One part of a decomposed character.
fn push_part(part: char, to: &mut String) {
    if part.is_ascii() {
        return push_ascii(part, to);
    }
    if matches!(part, '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}') {
        return;
    }
    for lower in part.to_lowercase() {
        // Letter case brings marks of its own (`İ`).
        if !matches!(lower, '\u{300}'..='\u{36f}') {
            to.push(latin(lower));
        }
    }
}

/// The Latin letter that this one looks like.
fn latin(letter: char) -> char {
    match letter {
        'а' | 'α' | 'ɑ' | 'ⲁ' => 'a',
        'ь' | 'Ь' | 'ƅ' => 'b',
        'с' | 'ϲ' | 'ᴄ' | 'ⲥ' => 'c',
        'ԁ' | 'ɗ' => 'd',
        'е' | 'ε' | 'є' | 'ҽ' | 'ɛ' => 'e',
        'ɡ' | 'ց' => 'g',
        'һ' | 'հ' => 'h',
        'і' | 'ι' | 'ı' | 'ӏ' | 'ɩ' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ⅼ' | 'ɭ' | 'ł' => 'l',
        'м' | 'ⅿ' => 'm',
        'п' | 'η' | 'ո' => 'n',
        'о' | 'ο' | 'օ' | 'ᴏ' | 'σ' | 'ø' | 'ⲟ' => 'o',
        'р' | 'ρ' | 'ⲣ' => 'p',
        'ԛ' => 'q',
        'г' | 'ᴦ' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' | 'ʋ' => 'u',
        'ѵ' | 'ν' | 'ᴠ' => 'v',
        'ԝ' | 'ω' | 'ա' | 'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ү' => 'y',
        'ᴢ' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(folded(text), expect, "{text:?}");
    }

    #[test]
    fn what_reads_the_same_is_the_same() {
        check("  Ignore\n  ALL\u{a0}rules ", "ignore all rules");
        check("ｉｇｎｏｒｅ 𝐩𝐫𝐞𝐯𝐢𝐨𝐮𝐬 ﬁle", "ignore previous file");
        check("ig\u{200b}no\u{ad}re", "ignore");
        check("іgnоrе", "ignore");
        check("précédentes", "precedentes");
        check("pre\u{301}ce\u{301}dentes", "precedentes");
        check(
            "api_key apiKey api-key **api** key",
            "api key api key api key api key",
        );
        check("OAuth iPhone", "oauth iphone");
        check("don’t `tell`", "don't tell");
        check("Straße", "strasse");
        check("パスワード", "パスワード");
        check("İgnore", "ignore");
        check("~/.ssh/id_rsa", "~/.ssh/id rsa");
    }
}
