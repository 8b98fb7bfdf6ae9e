//! `char` → can a person see it: the one list of what must be spelled out.
//!
//! Obeys design §3 (invisible characters are spelled out) for every sink: terminal,
//! committed files, reports. Decides nothing about meaning.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Would a person looking at a screen not see this character, or see it as something
/// else: controls, format characters (zero width, bidi, tags), private use, unassigned,
/// spaces other than U+0020, line separators, fillers and variation selectors?
///
/// Line feed and tab are controls too; a sink that lays text out in lines handles them
/// before it asks.
pub fn is_unseen(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    let category = matches!(
        character.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
            | GeneralCategory::Unassigned
            | GeneralCategory::SpaceSeparator
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    );
    category || is_blank_though_a_letter_or_mark(character)
}

/// Default-ignorable code points and blanks whose category is a letter, mark or symbol.
fn is_blank_though_a_letter_or_mark(character: char) -> bool {
    matches!(character,
        '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{1d159}'
        | '\u{e0100}'..='\u{e01ef}')
}

/// The ASCII character that a tag character (U+E0020..U+E007E) smuggles.
pub fn tag_as_ascii(character: char) -> Option<char> {
    let code = u32::from(character).checked_sub(0xE0000)?;
    char::from_u32(code).filter(|ascii| matches!(ascii, ' '..='~'))
}
