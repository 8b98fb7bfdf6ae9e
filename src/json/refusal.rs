//! Why a JSON text is refused, and what is accepted but told (design §1).

use std::fmt;

/// The text cannot be pinned: reason, place, and what stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{detail} at byte {at} ({reason})")]
pub struct ReadError {
    /// The named reason.
    pub reason: Reason,
    /// Byte offset in the text, counted from 0 and including a leading BOM.
    pub at: usize,
    /// What was found or expected there.
    pub detail: &'static str,
}

/// The named reasons for which a text is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Two members of one object have the same name after decoding escapes.
    DuplicateKey,
    /// Half of a surrogate pair, which has no UTF-8 form.
    LoneSurrogate,
    /// The bytes are not UTF-8.
    InvalidUtf8,
    /// More than [`super::MAX_DEPTH`] levels of arrays and objects.
    Depth,
    /// A number too large for a double.
    NumberOverflow,
    /// A number other than zero that a double would make zero.
    NumberUnderflow,
    /// More than 20 significant digits, some of which the canonical form would change.
    NumberNotPreserved,
    /// Not JSON (RFC 8259), trailing data included.
    Syntax,
    /// More than [`super::MAX_VALUES`] values: more than any listing holds, and a way to
    /// take memory many times the size of the text.
    TooLarge,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::DuplicateKey => "duplicate_key",
            Reason::LoneSurrogate => "lone_surrogate",
            Reason::InvalidUtf8 => "invalid_utf8",
            Reason::Depth => "depth",
            Reason::NumberOverflow => "number_overflow",
            Reason::NumberUnderflow => "number_underflow",
            Reason::NumberNotPreserved => "number_not_preserved",
            Reason::Syntax => "syntax",
            Reason::TooLarge => "too_large",
        })
    }
}

/// Something accepted that a person should know of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notice {
    /// What it is.
    pub kind: NoticeKind,
    /// Byte offset in the text.
    pub at: usize,
}

/// The kinds of [`Notice`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// The text began with a byte order mark; it was skipped.
    ByteOrderMark,
    /// A number of at most 20 significant digits is rounded in the canonical form, as
    /// every JavaScript implementation rounds it.
    NumberRounded,
}

impl fmt::Display for NoticeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoticeKind::ByteOrderMark => "byte_order_mark",
            NoticeKind::NumberRounded => "number_rounded",
        })
    }
}
