//! [`Comparison`] → one comparison for each thing that a person says yes or no to; those of
//! everything and of nothing.

use std::collections::BTreeSet;

use super::detail::TextChange;
use super::{Comparison, Modified, Removed, Renamed};
use crate::lock::{Digest, Listing, Lockfile, Tool};
use crate::untrusted::Untrusted;

impl Comparison {
    /// A listing of which nothing was approved: every tool, and the instructions, are new.
    pub fn with_nothing(listing: &Listing) -> Self {
        let none = crate::lock::tools_sha256([]);
        let instructions = listing
            .instructions()
            .map(|text| TextChange::between(None, Some(text.clone())));
        Comparison {
            added: listing.tools().to_vec(),
            instructions,
            ..Comparison::empty(none, listing.tools_sha256())
        }
    }

    /// A listing that is exactly what a lockfile pins.
    pub fn with_the_same(approved: &Lockfile) -> Self {
        let pinned = approved.tools_sha256();
        Comparison::empty(pinned, pinned)
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
        Comparison::empty(self.approved, self.current)
    }

    /// Of two listings, and no difference told yet.
    fn empty(approved: Digest, current: Digest) -> Comparison {
        Comparison {
            approved,
            current,
            added: Vec::new(),
            removed: Vec::new(),
            modified: Vec::new(),
            renamed: Vec::new(),
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

    #[test]
    fn a_likely_rename_is_asked_for_once() {
        let tool =
            |name: &str| format!(r#"{{"name":"{name}","description":"one two three four"}}"#);
        let listing =
            |tools: &[String]| Listing::parse(format!("[{}]", tools.join(",")).as_bytes()).unwrap();
        let approved = listing(&[tool("b"), tool("z").replace("one", "other")]);
        let approval = crate::lock::Approval {
            url: &crate::lock::ServerUrl::parse("https://mcp.example.com/mcp").unwrap(),
            listing: &approved,
            headers: crate::lock::HeaderPins::default(),
            approved_at: "2026-10-07T10:45:00Z".parse().unwrap(),
            scan: None,
        };
        let lockfile = crate::lock::Lockfile::parse(approval.lockfile().unwrap().as_bytes());
        let current = listing(&[r#"{"name":"a"}"#.to_owned(), tool("c")]);
        let comparison = crate::check::compare(&lockfile.unwrap(), &current);
        assert_eq!((comparison.added.len(), comparison.removed.len()), (2, 2));
        let apart = comparison.apart();
        let names = |one: &Comparison| {
            let added = one
                .added
                .iter()
                .map(|tool| tool.name().as_arrived().to_owned());
            let removed = one
                .removed
                .iter()
                .map(|tool| tool.name.as_arrived().to_owned());
            (added.collect::<String>(), removed.collect::<String>())
        };
        let told: Vec<_> = apart.iter().map(names).collect();
        let pair = |a: &str, r: &str| (a.to_owned(), r.to_owned());
        assert_eq!(told, [pair("c", "b"), pair("a", ""), pair("", "z")]);
        assert_eq!(apart[0].renamed.len(), 1);
    }
}
