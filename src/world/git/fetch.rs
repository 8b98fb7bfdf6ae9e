//! The one call that brings objects: what a shallow clone lacks, from `origin`.
//!
//! Obeys design §5: a token travels in the environment of git, never in its arguments, and
//! to its own server only. No branch, index or file of the work tree is touched.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::{GitError, Repository};

/// Leave to read a repository on a server.
#[derive(Clone)]
pub struct Access {
    /// Where the server is: scheme and authority, such as `https://github.com`.
    pub server: String,
    /// The token.
    pub token: String,
}

impl Repository {
    /// Brings what `wanted` names (branches by their refspecs, commits by their full ids)
    /// with its whole history.
    ///
    /// # Errors
    /// [`GitError`] if there is no `origin`, or it does not give them.
    pub fn fetch(&self, wanted: &[String], access: Option<&Access>) -> Result<(), GitError> {
        let mut arguments = vec![
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
        ];
        if self.is_shallow() {
            arguments.push("--unshallow");
        }
        arguments.extend(["--end-of-options", "origin"]);
        arguments.extend(wanted.iter().map(String::as_str));
        let environment = access.map(of_token).unwrap_or_default();
        self.tell_with(&arguments, Vec::new(), &environment)
            .map(drop)
    }
}

/// The variables by which git sends a token to one server. The empty value first takes
/// back what a checkout may have left, as two tokens are refused.
fn of_token(access: &Access) -> Vec<(&'static str, String)> {
    let key = format!("http.{}/.extraheader", access.server.trim_end_matches('/'));
    let pair = BASE64_STANDARD.encode(format!("x-access-token:{}", access.token));
    vec![
        ("GIT_CONFIG_COUNT", "2".to_owned()),
        ("GIT_CONFIG_KEY_0", key.clone()),
        ("GIT_CONFIG_VALUE_0", String::new()),
        ("GIT_CONFIG_KEY_1", key),
        ("GIT_CONFIG_VALUE_1", format!("AUTHORIZATION: basic {pair}")),
    ]
}
