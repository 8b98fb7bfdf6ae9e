//! The work tree → which tracked files git takes for edited.

use std::collections::BTreeSet;

use super::Repository;

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
