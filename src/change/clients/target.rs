//! An entry of a client's configuration → the endpoint it means.
//!
//! Obeys design §5: `${VAR:-default}` is resolved, `npx mcp-remote URL` is that URL, what
//! depends on somebody's environment is unknown.

use url::Url;

/// What a client would start or connect to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// An endpoint, in the URL standard's normal form.
    Url(String),
    /// A program on this machine (stdio): lockfiles of version 1 cannot pin it.
    Local,
    /// It depends on what cannot be seen here.
    Unknown,
}

/// The members of an entry that say where it leads.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) urls: Vec<String>,
    pub(super) command: Option<String>,
    pub(super) args: Vec<String>,
}

pub(super) fn target(entry: &Entry) -> Target {
    let Entry {
        urls,
        command,
        args,
    } = entry;
    match (urls.as_slice(), command) {
        ([url], None) => endpoint(url),
        ([], Some(command)) => started(command, args),
        // Several at once: which one is taken is each client's secret.
        _ => Target::Unknown,
    }
}

/// A program that only passes on to an endpoint is that endpoint.
fn started(command: &str, args: &[String]) -> Target {
    let Some(command) = resolved(command) else {
        return Target::Unknown;
    };
    let args = args
        .iter()
        .map(|arg| resolved(arg).unwrap_or_else(|| arg.clone()));
    let line = args.fold(command, |line, arg| format!("{line} {arg}"));
    let is_bridge = |word: &str| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
        name.split('@').next() == Some("mcp-remote")
    };
    let mut words = line.split_ascii_whitespace();
    if !words.any(is_bridge) {
        return Target::Local;
    }
    let leads = |word: &&str| word.contains("://") || word.contains('$');
    words.find(leads).map_or(Target::Unknown, endpoint)
}

fn endpoint(text: &str) -> Target {
    let url = resolved(text).and_then(|text| Url::parse(text.trim()).ok());
    match url {
        Some(mut url) if matches!(url.scheme(), "https" | "http") => {
            url.set_fragment(None);
            Target::Url(url.into())
        }
        Some(_) | None => Target::Unknown,
    }
}

/// The text with each `${VAR:-default}` replaced; `None` if some variable has no default.
fn resolved(text: &str) -> Option<String> {
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        whole.push_str(before);
        let (variable, left) = after.strip_prefix('{')?.split_once('}')?;
        whole.push_str(variable.split_once(":-")?.1);
        rest = left;
    }
    whole.push_str(rest);
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(entry: Entry, expect: Target) {
        let shown = format!("{entry:?}");
        assert_eq!(target(&entry), expect, "{shown}");
    }

    fn at(url: &str) -> Entry {
        Entry {
            urls: vec![url.into()],
            ..Entry::default()
        }
    }

    fn run(words: &str) -> Entry {
        let mut words = words.split(' ').map(str::to_owned);
        Entry {
            command: words.next(),
            args: words.collect(),
            ..Entry::default()
        }
    }

    #[test]
    fn rows() {
        let url = |text: &str| Target::Url(text.into());
        check(at("https://A.example.com"), url("https://a.example.com/"));
        check(
            at("${URL:-https://a.example.com/mcp}"),
            url("https://a.example.com/mcp"),
        );
        check(
            at("https://${HOST:-a.example.com}/mcp"),
            url("https://a.example.com/mcp"),
        );
        check(at("${URL}"), Target::Unknown);
        check(at("https://a.example.com/${env:X}"), Target::Unknown);
        check(at("$URL"), Target::Unknown);
        check(at("ws://a.example.com"), Target::Unknown);
        check(at("not a url"), Target::Unknown);
        check(
            run("npx -y mcp-remote https://a.example.com/mcp --header X:1"),
            url("https://a.example.com/mcp"),
        );
        check(
            run("npx mcp-remote@0.1.2 https://a.example.com/mcp"),
            url("https://a.example.com/mcp"),
        );
        check(run("cmd /c npx mcp-remote ${URL}"), Target::Unknown);
        check(run("npx mcp-remote"), Target::Unknown);
        check(run("node server.js"), Target::Local);
        check(run("${TOOL}"), Target::Unknown);
        check(run("node ${workspaceFolder}/server.js"), Target::Local);
        check(
            run("npx ${X:-mcp-remote} https://a.example.com/mcp"),
            url("https://a.example.com/mcp"),
        );
        check(Entry::default(), Target::Unknown);
        let both = Entry {
            urls: vec!["https://a.example.com".into()],
            command: Some("x".into()),
            args: vec![],
        };
        check(both, Target::Unknown);
    }
}
