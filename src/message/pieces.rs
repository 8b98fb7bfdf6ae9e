//! [`Message`] → its plain words and its code, for pages that link and obey words.
//!
//! Words of ours may hold, already spelled for a terminal, what others wrote. So only what
//! no page reads as anything but a word stays outside of code.

use super::{Message, Part};

/// A stretch of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Words that mean nothing but themselves.
    Plain(String),
    /// Whatever else, without its backticks.
    Code(String),
}

/// The stretches of a message, in order; code is never empty.
pub(super) fn pieces(message: &Message) -> Vec<Piece> {
    let mut taken = Taken::default();
    for part in &message.0 {
        match part {
            Part::Ours(text) => taken.ours(text),
            Part::Shown(text) => taken.theirs(text),
            Part::Theirs(text) => taken.theirs(&text.in_terminal().to_string()),
        }
    }
    taken.close();
    taken.pieces
}

#[derive(Default)]
struct Taken {
    pieces: Vec<Piece>,
    /// The code between two backticks, while the second has not come.
    open: Option<String>,
}

impl Taken {
    fn ours(&mut self, text: &str) {
        for (index, stretch) in text.split('`').enumerate() {
            if index > 0 {
                self.turn();
            }
            match &mut self.open {
                Some(code) => code.push_str(&on_one_line(stretch)),
                None => self.words(&on_one_line(stretch)),
            }
        }
    }

    fn theirs(&mut self, shown: &str) {
        match &mut self.open {
            Some(code) => code.push_str(shown),
            None => self.code(shown.to_owned()),
        }
    }

    fn turn(&mut self) {
        match self.open.take() {
            Some(code) => self.code(code),
            None => self.open = Some(String::new()),
        }
    }

    fn close(&mut self) {
        let code = self.open.take().unwrap_or_default();
        self.code(code);
    }

    fn code(&mut self, code: String) {
        match self.pieces.last_mut() {
            // Two spans side by side would share their backticks.
            Some(Piece::Code(before)) => before.push_str(&code),
            Some(Piece::Plain(_)) | None if code.is_empty() => {}
            Some(Piece::Plain(_)) | None => self.pieces.push(Piece::Code(code)),
        }
    }

    fn words(&mut self, text: &str) {
        for word in text.split_inclusive(' ') {
            let (word, space) = match word.strip_suffix(' ') {
                Some(word) => (word, " "),
                None => (word, ""),
            };
            if is_plain(word) {
                self.plain(word);
            } else {
                self.code(word.to_owned());
            }
            self.plain(space);
        }
    }

    fn plain(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Plain(before)) => before.push_str(text),
            Some(Piece::Code(_)) | None if text.is_empty() => {}
            Some(Piece::Code(_)) | None => self.pieces.push(Piece::Plain(text.to_owned())),
        }
    }
}

fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], "⏎")
}

/// Would a page read this as a word and nothing else: no mark-up, link, mention, reference,
/// commit or emoji?
fn is_plain(word: &str) -> bool {
    let is_harmless = |c: char| {
        c.is_alphanumeric()
            || matches!(
                c,
                '.' | ',' | ';' | ':' | '(' | ')' | '-' | '→' | '…' | '–' | '’' | '?'
            )
    };
    let inner = word.trim_end_matches([':', '.', ',', ';', ')']);
    let lower = word.to_ascii_lowercase();
    let stem = word.trim_end_matches(['.', ')']);
    let is_number = stem.len() < word.len() && stem.chars().all(|c| c.is_ascii_digit());
    let begins_a_list = word == "-" || (is_number && !stem.is_empty());
    word.chars().all(is_harmless)
        && !begins_a_list
        && !inner.contains(':')
        && !lower.contains("www.")
        && !lower.contains("gh-")
        && !may_be_a_commit(word)
}

/// Seven hexadecimal digits in a row are one to GitHub.
fn may_be_a_commit(word: &str) -> bool {
    let runs = word.split(|c: char| !c.is_ascii_hexdigit());
    runs.map(str::len).any(|length| length >= 7)
}
