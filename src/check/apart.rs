//! [`Comparison`] → one comparison for each thing that a person says yes or no to.

use std::collections::BTreeSet;

use super::detail::TextChange;
use super::{Comparison, Modified, Removed, Renamed};
use crate::lock::{Listing, Tool};
use crate::untrusted::Untrusted;

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
            renamed: Vec::new(),
            instructions,
        }
    }

    /// Each difference by itself, in reading order: modified tools, likely renames (both
    /// tools in one), new tools, tools that are gone, instructions.
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
        let renamed = |one: &Renamed| Comparison {
            added: self.added_tool(&one.to).cloned().into_iter().collect(),
            removed: self.removed_tool(&one.from).cloned().into_iter().collect(),
            renamed: vec![one.clone()],
            ..self.nothing()
        };
        (self.modified.iter().map(modified))
            .chain(self.renamed.iter().map(renamed))
            .chain(self.only_added().map(added))
            .chain(self.only_removed().map(removed))
            .chain(self.instructions.iter().map(instructions))
            .collect()
    }

    /// The new tools that are in no likely rename.
    pub fn only_added(&self) -> impl Iterator<Item = &Tool> {
        let renamed: BTreeSet<&Untrusted> = self.renamed.iter().map(|one| &one.to).collect();
        self.added
            .iter()
            .filter(move |tool| !renamed.contains(tool.name()))
    }

    /// The tools that are gone and in no likely rename.
    pub fn only_removed(&self) -> impl Iterator<Item = &Removed> {
        let renamed: BTreeSet<&Untrusted> = self.renamed.iter().map(|one| &one.from).collect();
        self.removed
            .iter()
            .filter(move |tool| !renamed.contains(&tool.name))
    }

    fn added_tool(&self, name: &Untrusted) -> Option<&Tool> {
        let found = self.added.binary_search_by(|tool| tool.name().cmp(name));
        self.added.get(found.ok()?)
    }

    fn removed_tool(&self, name: &Untrusted) -> Option<&Removed> {
        let found = self.removed.binary_search_by(|tool| tool.name.cmp(name));
        self.removed.get(found.ok()?)
    }

    fn nothing(&self) -> Comparison {
        Comparison {
            approved: self.approved,
            current: self.current,
            added: Vec::new(),
            removed: Vec::new(),
            modified: Vec::new(),
            renamed: Vec::new(),
            instructions: None,
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
