//! Base and head → did the workflows that run the gate change (design §5, `gate-changed`)?

use super::side::Side;
use super::snapshot::{Content, RepoPath, is_gate};
use crate::check::{Finding, Rule};

const NAME: &[u8] = b"lockgate";

/// Workflows and actions that speak of the gate, and that head has otherwise.
pub(super) fn gate_changed([base, fork]: [&Side; 2], head: &Side) -> Vec<Finding> {
    let paths = base.snapshot.files.keys().chain(head.snapshot.files.keys());
    let mut paths: Vec<&RepoPath> = paths.filter(|path| is_gate(path)).collect();
    paths.sort();
    paths.dedup();
    let speaks = |content: Option<&Content>| {
        let bytes = content.and_then(Content::bytes);
        bytes.is_none_or(|bytes| {
            bytes
                .windows(NAME.len())
                .any(|part| part.eq_ignore_ascii_case(NAME))
        })
    };
    let is_changed = |path: &&RepoPath| {
        let (was, is) = (base.content(path), head.content(path));
        let differs = is != was && is != fork.content(path);
        differs && ((was.is_some() && speaks(was)) || (is.is_some() && speaks(is)))
    };
    paths
        .into_iter()
        .filter(is_changed)
        .map(|path| {
            Finding::new(Rule::GateChanged, "a workflow that runs lockgate, or may, is changed here: it could leave the gate out")
                .hint("read it as code; only a ruleset, a required workflow or code owners can stop such a change")
                .at(&path.untrusted(), None)
        })
        .collect()
}
