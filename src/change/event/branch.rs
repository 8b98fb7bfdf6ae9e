//! Text → the name of a branch, safe as a part of a revision.

/// The name of a branch that can be a part of a revision and means nothing else there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch(String);

impl Branch {
    /// Takes a name; `None` if git would not have it, or would read more than a name in it.
    pub fn new(name: &str) -> Option<Self> {
        let name = name.strip_prefix("refs/heads/").unwrap_or(name);
        let is_tame = |byte: u8| byte > b' ' && byte != 0x7f && !b"~^:?*[\\".contains(&byte);
        let is_name = !name.is_empty()
            && name.bytes().all(is_tame)
            && !name.contains("..")
            && !name.contains("@{")
            && !name.starts_with(['-', '/'])
            && !name.ends_with(['/', '.']);
        is_name.then(|| Branch(name.to_owned()))
    }

    /// The name, without `refs/heads/`.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Where a clone keeps the branch of `origin`.
    pub fn of_origin(&self) -> String {
        format!("refs/remotes/origin/{}", self.0)
    }
}
