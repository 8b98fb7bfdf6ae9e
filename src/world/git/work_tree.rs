//! The work tree → the files git knows of, and which of them it takes for edited.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Repository;
use super::answers::path_of;

impl Repository {
    /// The paths at which git sees something else than HEAD holds. A file that reads
    /// otherwise and is not among them was rewritten by a filter or an encoding.
    pub fn edited(&self) -> BTreeSet<Vec<u8>> {
        let asked = self.ask(&[
            "status",
            "--porcelain=v1",
            "-z",
            "--no-renames",
            "--untracked-files=no",
            "--ignore-submodules=all",
        ]);
        let listed = asked.unwrap_or_default();
        let paths = listed.split(|byte| *byte == 0);
        paths
            .filter_map(|line| line.get(3..))
            .map(<[u8]>::to_vec)
            .collect()
    }
}

/// The files git tracks below `folder`, and those it neither tracks nor ignores, relative
/// to `folder`; `None` outside a repository or without git.
pub fn files(folder: &Path) -> Option<Vec<PathBuf>> {
    let repository = Repository {
        folder: folder.to_owned(),
    };
    let listed = repository
        .ask(&[
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--deduplicate",
        ])
        .ok()?;
    let names = listed
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    Some(names.map(path_of).collect())
}
