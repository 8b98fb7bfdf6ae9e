//! Hidden text: characters of a whole text that a person does not see.
//!
//! What scripts and emoji need is allowed: joiners in emoji and in the scripts that use
//! them, direction marks, the emoji selector, selectors of ideographs.

use super::kind::Severity;
use super::reading::{Raised, Role, raise, raise_at};
use super::rule::ScanRule;
use crate::visible::is_unseen;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// So many in one text are more than an accident.
const MANY: usize = 8;
/// A run of blanks that pushes text out of sight.
const LONG_RUN: usize = 200;
/// Tags of the longest flag of a subdivision, its end among them.
const LONGEST_FLAG: usize = 6;
/// Empty lines that do.
const MANY_LINES: usize = 25;

/// What was counted in one text.
#[derive(Debug, Default)]
struct Counts {
    tags: usize,
    selectors: usize,
    selector_run: usize,
    longest_selector_run: usize,
    bidi: usize,
    zero_width: usize,
    controls: usize,
    escapes: usize,
    private: usize,
    flag_tags: usize,
}

pub(super) fn judge(text: &str, role: Role, raised: &mut Raised) {
    if is_plain(text) {
        return;
    }
    let is_name = matches!(role, Role::Name | Role::Key);
    let counts = Counts::of(text);
    if counts.tags > 0 {
        raise(ScanRule::TagCharacters, raised);
    }
    if counts.longest_selector_run >= MANY || counts.selectors >= MANY {
        raise(ScanRule::VariationSelectors, raised);
    } else if counts.selectors > 0 {
        raise_at(ScanRule::VariationSelectors, Severity::Medium, raised);
    }
    if counts.bidi > 0 {
        raise(ScanRule::BidiControl, raised);
    }
    if counts.zero_width >= MANY || (counts.zero_width > 0 && is_name) {
        raise(ScanRule::ZeroWidth, raised);
    } else if counts.zero_width > 0 {
        raise_at(ScanRule::ZeroWidth, Severity::Medium, raised);
    }
    if counts.escapes > 0 {
        raise(ScanRule::TerminalEscape, raised);
    }
    if counts.controls > 0 {
        raise(ScanRule::ControlCharacter, raised);
    }
    if counts.private > 0 {
        raise(ScanRule::PrivateUse, raised);
    }
    judge_scripts(text, is_name, raised);
    if is_padded(text) {
        raise(ScanRule::Padding, raised);
    }
}

/// The common case, seen at a glance.
fn is_plain(text: &str) -> bool {
    text.len() < LONG_RUN
        && text
            .bytes()
            .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counts = Counts::default();
        let mut before = None;
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            if matches!(character, ' '..='~' | '\n' | '\t') {
                (counts.selector_run, counts.flag_tags) = (0, 0);
            } else {
                counts.take(before, character, characters.peek().copied());
            }
            before = Some(character);
        }
        counts
    }

    fn take(&mut self, before: Option<char>, character: char, after: Option<char>) {
        let is_selector = matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}');
        if !is_selector {
            self.selector_run = 0;
        }
        match character {
            // Subdivision flags are a black flag with tags.
            '\u{e0020}'..='\u{e007f}' if self.flag_tags > 0 => self.flag_tags -= 1,
            '\u{1f3f4}' => self.flag_tags = LONGEST_FLAG,
            '\u{e0000}'..='\u{e007f}' => self.tags += 1,
            _ if is_selector => {
                self.selector_run += 1;
                self.longest_selector_run = self.longest_selector_run.max(self.selector_run);
                self.selectors += usize::from(!selects(before, character));
            }
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.bidi += 1,
            '\u{200e}' | '\u{200f}' | '\u{61c}' => {}
            '\u{200c}' | '\u{200d}' if joins(before, after) => {}
            '\u{1b}' | '\u{9b}' => self.escapes += 1,
            '\r' if after == Some('\n') => {}
            _ if character.is_control() => self.controls += 1,
            '\u{a0}'
            | '\u{2000}'..='\u{200a}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{ad}'
            | '\u{1680}' => {}
            _ if is_private(character) => self.private += 1,
            _ if is_unseen(character) => self.zero_width += 1,
            _ => {}
        }
    }
}

/// Does a variation selector stand behind what it can select?
fn selects(before: Option<char>, selector: char) -> bool {
    before.is_some_and(|before| match selector {
        '\u{fe0e}' | '\u{fe0f}' => matches!(u32::from(before), 0x23 | 0x2a | 0x30..=0x39 | 0xa9 | 0xae | 0x200d | 0x203c..=0x3299 | 0x1f000..=0x1faff),
        '\u{180b}'..='\u{180d}' => matches!(before, '\u{1800}'..='\u{18af}'),
        _ => super::fold::is_unspaced(before),
    })
}

