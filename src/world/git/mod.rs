//! The `git` program: asked for files, commits and objects. Only `fetch` adds to what is
//! there, and that only objects and the remote's branches.
//!
//! Obeys design §5: full ids or full ref names, `--end-of-options`, `-z`, no replace
//! objects, no lazy fetch, no hooks, no fsmonitor. Nothing a repository names is run.

mod answers;
mod batch;
mod fetch;
mod history;
mod work_tree;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use self::answers::entry;
use self::answers::path_of;
pub use self::batch::Blob;
pub use self::fetch::Access;
pub use self::work_tree::files;

/// A repository, asked from the folder that was named.
#[derive(Debug, Clone)]
pub struct Repository {
    folder: PathBuf,
}

/// The full id of a commit or a blob, 40 or 64 hex digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

impl ObjectId {
    /// The id as git spells it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_id =
            matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| ObjectId(text.to_owned()))
    }
}

/// What stands at a path of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The path from the repository's root, as git stores it.
    pub path: Vec<u8>,
    /// What kind of thing it is.
    pub kind: EntryKind,
    /// The object.
    pub id: ObjectId,
}

/// The kinds of things a commit holds at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A plain file, executable or not.
    File,
    /// A symbolic link.
    Link,
    /// A submodule.
    Submodule,
}

/// Git did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program is not there or could not run.
    #[error("git cannot be run: {0}")]
    NotRun(#[from] io::Error),
    /// It said no.
    #[error("git says no: {0}")]
    Refused(String),
}

impl Repository {
    /// The repository that `folder` stands in; `None` outside of one.
    pub fn of(folder: &Path) -> Option<Self> {
        let repository = Repository {
            folder: folder.to_owned(),
        };
        let top = repository.ask(&["rev-parse", "--show-toplevel"]).ok()?;
        let top = path_of(top.strip_suffix(b"\n").unwrap_or(&top));
        Some(Repository { folder: top })
    }

    /// The top folder of its work tree.
    pub fn top(&self) -> &Path {
        &self.folder
    }

    /// The full id of the commit that `revision` names; `None` if there is no such commit.
    pub fn commit(&self, revision: &str) -> Option<ObjectId> {
        let revision = format!("{revision}^{{commit}}");
        let id = self
            .ask(&[
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                &revision,
            ])
            .ok()?;
        ObjectId::parse(&String::from_utf8(id).ok()?)
    }

    /// The full name that a symbolic ref points to, such as `refs/remotes/origin/HEAD`.
    pub fn symbolic_ref(&self, name: &str) -> Option<String> {
        let target = self
            .ask(&["symbolic-ref", "--quiet", "--end-of-options", name])
            .ok()?;
        Some(String::from_utf8(target).ok()?.trim().to_owned())
    }

    /// The best common ancestors of two commits; none if there is none at hand.
    pub fn merge_bases(&self, one: &ObjectId, other: &ObjectId) -> Vec<ObjectId> {
        let arguments = [
            "merge-base",
            "--all",
            "--end-of-options",
            one.as_str(),
            other.as_str(),
        ];
        let asked = self.ask(&arguments).unwrap_or_default();
        let text = String::from_utf8(asked).unwrap_or_default();
        text.lines().filter_map(ObjectId::parse).collect()
    }

    /// The parents of a commit, first parent first.
    pub fn parents(&self, commit: &ObjectId) -> Vec<ObjectId> {
        let asked = self.ask(&[
            "rev-parse",
            "--end-of-options",
            &format!("{}^@", commit.as_str()),
        ]);
        let text = String::from_utf8(asked.unwrap_or_default()).unwrap_or_default();
        text.lines().filter_map(ObjectId::parse).collect()
    }

    /// Everything a commit holds, folders left out.
    ///
    /// # Errors
    /// [`GitError`] if git does not list it.
    pub fn tree(&self, commit: &ObjectId) -> Result<Vec<Entry>, GitError> {
        let listed = self.ask(&[
            "ls-tree",
            "-r",
            "-z",
            "--full-tree",
            "--end-of-options",
            commit.as_str(),
        ])?;
        Ok(listed.split(|byte| *byte == 0).filter_map(entry).collect())
    }

    /// What a commit holds at one path.
    pub fn entry(&self, commit: &ObjectId, path: &str) -> Option<Entry> {
        let listed = self.ask(&[
            "ls-tree",
            "-z",
            "--full-tree",
            "--end-of-options",
            commit.as_str(),
            path,
        ]);
        entry(listed.ok()?.strip_suffix(b"\0")?)
    }

    /// Does the repository track a file or submodule at exactly that path?
    pub fn tracks_exactly(&self, path: &Path) -> bool {
        let spec = format!(":(top,literal){}", path.display());
        let listed = self.ask(&["ls-files", "-z", "--cached", "--full-name", "--", &spec]);
        let is_it = |name: &[u8]| path_of(name) == path;
        listed.is_ok_and(|names| names.split(|byte| *byte == 0).any(is_it))
    }

    /// Runs git and gives what it prints.
    fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        self.tell(arguments, Vec::new())
    }

    fn tell(&self, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, GitError> {
        self.tell_with(arguments, input, &[])
    }

    fn tell_with(
        &self,
        arguments: &[&str],
        input: Vec<u8>,
        environment: &[(&str, String)],
    ) -> Result<Vec<u8>, GitError> {
        let mut running = git(&self.folder, arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .spawn()?;
        let to = running.stdin.take();
        // Written from a thread of its own: git may answer before it has read everything.
        let writer = std::thread::spawn(move || to.map(|mut to| to.write_all(&input)));
        let output = running.wait_with_output()?;
        // A pipe that git closed early shows in its status.
        drop(writer.join());
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(GitError::Refused(
                String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            )),
        }
    }
}

/// Git without hooks, prompts, pagers or any other program that a repository could name.
#[expect(clippy::disallowed_methods, reason = "the one place that runs git")]
fn git(folder: &Path, arguments: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.args([
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
    .env("GIT_HTTP_LOW_SPEED_LIMIT", "1000")
    .env("GIT_HTTP_LOW_SPEED_TIME", "30")
    .env("LC_ALL", "C")
    .stdout(Stdio::piped())
    .stderr(Stdio::piped());
    git
}
