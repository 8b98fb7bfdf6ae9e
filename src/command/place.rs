//! The two places of an approval: a lockfile and its companion listing, never overwritten.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lockgate::lock::{Approval, LOCKFILE_ENDING, ServerUrl};
use lockgate::scan::Scan;
use lockgate::tell;
use lockgate::world::files::Pending;

use super::companion::companion_path;
use super::input;

/// Where the two files go.
pub(super) struct Place {
    lockfile: (PathBuf, Pending),
    companion: (PathBuf, Pending),
}

impl Place {
    /// Begins both files: fails now if one is there already or cannot be written.
    pub(super) fn begin(output: Option<&Path>, url: &ServerUrl) -> Result<Self> {
        let host = url
            .url()
            .host_str()
            .unwrap_or_default()
            .trim_matches(['[', ']'])
            .replace(':', "-");
        let path = output.map_or_else(
            || PathBuf::from(format!("{host}{LOCKFILE_ENDING}")),
            Path::to_owned,
        );
        let companion = companion_path(&path);
        Ok(Place {
            lockfile: begin(path)?,
            companion: begin(companion)?,
        })
    }

    /// Writes both, the lockfile last.
    pub(super) fn write(self, lockfile: &str, companion: &str) -> Result<()> {
        let (path, pending) = self.companion;
        pending
            .create(companion.as_bytes())
            .with_context(|| cannot_write(&path))?;
        let (path, pending) = self.lockfile;
        pending
            .create(lockfile.as_bytes())
            .with_context(|| cannot_write(&path))
    }

    /// What was locked, and what to do next.
    pub(super) fn tell(&self, approval: &Approval<'_>, scan: &Scan) -> String {
        let url = approval.url.untrusted();
        let (lockfile, companion) = (
            input::shown(&self.lockfile.0),
            input::shown(&self.companion.0),
        );
        let tools = approval.listing.tools().len();
        format!(
            "locked {tools} tools of {}\n  {lockfile}  digests, not signed\n  {companion}  the tools in full: read it before you commit\n{}next: lockgate approve {lockfile} --key agent   (reads it to you, and signs)\n",
            url.in_terminal(),
            tell::scan(scan)
        )
    }
}

fn begin(path: PathBuf) -> Result<(PathBuf, Pending)> {
    if path.symlink_metadata().is_ok() {
        bail!(
            "{} is there already, and `lock` never overwrites\nhint: give another file with `--output`, or move this one away once you have read what changed (`lockgate check`)",
            input::shown(&path)
        );
    }
    let pending = Pending::begin(&path).with_context(|| cannot_write(&path))?;
    Ok((path, pending))
}

fn cannot_write(path: &Path) -> String {
    format!("{} cannot be written", input::shown(path))
}
