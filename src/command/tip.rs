//! A clone on a person's machine → the commit whose approvals and keys count there.
//!
//! Obeys design §4 (Where it is read), and goes further: the tip of the remote's default
//! branch, not the merge base with it, as a branch from an old commit would else bring back
//! the keys that were taken away since.

use lockgate::untrusted::Untrusted;
use lockgate::world::git::{ObjectId, Repository};

/// Where a remote says which branch is its default one.
const DEFAULT: &str = "refs/remotes/origin/HEAD";
/// What it is likely to be where the remote does not say: either, if there is only one.
const LIKELY: [&str; 2] = ["refs/remotes/origin/main", "refs/remotes/origin/master"];

/// The commit that counts.
pub(super) struct Tip {
    pub(super) commit: ObjectId,
    /// What a person calls it.
    pub(super) name: String,
}

/// Finds it, for a clone whose HEAD is `head`; why there is none is in `Err`.
pub(super) fn tip(repository: &Repository, head: &ObjectId) -> Result<Tip, &'static str> {
    let remote = repository.remote_refs();
    if remote.is_empty() {
        return Ok(Tip {
            commit: head.clone(),
            name: "HEAD, as there is no remote".to_owned(),
        });
    }
    let likely: Vec<&str> = LIKELY
        .into_iter()
        .filter(|name| remote.contains_key(*name))
        .collect();
    let name = match (repository.symbolic_ref(DEFAULT), likely.as_slice()) {
        (Some(name), _) => name,
        (None, [only]) => (*only).to_owned(),
        (None, _) => {
            return Err(
                "the default branch of the remote is not known here (`git remote set-head origin --auto` finds it)",
            );
        }
    };
    let commit = remote
        .get(&name)
        .cloned()
        .ok_or("the default branch of the remote is not at hand (`git fetch origin` brings it)")?;
    let shown = Untrusted::new(name.strip_prefix("refs/remotes/").unwrap_or(&name));
    Ok(Tip {
        commit,
        name: shown.in_terminal().to_string(),
    })
}
