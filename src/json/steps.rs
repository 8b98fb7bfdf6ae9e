//! The reader's small steps: look, take, skip, refuse.

use super::read::{Reader, Refusal};
use super::refusal::{Notice, NoticeKind, ReadError, Reason};

impl<'a> Reader<'_, 'a> {
    pub(super) fn skip_byte_order_mark(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.notices.push(Notice {
                kind: NoticeKind::ByteOrderMark,
                at: 0,
            });
            self.at = '\u{feff}'.len_utf8();
        }
    }

    pub(super) fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub(super) fn demand(&mut self, byte: u8, expected: &'static str) -> Result<(), Refusal> {
        if self.take(byte) {
            Ok(())
        } else {
            Err(self.refuse(Reason::Syntax, expected))
        }
    }

    pub(super) fn refuse(&self, reason: Reason, detail: &'static str) -> Refusal {
        Refusal::new(ReadError {
            reason,
            at: self.at,
            detail,
        })
    }

    /// Does what `close` closes end here? Else a comma is due.
    pub(super) fn ends(&mut self, close: u8, expected: &'static str) -> Result<bool, Refusal> {
        self.skip_space();
        if self.take(close) {
            return Ok(true);
        }
        self.demand(b',', expected)?;
        self.skip_space();
        Ok(false)
    }
}
