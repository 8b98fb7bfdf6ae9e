//! A lockfile's or companion's fault → the sentence and the way out that people read.

use super::Unlisted;
use crate::lock::{LockfileFault, Problem};
use crate::message::Message;

/// What is wrong, in one sentence, and how to mend it.
pub fn explain(fault: &LockfileFault) -> (Message, Message) {
    (sentence(&fault.problem), way_out(&fault.problem))
}

fn sentence(problem: &Problem) -> Message {
    let quoting =
        |before: &str, theirs, after: &str| Message::new(before).theirs(theirs).ours(after);
    match problem {
        Problem::Json(error) => Message::new(format!("not acceptable JSON: {error}")),
        Problem::NotAnObject(kind) => Message::new(format!("the text is {kind}, not an object")),
        Problem::Kind(Some(kind)) => quoting("`kind` is ", kind, ""),
        Problem::Kind(None) => "`kind` is missing or no string".into(),
        Problem::Version => "`v` is not 1".into(),
        Problem::Missing(pointer) => quoting("", &pointer.as_str().into(), " is missing"),
        Problem::Shape { pointer, due } => {
            quoting("at ", &pointer.as_str().into(), &format!(" {due} is due"))
        }
        Problem::Url(url, bad) => quoting("`server.url` ", url, &format!(" cannot be used: {bad}")),
        Problem::UnknownPin(name) => quoting(
            "`extended` has a member ",
            name,
            " that this version does not know",
        ),
        Problem::Seal => {
            "`sha256` is not the seal of this document: something in it changed".into()
        }
        Problem::Count => "`count` is not the number of tools listed".into(),
        Problem::DuplicateName(name) => quoting("two tools are named ", name, ""),
        Problem::ToolsSha256 => "`tools_sha256` does not match the tools listed".into(),
        Problem::UnknownDescription(name) => {
            quoting("`descriptions` names ", name, ", unlike `tools`")
        }
        Problem::ExtendedTools => "`extended.tools` does not name the tools of `tools`".into(),
        Problem::NotTheApprovedTool(name) => quoting("the tool ", name, " is not the pinned one"),
        Problem::LacksApprovedTool(name) => quoting("the pinned tool ", name, " is not in it"),
        Problem::NotTheApprovedDescription(name) => quoting(
            "the description of ",
            name,
            " is not the one that the lockfile holds",
        ),
        Problem::NotTheApprovedInstructions => "the instructions are not the pinned ones".into(),
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
        | Problem::LacksApprovedTool(_)
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
