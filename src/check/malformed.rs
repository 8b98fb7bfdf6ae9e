//! [`Malformed`] → [`Unlisted`]: a listing that cannot be what was approved, in words.
//!
//! The one place for these words. Ours stand in `detail`, the server's in `said`.

use super::{Reason, Unlisted};
use crate::json::{self, ReadError};
use crate::lock::Malformed;
use crate::untrusted::Untrusted;

impl From<Malformed> for Unlisted {
    fn from(malformed: Malformed) -> Self {
        let hint = hint(&malformed).map(str::to_owned);
        let (detail, said) = words(malformed);
        Unlisted {
            reason: Reason::MalformedListing,
            detail,
            said,
            hint,
        }
    }
}

fn words(malformed: Malformed) -> (String, Option<Untrusted>) {
    match malformed {
        Malformed::Json(error) => (error.to_string(), None),
        Malformed::NoTools(kind) => (format!("{kind} where the array `tools` is due"), None),
        Malformed::ToolNotAnObject(kind) => (format!("{kind} where a tool is due"), None),
        Malformed::ToolWithoutName => ("a tool without a `name` that is text".into(), None),
        Malformed::DuplicateName(name) => ("two tools have the same name".into(), Some(name)),
        Malformed::CaseVariant { tool, member } => (
            "a tool has a member that equals a pinned one but for letter case".into(),
            Some(pair(&tool, &member)),
        ),
        Malformed::BadCursor(kind) => (format!("{kind} where the text `nextCursor` is due"), None),
        Malformed::RepeatedCursor(cursor) => (
            "a `nextCursor` that was followed before: the listing has no end".into(),
            Some(cursor),
        ),
        Malformed::MorePages => ("one page of several where all tools are due".into(), None),
        Malformed::BadInstructions(kind) => {
            (format!("{kind} where the text `instructions` is due"), None)
        }
        Malformed::Protocol(what) => (what.into(), None),
    }
}

/// A tool's name and a member's, both as they arrived.
fn pair(tool: &Untrusted, member: &Untrusted) -> Untrusted {
    Untrusted::new(format!("{}: {}", tool.as_arrived(), member.as_arrived()))
}

fn hint(malformed: &Malformed) -> Option<&'static str> {
    match malformed {
        Malformed::Json(error) => json_hint(error),
        Malformed::DuplicateName(_) | Malformed::CaseVariant { .. } => {
            Some("agents would differ in what they take it for; only the server can mend it")
        }
        Malformed::MorePages => Some("join the pages into one array of tools"),
        Malformed::NoTools(_)
        | Malformed::ToolNotAnObject(_)
        | Malformed::ToolWithoutName
        | Malformed::BadCursor(_)
        | Malformed::RepeatedCursor(_)
        | Malformed::BadInstructions(_)
        | Malformed::Protocol(_) => None,
    }
}

fn json_hint(error: &ReadError) -> Option<&'static str> {
    match error.reason {
        json::Reason::DuplicateKey => {
            Some("some readers keep the first of the two, others the last")
        }
        json::Reason::LoneSurrogate | json::Reason::InvalidUtf8 => {
            Some("readers differ in what they make of such text")
        }
        json::Reason::NumberOverflow
        | json::Reason::NumberUnderflow
        | json::Reason::NumberNotPreserved => {
            Some("readers differ in what they make of such a number")
        }
        json::Reason::Depth | json::Reason::Syntax | json::Reason::TooLarge => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::Listing;

    fn check(listing: &str, detail: &str, said: Option<&str>) {
        let malformed = Listing::parse(listing.as_bytes()).expect_err(listing);
        let unlisted = Unlisted::from(malformed);
        assert_eq!(unlisted.reason, Reason::MalformedListing);
        assert_eq!(unlisted.detail, detail, "{listing}");
        assert_eq!(unlisted.said, said.map(Untrusted::from), "{listing}");
    }

    #[test]
    fn names_the_thing_and_keeps_hostile_text_apart() {
        check(
            r#"[{"name":"a","name":"b"}]"#,
            "a second member of the same name at byte 13 (duplicate_key)",
            None,
        );
        check(
            r#"[{"name":"a"},{"name":"a"}]"#,
            "two tools have the same name",
            Some("a"),
        );
        check(
            r#"[{"name":"a","Description":"b"}]"#,
            "a tool has a member that equals a pinned one but for letter case",
            Some("a: Description"),
        );
        check(
            r#"{"tools":null}"#,
            "null where the array `tools` is due",
            None,
        );
        check("[1]", "a number where a tool is due", None);
        check("[{}]", "a tool without a `name` that is text", None);
    }
}
