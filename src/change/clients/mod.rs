//! bytes of a client's configuration → the MCP servers that it names.
//!
//! Obeys design §5 (`server-without-lockfile`). What cannot be read for certain is said to
//! be so: a client may take it for anything.

mod jsonc;
mod target;

use toml::Value as Toml;

use self::jsonc::plain;
pub use self::target::Target;
use self::target::{Entry, target};
use super::RepoPath;
use crate::json::{self, Lines, Value};
use crate::untrusted::Untrusted;

/// The files in which clients keep their servers, at any depth of a repository.
const CONFIGS: [&str; 9] = [
    ".mcp.json",
    ".cursor/mcp.json",
    ".vscode/mcp.json",
    ".gemini/settings.json",
    ".codex/config.toml",
    ".github/mcp.json",
    "claude_desktop_config.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
];

/// Where in such a file the servers stand.
const TABLES: [&str; 3] = ["mcpServers", "servers", "mcp_servers"];

/// A server as a client's configuration names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The configuration's name for it.
    pub name: Untrusted,
    /// What the client would start or connect to.
    pub target: Target,
    /// The line, counted from 1, where it is known.
    pub line: Option<usize>,
}

/// Is it a client's configuration? Clients look for it by exactly that name; on a file
/// system that is blind to letter case any other spelling is it too.
pub fn is_config(path: &RepoPath) -> bool {
    let folded = path.folded();
    let is_it = |name: &&str| {
        let before = folded.strip_suffix(*name);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    CONFIGS.iter().any(is_it)
}

/// The servers that a configuration names; `None` if it cannot be read.
pub fn named(path: &RepoPath, bytes: &[u8]) -> Option<Vec<Named>> {
    if path.ends_with(".toml") {
        of_toml(std::str::from_utf8(bytes).ok()?)
    } else {
        of_json(bytes)
    }
}

fn of_json(bytes: &[u8]) -> Option<Vec<Named>> {
    let plain = plain(bytes);
    if plain.iter().all(u8::is_ascii_whitespace) {
        return Some(Vec::new());
    }
    let document = json::read(&plain).ok()?;
    let lines = Lines::of(bytes);
    let tables = TABLES.iter().filter_map(|name| document.root.member(name));
    let mut found = Vec::new();
    for table in tables {
        for member in table.as_object()?.iter() {
            found.push(Named {
                name: Untrusted::new(member.name.as_str()),
                target: target(&entry_of_json(&member.value)),
                line: Some(lines.line(member.at)),
            });
        }
    }
    Some(found)
}

fn entry_of_json(value: &Value<'_>) -> Entry {
    let text = |name: &str| {
        value
            .member(name)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let items = |name: &str| {
        value
            .member(name)
            .and_then(Value::as_array)
            .unwrap_or_default()
    };
    Entry {
        urls: ["httpUrl", "url", "serverUrl"]
            .into_iter()
            .filter_map(text)
            .collect(),
        command: text("command"),
        args: items("args")
            .iter()
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect(),
    }
}

fn of_toml(text: &str) -> Option<Vec<Named>> {
    let document: toml::Table = text.parse().ok()?;
    let tables = TABLES.iter().filter_map(|name| document.get(*name));
    let mut found = Vec::new();
    for table in tables {
        for (name, value) in table.as_table()? {
            found.push(Named {
                name: Untrusted::new(name),
                target: target(&entry_of_toml(value)),
                line: line_of(text, name),
            });
        }
    }
    Some(found)
}

fn entry_of_toml(value: &Toml) -> Entry {
    let text = |name: &str| value.get(name).and_then(Toml::as_str).map(str::to_owned);
    let args = value.get("args").and_then(Toml::as_array);
    let texts = args.into_iter().flatten().filter_map(Toml::as_str);
    Entry {
        urls: ["url", "httpUrl"].into_iter().filter_map(text).collect(),
        command: text("command"),
        args: texts.map(str::to_owned).collect(),
    }
}

/// The line of the table's heading, where it is written as people write it.
fn line_of(text: &str, name: &str) -> Option<usize> {
    let headings = [
        format!("[mcp_servers.{name}]"),
        format!("[mcp_servers.\"{name}\"]"),
    ];
    let is_heading = |line: &str| headings.iter().any(|heading| line.trim() == heading);
    text.lines().position(is_heading).map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expect: &[(&str, Target)]) {
        let found = named(&RepoPath::new(path), text.as_bytes()).unwrap();
        let found: Vec<_> = found
            .into_iter()
            .map(|one| (one.name.as_arrived().to_owned(), one.target))
            .collect();
        let expect: Vec<_> = expect
            .iter()
            .map(|(name, target)| ((*name).to_owned(), target.clone()))
            .collect();
        assert_eq!(found, expect, "{text}");
    }

    fn url(text: &str) -> Target {
        Target::Url(text.to_owned())
    }

    #[test]
    fn files() {
        for (path, is) in [
            (".mcp.json", true),
            ("packages/a/.mcp.json", true),
            ("x.mcp.json", false),
            (".VSCode/mcp.json", true),
            ("mcp.json", false),
            (".claude/settings.local.json", true),
            (".codex/config.toml", true),
        ] {
            assert_eq!(is_config(&RepoPath::new(path)), is, "{path}");
        }
    }

    #[test]
    fn shapes() {
        check(
            ".mcp.json",
            r#"{"mcpServers": {"a": {"type": "http", "url": "https://a.example.com/mcp"}, "b": {"command": "fs"}}}"#,
            &[
                ("a", url("https://a.example.com/mcp")),
                ("b", Target::Local),
            ],
        );
        check(
            ".vscode/mcp.json",
            "{ // mine\n \"servers\": {\"a\": {\"url\": \"https://a.example.com/mcp\",},},\n /* end */ }",
            &[("a", url("https://a.example.com/mcp"))],
        );
        check(
            ".codex/config.toml",
            "[mcp_servers.a]\nurl = \"https://a.example.com/mcp\"\n[mcp_servers.b]\ncommand = \"npx\"\nargs = [\"-y\", \"mcp-remote\", \"https://b.example.com/mcp\"]\n",
            &[
                ("a", url("https://a.example.com/mcp")),
                ("b", url("https://b.example.com/mcp")),
            ],
        );
        check(
            ".gemini/settings.json",
            r#"{"theme": "x", "mcpServers": {"a": {"httpUrl": "$URL"}}}"#,
            &[("a", Target::Unknown)],
        );
        check(".mcp.json", "", &[]);
        assert_eq!(
            named(
                &RepoPath::new(".mcp.json"),
                br#"{"mcpServers": {"a": {}, "a": {}}}"#
            ),
            None
        );
        assert_eq!(named(&RepoPath::new(".mcp.json"), b"{"), None);
    }
}
