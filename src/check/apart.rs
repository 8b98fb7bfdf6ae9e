//! [`Comparison`] → one comparison for each thing that a person says yes or no to; those of
//! everything and of nothing.

use super::detail::TextChange;
use super::{Comparison, Modified, Removed};
use crate::lock::{Listing, Lockfile, Tool};

impl Comparison {
    /// A listing of which nothing was approved: every tool, and the instructions, are new.
    pub fn with_nothing(listing: &Listing) -> Self {
        let none = crate::lock::tools_sha256([]);
        let instructions = listing
            .instructions()
            .map(|text| TextChange::between(None, Some(text.clone())));
        Comparison {
            approved: none,
            current: listing.tools_sha256(),
            added: listing.tools().to_vec(),
            removed: Vec::new(),
            modified: Vec::new(),
            instructions,
            offer: None,
        }
    }

    /// A listing that is exactly what a lockfile pins.
    pub fn with_the_same(approved: &Lockfile) -> Self {
        Comparison {
            approved: approved.tools_sha256(),
            current: approved.tools_sha256(),
            added: Vec::new(),
            removed: Vec::new(),
            modified: Vec::new(),
            instructions: None,
            offer: None,
        }
    }

    /// Each difference by itself, in reading order: modified tools, new tools, tools that
    /// are gone, instructions.
    pub fn apart(&self) -> Vec<Comparison> {
        let modified = |one: &Modified| Comparison {
            modified: vec![one.clone()],
            ..self.nothing()
        };
        let added = |one: &Tool| Comparison {
            added: vec![one.clone()],
            ..self.nothing()
        };
        let removed = |one: &Removed| Comparison {
            removed: vec![one.clone()],
            ..self.nothing()
        };
        let instructions = |one: &TextChange| Comparison {
            instructions: Some(one.clone()),
            ..self.nothing()
        };
        (self.modified.iter().map(modified))
            .chain(self.added.iter().map(added))
            .chain(self.removed.iter().map(removed))
            .chain(self.instructions.iter().map(instructions))
            .collect()
    }

    fn nothing(&self) -> Comparison {
        Comparison {
            approved: self.approved,
            current: self.current,
            added: Vec::new(),
            removed: Vec::new(),
            modified: Vec::new(),
            instructions: None,
            offer: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_time_everything_is_new_and_asked_for() {
        let listing = Listing::parse(br#"[{"name": "a"}, {"name": "b"}]"#)
            .unwrap()
            .with_instructions(Some("Ask first."));
        let comparison = Comparison::with_nothing(&listing);
        let apart = comparison.apart();
        assert_eq!(apart.len(), 3);
        assert_eq!(apart[0].added[0].name().as_arrived(), "a");
        assert!(apart[2].instructions.is_some());
        assert!(
            Comparison::with_nothing(&Listing::default())
                .apart()
                .is_empty()
        );
    }
}
