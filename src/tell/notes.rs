//! A modified tool → what else a person should know about the difference.

use crate::check::Modified;

/// What is said where v1 alone would not have seen the difference.
pub(super) const ONLY_EXTENDED: &str =
    "(pinned by `extended` only: a client that hashes as v1 does would connect)";

/// What could not be told, how else the digest may have come about, who would not see it.
pub(super) fn notes(tool: &Modified) -> Vec<String> {
    let mut notes = Vec::new();
    if !tool.untold.is_empty() {
        let names: Vec<&str> = tool.untold.iter().map(|field| field.name()).collect();
        notes.push(format!(
            "changed in {}: only a digest of the approved tool is at hand; commit its `.mcp-listing.json` to see what moved",
            names.join(" or ")
        ));
    }
    if let Some(deviation) = tool.deviation {
        let words = deviation.words();
        notes.push(format!(
            "the approved digest is that of this very tool if {words}: lock the server anew"
        ));
    }
    if !tool.seen_by_v1 {
        notes.push(ONLY_EXTENDED.to_owned());
    }
    notes
}
