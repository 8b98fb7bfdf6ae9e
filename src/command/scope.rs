//! The paths that were typed → the lockfiles that are looked for, from the repository's top.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use lockgate::issue::Scope;
use lockgate::world::git::Repository;

use super::input;
use crate::cli::Judging;

/// All of it where a base is typed, as the rules then judge all of it.
pub(super) fn scope(repository: &Repository, paths: &[PathBuf], typed: &Judging) -> Result<Scope> {
    if typed.base.is_some() {
        return Ok(Scope::Whole);
    }
    let top = repository.top().canonicalize()?;
    let inside = |path: &PathBuf| {
        let real = path.canonicalize().ok();
        let inside = real
            .as_deref()
            .and_then(|real| real.strip_prefix(&top).ok());
        let inside = inside.map(|inside| inside.to_string_lossy().replace('\\', "/"));
        inside.ok_or_else(|| {
            anyhow!(
                "{} is not in this repository\nhint: name a lockfile or a folder of it",
                input::shown(path)
            )
        })
    };
    let paths: Vec<String> = paths.iter().map(inside).collect::<Result<_>>()?;
    Ok(match paths.iter().any(String::is_empty) {
        true => Scope::Whole,
        false => Scope::Paths(paths),
    })
}
