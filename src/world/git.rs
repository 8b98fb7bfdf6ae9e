//! The `git` program: asked, never told to change anything.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The files git tracks below `folder`, and those it neither tracks nor ignores, relative
/// to `folder`; `None` outside a repository or without git.
pub fn files(folder: &Path) -> Option<Vec<PathBuf>> {
    let listed = output(
        folder,
        &[
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--deduplicate",
        ],
    )?;
    let names = listed
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    Some(names.map(path_of).collect())
}

/// The full id of the commit that is checked out.
pub fn head(folder: &Path) -> Option<String> {
    let id = String::from_utf8(output(
        folder,
        &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"],
    )?)
    .ok()?;
    Some(id.trim().to_owned())
}

/// Runs git without hooks, prompts, pagers or any other program a repository could name.
#[expect(clippy::disallowed_methods, reason = "the one place that runs git")]
fn output(folder: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let output = Command::new("git")
        .args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
            "--no-optional-locks",
        ])
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then_some(output.stdout)
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}
