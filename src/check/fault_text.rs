//! A lockfile's or companion's fault → the sentence and the way out that people read.

use super::Unlisted;
use crate::lock::{LockfileFault, Problem};
use crate::message::Message;

/// What is wrong, in one sentence, and how to mend it.
pub fn explain(fault: &LockfileFault) -> (Message, Message) {
    (sentence(&fault.problem), way_out(&fault.problem))
}

fn sentence(problem: &Problem) -> Message {
    match problem {
        Problem::Json(error) => Message::new(format!("not acceptable JSON: {error}")),
        Problem::NotAnObject(kind) => Message::new(format!("the text is {kind}, not an object")),
        Problem::Kind(Some(kind)) => Message::new("`kind` is ").theirs(kind),
        Problem::Kind(None) => Message::new("`kind` is missing or no string"),
        Problem::Version => Message::new("`v` is not 1"),
        Problem::Missing(pointer) => Message::default()
            .theirs(&pointer.as_str().into())
            .ours(" is missing"),
        Problem::Shape { pointer, due } => Message::new("at ")
            .theirs(&pointer.as_str().into())
            .ours(format!(" {due} is due")),
        Problem::Url(url, error) => Message::new("`server.url` ")
            .theirs(url)
            .ours(format!(" cannot be used: {error}")),
        Problem::UnknownPin(name) => Message::new("`extended` has a member ")
            .theirs(name)
            .ours(" that this version does not know"),
        Problem::Seal => {
            Message::new("`sha256` is not the seal of this document: something in it was changed")
        }
        Problem::Count => Message::new("`count` is not the number of tools listed"),
        Problem::DuplicateName(name) => Message::new("two tools are named ").theirs(name),
        Problem::ToolsSha256 => Message::new("`tools_sha256` does not match the tools listed"),
        Problem::UnknownDescription(name) => Message::new("`descriptions` names ")
            .theirs(name)
            .ours(", which `tools` does not"),
        Problem::ExtendedTools => {
            Message::new("`extended.tools` does not name the same tools as `tools`")
        }
        Problem::NotTheApprovedTool(name) => Message::new("the tool ")
            .theirs(name)
            .ours(" is not the one that the lockfile pins"),
        Problem::NotTheApprovedDescription(name) => Message::new("the lockfile's description of ")
            .theirs(name)
            .ours(" is not that of the tool it pins"),
        Problem::NotTheApprovedInstructions => {
            Message::new("the instructions are not the ones that the lockfile pins")
        }
        Problem::Listing(malformed) => Unlisted::from(malformed.clone()).message(),
    }
}

fn way_out(problem: &Problem) -> Message {
    match problem {
        Problem::UnknownPin(_) => Message::new(
            "check with the version of lockgate that made the lockfile, or a newer one",
        ),
        Problem::Url(..) => Message::new("lock the server again by the URL in normal form"),
        Problem::Kind(_) | Problem::Version => {
            Message::new("a lockfile has `\"kind\": \"crawlcheck-mcp-lock\"` and `\"v\": 1`")
        }
        Problem::NotTheApprovedTool(_)
        | Problem::NotTheApprovedInstructions
        | Problem::NotTheApprovedDescription(_)
        | Problem::Listing(_) => Message::new(
            "restore the companion listing from the commit that approved the lockfile, or delete it",
        ),
        Problem::Json(_)
        | Problem::NotAnObject(_)
        | Problem::Missing(_)
        | Problem::Shape { .. }
        | Problem::Seal
        | Problem::Count
        | Problem::DuplicateName(_)
        | Problem::ToolsSha256
        | Problem::UnknownDescription(_)
        | Problem::ExtendedTools => Message::new(
            "lockfiles are not edited by hand: restore the approved one, or lock the server again and read the list",
        ),
    }
}
