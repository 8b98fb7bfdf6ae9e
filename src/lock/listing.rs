//! JSON → [`Listing`]: the answer to `tools/list`, all pages, each tool pinned.
//!
//! Obeys Lockfile v1, Hashing 1 to 3, and design §1 for what makes a listing malformed.

use super::twins::refuse_twins;
use super::{Digest, Malformed, Tool, tools_sha256};
use crate::json::{self, Item, NoticeKind, Value};
use crate::untrusted::Untrusted;

/// What a server offers: its tools, and what else it hands to a model.
///
/// The tools are sorted by name and the names are unique.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    tools: Vec<Tool>,
    instructions: Option<Untrusted>,
    tells_instructions: bool,
    server_info: Option<ServerInfo>,
    protocol_version: Option<Untrusted>,
    notices: Vec<NoticeKind>,
}

/// Who a server says it is; nothing that proves it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ServerInfo {
    /// `serverInfo.name`
    pub name: Untrusted,
    /// `serverInfo.version`
    pub version: Untrusted,
}

/// A `nextCursor`: opaque, and `""` is one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cursor(pub String);

impl Listing {
    /// Reads a whole listing from a `tools/list` result, a JSON-RPC answer that holds one,
    /// or a bare array of tools; `instructions` beside the tools are taken too.
    ///
    /// # Errors
    /// [`Malformed`] says why no reader can be sure of what the listing is.
    ///
    /// ```
    /// use lockgate::Listing;
    /// let listing = Listing::parse(br#"{"tools": [{"name": "add", "description": "Adds"}]}"#).unwrap();
    /// assert_eq!(listing.tools()[0].name().as_arrived(), "add");
    /// assert!(Listing::parse(br#"[{"name": "a"}, {"name": "a"}]"#).is_err());
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut tools = Ok(Vec::new());
        let mut pin = |tool: &Item<'_, '_>| {
            let Ok(pinned) = &mut tools else { return };
            match Tool::read_item(tool) {
                Ok(tool) => pinned.push(tool),
                Err(malformed) => tools = Err(malformed),
            }
        };
        let (document, arrays) = json::read_items(bytes, "tools", &mut pin)?;
        if arrays > 1 {
            return Err(Malformed::Protocol("two arrays named `tools`"));
        }
        let mut listing = Listing {
            tools: tools?,
            ..Listing::default()
        };
        listing.notice(document.notices.iter().map(|notice| notice.kind));
        if document.root.as_array().is_some() {
            return listing.finish();
        }
        let result = result_of(&document.root);
        listing.instructions = read_instructions(result.member("instructions"))?;
        listing.tells_instructions = result.member("instructions").is_some();
        match listing.add_page(result)? {
            Some(_) => Err(Malformed::MorePages),
            None => listing.finish(),
        }
    }

    /// The same listing with the `instructions` that the server gave in its handshake,
    /// which a `tools/list` answer does not hold; `None` if it gave none.
    #[must_use]
    pub fn with_instructions(mut self, instructions: Option<&str>) -> Self {
        self.instructions = instructions.map(Untrusted::new);
        self.tells_instructions = true;
        self
    }

    /// The same listing from a server that says it is this one, which a `tools/list` answer
    /// does not hold.
    #[must_use]
    pub fn with_server_info(mut self, server_info: Option<ServerInfo>) -> Self {
        self.server_info = server_info;
        self
    }

    /// A listing of tools that are pinned elsewhere, sorted by name and unique.
    pub(super) fn of_tools(tools: Vec<Tool>) -> Self {
        Listing {
            tools,
            ..Listing::default()
        }
    }

    /// Starts a listing that pages are added to; `None` where the server said nothing.
    ///
    /// # Errors
    /// [`Malformed::BadInstructions`] if `instructions` is neither text nor `null`.
    pub fn begin(
        protocol_version: &str,
        instructions: Option<&Value<'_>>,
        server_info: Option<ServerInfo>,
    ) -> Result<Self, Malformed> {
        Ok(Listing {
            instructions: read_instructions(instructions)?,
            tells_instructions: true,
            server_info,
            protocol_version: Some(Untrusted::new(protocol_version)),
            ..Listing::default()
        })
    }

    /// Adds the tools of one `tools/list` result and says where the next page is.
    ///
    /// # Errors
    /// [`Malformed`] for a result without tools, a bad tool, or a bad `nextCursor`.
    pub fn add_page(&mut self, result: &Value<'_>) -> Result<Option<Cursor>, Malformed> {
        let next = next_page(result)?;
        match result.member("tools") {
            Some(Value::Array(tools)) => self.add_tools(tools)?,
            other => return Err(Malformed::NoTools(other.map_or("nothing", Value::kind))),
        }
        Ok(next)
    }

    fn add_tools(&mut self, tools: &[Value<'_>]) -> Result<(), Malformed> {
        self.tools.reserve(tools.len());
        for tool in tools {
            self.tools.push(Tool::read(tool)?);
        }
        Ok(())
    }

    /// Records what the reader accepted but a person should know; each kind once.
    pub fn notice(&mut self, kinds: impl IntoIterator<Item = NoticeKind>) {
        for kind in kinds {
            if !self.notices.contains(&kind) {
                self.notices.push(kind);
            }
        }
    }

    /// Ends a listing: after the last page.
    ///
    /// # Errors
    /// [`Malformed::DuplicateName`] if two tools share a name.
    pub fn finish(mut self) -> Result<Self, Malformed> {
        self.tools.sort_by(|a, b| a.name().cmp(b.name()));
        let twins = self.tools.windows(2).find_map(|pair| match pair {
            [first, second] if first.name() == second.name() => Some(first.name().clone()),
            _ => None,
        });
        match twins {
            Some(name) => Err(Malformed::DuplicateName(name)),
            None => Ok(self),
        }
    }

    /// The tools, sorted by name.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool of that name.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        let found = self
            .tools
            .binary_search_by(|tool| tool.name().as_arrived().cmp(name));
        self.tools.get(found.ok()?)
    }

    /// `tools_sha256` (Lockfile v1, Hashing 3).
    pub fn tools_sha256(&self) -> Digest {
        tools_sha256(self.tools.iter().map(Tool::sha256))
    }

    /// The server's `instructions`, which reach models too.
    pub fn instructions(&self) -> Option<&Untrusted> {
        self.instructions.as_ref()
    }

    /// Is it known whether there are instructions? Not so for a bare list of tools.
    pub fn tells_instructions(&self) -> bool {
        self.tells_instructions
    }

    /// Who the server says it is.
    pub fn server_info(&self) -> Option<&ServerInfo> {
        self.server_info.as_ref()
    }

    /// The protocol version that was spoken; `None` for a listing from a file.
    pub fn protocol_version(&self) -> Option<&Untrusted> {
        self.protocol_version.as_ref()
    }

    /// What was accepted but should be told.
    pub fn notices(&self) -> &[NoticeKind] {
        &self.notices
    }
}

