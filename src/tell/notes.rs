//! A modified tool → what else a person should know about the difference.

use crate::check::{Modified, Sameness, TextChange, Weighed};

/// What stands for a side that has nothing there.
pub(super) const NOTHING: &str = "(nothing)";
/// What stands for an approved text of which the digest was kept.
pub(super) const ONLY_DIGEST: &str = "(only its digest is at hand)";
/// What is said of a member that is shown as it is now.
pub(super) const NOT_AT_HAND: &str = "(as it is now: the approved one is not at hand)";

/// What is said where v1 alone would not have seen the difference.
pub(super) const ONLY_EXTENDED: &str =
    "(pinned by `extended` only: a client that hashes as v1 does would connect)";

/// What a likely rename is called.
pub(super) fn renamed(sameness: Sameness) -> &'static str {
    match sameness {
        Sameness::Exact => {
            "likely a rename, nobody approved the new name: all else is what was approved"
        }
        Sameness::Near => {
            "likely a rename, nobody approved the new name: nearly all else is what was approved"
        }
    }
}

/// What is said of texts that were too many words apart.
pub(super) fn weighed(change: &TextChange) -> Option<&'static str> {
    match change.weighed? {
        Weighed::Words => None,
        Weighed::Whole => Some(
            "(too long to weigh word by word: all from the first difference to the last is marked)",
        ),
    }
}

/// What could not be told, how else the digest may have come about, who would not see it.
pub(super) fn notes(tool: &Modified) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(deviation) = tool.deviation {
        let words = deviation.words();
        notes.push(format!(
            "the likely cause: the approved digest is that of this very tool if {words}. It blocks all the same: lock the server anew"
        ));
    }
    if !tool.untold.is_empty() {
        let names: Vec<&str> = tool.untold.iter().map(|field| field.name()).collect();
        let may = match tool.deviation {
            Some(_) => "may have changed",
            None => "changed",
        };
        notes.push(format!(
            "{may} in {}: only a digest of the approved tool is at hand; commit its `.mcp-listing.json` to see what moved",
            names.join(" or ")
        ));
    }
    if !tool.seen_by_v1 {
        notes.push(ONLY_EXTENDED.to_owned());
    }
    notes
}