/// Do joiners belong between these: in emoji, in Arabic, in the scripts of India?
fn joins(before: Option<char>, after: Option<char>) -> bool {
    let takes = |c: char| matches!(u32::from(c), 0x600..=0x8ff | 0x900..=0xdff | 0xe00..=0x109f | 0x1780..=0x18af | 0x203c..=0x3299 | 0xfb50..=0xfeff | 0x1f000..=0x1faff);
    before.is_some_and(takes) && after.is_none_or(|after| takes(after) || !after.is_alphanumeric())
}

fn is_private(character: char) -> bool {
    matches!(
        character.general_category(),
        GeneralCategory::PrivateUse | GeneralCategory::Unassigned
    )
}

/// Words of Latin letters with look-alikes of another script among them.
fn judge_scripts(text: &str, is_name: bool, raised: &mut Raised) {
    let is_part = |c: char| c.is_alphabetic();
    let mut words = text
        .split(|c: char| !is_part(c))
        .filter(|word| !word.is_ascii());
    if words.any(is_mixed) {
        let severity = if is_name {
            Severity::High
        } else {
            Severity::Medium
        };
        raise_at(ScanRule::MixedScript, severity, raised);
    }
}

/// Two Latin letters or more around letters of another script; `µs` and `Δx` are none.
fn is_mixed(word: &str) -> bool {
    let latin = word.chars().filter(char::is_ascii_alphabetic).count();
    let foreign = |c: &char| matches!(c, '\u{370}'..='\u{52f}' | '\u{531}'..='\u{58f}' | '\u{2c80}'..='\u{2cff}');
    let others = word.chars().filter(foreign).count();
    latin >= 2 && others >= 1 && latin + others >= 4 && alternates(word, foreign)
}

/// Does a letter of the other script stand inside, or do the scripts change twice?
fn alternates(word: &str, foreign: impl Fn(&char) -> bool) -> bool {
    let scripts: Vec<bool> = word.chars().map(|c| foreign(&c)).collect();
    let changes = scripts
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a != b))
        .count();
    changes >= 2 || word.chars().filter(|c| foreign(c)).all(looks_latin)
}

fn looks_latin(letter: char) -> bool {
    super::fold::folded(letter.encode_utf8(&mut [0; 4])).is_ascii()
}

/// Is text behind a run of blanks, or of empty lines, that pushes it out of sight?
fn is_padded(text: &str) -> bool {
    let (mut run, mut lines) = (0, 0);
    for character in text.trim_end().chars() {
        if !character.is_whitespace() {
            (run, lines) = (0, 0);
            continue;
        }
        run += 1;
        lines += usize::from(character == '\n');
        if (run >= LONG_RUN && lines <= 1) || lines >= MANY_LINES {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, role: Role, expect: &[(ScanRule, Severity)]) {
        let mut raised = Raised::new();
        judge(text, role, &mut raised);
        assert_eq!(raised, expect, "{text:?}");
    }

    #[test]
    fn what_scripts_need_is_no_finding() {
        for text in [
            "plain",
            "café naïve",
            "👩\u{200d}💻 ❤\u{fe0f} 1\u{fe0f}\u{20e3}",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष",
            "עברית\u{200f}",
            "µs Δx 5µm",
            "тест test",
            "漢\u{e0100}字",
            "a\u{a0}b",
            "a\r\nb",
            "αβγ-globulin",
        ] {
            check(text, Role::Prose, &[]);
        }
    }

    #[test]
    fn what_nobody_sees_is_one() {
        use Severity::{High, Medium};
        check(
            "x\u{e0069}\u{e0067}",
            Role::Prose,
            &[(ScanRule::TagCharacters, High)],
        );
        check("a\u{202e}b", Role::Prose, &[(ScanRule::BidiControl, High)]);
        check("a\u{200b}b", Role::Prose, &[(ScanRule::ZeroWidth, Medium)]);
        check("a\u{200b}b", Role::Key, &[(ScanRule::ZeroWidth, High)]);
        check(
            &"\u{200b}\u{200c}".repeat(5),
            Role::Prose,
            &[(ScanRule::ZeroWidth, High)],
        );
        check(
            &format!("x{}", "\u{fe01}".repeat(9)),
            Role::Prose,
            &[(ScanRule::VariationSelectors, High)],
        );
        check(
            "a\u{fe01}",
            Role::Prose,
            &[(ScanRule::VariationSelectors, Medium)],
        );
        check(
            "a\u{7}",
            Role::Prose,
            &[(ScanRule::ControlCharacter, Medium)],
        );
        check(
            "a\u{1b}[8m",
            Role::Prose,
            &[(ScanRule::TerminalEscape, High)],
        );
        check("\u{e000}", Role::Prose, &[(ScanRule::PrivateUse, Medium)]);
        check("rеаd_file", Role::Name, &[(ScanRule::MixedScript, High)]);
        check(
            &format!("Adds.{}then", " ".repeat(300)),
            Role::Prose,
            &[(ScanRule::Padding, Medium)],
        );
    }
}
