//! `nextCursor` after `nextCursor` → a walk that ends.
//!
//! Obeys MCP, Pagination (a cursor is opaque and `""` is one) and design §6 for the caps.

use std::collections::HashSet;

use crate::lock::Cursor;

/// Most pages of one listing.
pub const MAX_PAGES: usize = 200;
/// Most tools of one listing.
pub const MAX_TOOLS: usize = 10_000;
/// Longest cursor, in bytes.
pub const MAX_CURSOR: usize = 8 << 10;

/// A walk over the pages of one listing.
#[derive(Debug, Default)]
pub struct Paging {
    seen: HashSet<Cursor>,
}

/// The walk cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoWay {
    /// The cursor was followed before.
    Repeated(Cursor),
    /// More than [`MAX_PAGES`].
    TooManyPages,
    /// More than [`MAX_TOOLS`].
    TooManyTools,
    /// A cursor longer than [`MAX_CURSOR`].
    CursorTooLong,
}

impl Paging {
    /// Judges where a page leads, `tools` being how many there are by now.
    ///
    /// # Errors
    /// [`NoWay`] if the listing has no end, or none worth waiting for.
    pub fn step(&mut self, tools: usize, next: Option<Cursor>) -> Result<Option<Cursor>, NoWay> {
        if tools > MAX_TOOLS {
            return Err(NoWay::TooManyTools);
        }
        let Some(cursor) = next else {
            return Ok(None);
        };
        if cursor.0.len() > MAX_CURSOR {
            return Err(NoWay::CursorTooLong);
        }
        if !self.seen.insert(cursor.clone()) {
            return Err(NoWay::Repeated(cursor));
        }
        if self.seen.len() >= MAX_PAGES {
            return Err(NoWay::TooManyPages);
        }
        Ok(Some(cursor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cursors: &[&str], expect: Result<(), NoWay>) {
        let mut paging = Paging::default();
        let steps = cursors.iter().map(|c| Some(Cursor((*c).to_owned())));
        let walked = steps
            .chain([None])
            .try_for_each(|c| paging.step(1, c).map(drop));
        assert_eq!(walked, expect, "{cursors:?}");
    }

    #[test]
    fn every_walk_ends() {
        let repeated = |cursor: &str| Err(NoWay::Repeated(Cursor(cursor.to_owned())));
        check(&[], Ok(()));
        check(&["a", "b", ""], Ok(()));
        check(&["", ""], repeated(""));
        check(&["a", "b", "a"], repeated("a"));
        check(&["x".repeat(MAX_CURSOR).as_str()], Ok(()));
        check(
            &["x".repeat(MAX_CURSOR + 1).as_str()],
            Err(NoWay::CursorTooLong),
        );
        let many: Vec<_> = (0..MAX_PAGES).map(|n| n.to_string()).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        check(&many[1..], Ok(()));
        check(&many, Err(NoWay::TooManyPages));
        let mut paging = Paging::default();
        assert_eq!(paging.step(MAX_TOOLS, None), Ok(None));
        assert_eq!(paging.step(MAX_TOOLS + 1, None), Err(NoWay::TooManyTools));
    }
}