/// The `result` of a JSON-RPC answer, or the value itself if it is none.
fn result_of<'v, 'a>(root: &'v Value<'a>) -> &'v Value<'a> {
    match (root.member("tools"), root.member("result")) {
        (None, Some(result)) => result,
        (Some(_), _) | (None, None) => root,
    }
}

/// Where the next page is, after members that readers could take for each other.
fn next_page(result: &Value<'_>) -> Result<Option<Cursor>, Malformed> {
    if let Some(members) = result.as_object() {
        refuse_twins(members, &["tools", "nextCursor", "instructions"])?;
    }
    match result.member("nextCursor") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(cursor)) => Ok(Some(Cursor(cursor.as_str().to_owned()))),
        Some(other) => Err(Malformed::BadCursor(other.kind())),
    }
}

fn read_instructions(value: Option<&Value<'_>>) -> Result<Option<Untrusted>, Malformed> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(Untrusted::new(text.as_str()))),
        Some(other) => Err(Malformed::BadInstructions(other.kind())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: Result<&[&str], Malformed>) {
        let found = Listing::parse(text.as_bytes());
        let found = found.map(|listing| listing.tools.iter().map(|t| t.name().clone()).collect());
        let expect = expect.map(|names| names.iter().map(|name| Untrusted::from(*name)).collect());
        assert_eq!(found, expect as Result<Vec<Untrusted>, Malformed>, "{text}");
    }

    #[test]
    fn only_what_stands_where_tools_are_due_is_a_tool() {
        let two = || Err(Malformed::Protocol("two arrays named `tools`"));
        check(r#"[{"name":"b"},{"name":"a"}]"#, Ok(&["a", "b"]));
        check(r#"{"tools":[{"name":"a"}]}"#, Ok(&["a"]));
        check(
            r#"{"result":{"tools":[{"name":"a"}],"_meta":{"tools":[1]}},"id":1}"#,
            Ok(&["a"]),
        );
        check(r#"{"tools":[]}"#, Ok(&[]));
        check("[]", Ok(&[]));
        check(r#"{"tools":[],"x":{"tools":[{"name":"a"}]}}"#, two());
        check(r#"{"x":{"tools":[{"name":"a"}]},"tools":[]}"#, two());
        check(
            r#"{"x":{"tools":[{"name":"a"}]},"result":{"tools":[]}}"#,
            two(),
        );
        check(
            r#"{"x":{"tools":[{"name":"a"}]}}"#,
            Err(Malformed::NoTools("nothing")),
        );
        check(
            r#"{"x":{"tools":[{"name":"a"}]},"result":[]}"#,
            Err(Malformed::NoTools("nothing")),
        );
        check(
            r#"{"x":{"tools":[{"name":"a"}]},"tools":null}"#,
            Err(Malformed::NoTools("null")),
        );
        check(
            r#"{"tools":[{"name":"a","x":[{"tools":[{"name":"b"}]}]}]}"#,
            Ok(&["a"]),
        );
        check(
            r#"{"tools":[1]}"#,
            Err(Malformed::ToolNotAnObject("a number")),
        );
        check("1", Err(Malformed::NoTools("nothing")));
    }
}
