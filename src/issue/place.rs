//! Where a run is: what it may close, what it may touch, and what it says of itself.

use jiff::Timestamp;

use crate::lock::ServerUrl;
use crate::untrusted::Untrusted;

/// What a run knows of where it is.
#[derive(Debug, Clone)]
pub struct Place<'a> {
    /// When the run looked.
    pub now: Timestamp,
    /// The default branch's name.
    pub branch: Untrusted,
    /// The page of this run, if there is one: a plain http(s) URL of ours.
    pub run_url: Option<String>,
    /// Servers given up on purpose (`policy.removed`).
    pub removed: &'a [ServerUrl],
    /// Which lockfiles the run looked for.
    pub scope: Scope,
}

/// Which lockfiles a run looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All of the repository's.
    Whole,
    /// Those at or below these paths, relative to where the paths of the report are.
    Paths(Vec<String>),
}

impl Scope {
    /// Does a lockfile at `path` belong to the run?
    pub fn covers(&self, path: &Untrusted) -> bool {
        match self {
            Scope::Whole => true,
            Scope::Paths(paths) => paths.iter().any(|scope| is_below(path.as_arrived(), scope)),
        }
    }
}

fn is_below(path: &str, scope: &str) -> bool {
    let plain = |path: &str| {
        path.trim_start_matches("./")
            .trim_end_matches('/')
            .to_owned()
    };
    let (path, scope) = (plain(path), plain(scope));
    let rest = path.strip_prefix(&scope);
    scope.is_empty()
        || scope == "."
        || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Place<'_> {
    /// A link to the run, in Markdown; nothing where its URL could be read as more.
    pub(super) fn run(&self) -> Option<String> {
        let url = self.run_url.as_deref()?;
        let is_plain =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '.' | '-' | '_' | '~');
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        (is_web && url.chars().all(is_plain)).then(|| format!("[this run]({url})"))
    }
}

/// A moment to the minute, as people read it.
pub(super) fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    let (day, time) = text.split_once('T').unwrap_or((&text, ""));
    format!("{day} {} UTC", time.chars().take(5).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_covers_what_is_below_it() {
        let check = |scope: &str, path: &str, expect: bool| {
            let scope = Scope::Paths(vec![scope.to_owned()]);
            assert_eq!(scope.covers(&path.into()), expect, "{scope:?} {path}");
        };
        check("mcp", "mcp/a.json", true);
        check("./mcp/", "./mcp/a.json", true);
        check("mcp/a.json", "mcp/a.json", true);
        check("mcp", "mcp-b/a.json", false);
        check(".", "mcp/a.json", true);
        check("", "mcp/a.json", true);
        assert!(Scope::Whole.covers(&"x".into()));
    }

    #[test]
    fn a_run_is_linked_only_by_a_plain_url() {
        let link = |url: &str| {
            let place = Place {
                now: Timestamp::UNIX_EPOCH,
                branch: "main".into(),
                run_url: Some(url.to_owned()),
                removed: &[],
                scope: Scope::Whole,
            };
            place.run()
        };
        let url = "https://github.com/acme/widgets/actions/runs/1";
        assert_eq!(link(url), Some(format!("[this run]({url})")));
        assert_eq!(link("https://a/b) <img>"), None);
        assert_eq!(link("javascript:alert"), None);
    }
}
