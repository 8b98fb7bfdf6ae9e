//! A finding of the scan → the sentence, why it weighs what it weighs, and the way out.

use super::approved::day;
use super::weighing::Standing;
use crate::message::Message;
use crate::scan::ScanFinding;

/// Most characters of a sentence that are told beside others; the report holds all.
const EXCERPT: usize = 240;

pub(super) fn sentence(finding: &ScanFinding, more: usize) -> Message {
    let message = match &finding.tool {
        Some(tool) => Message::new("tool ").theirs(tool).ours(", "),
        None => Message::new(""),
    };
    let text = finding.excerpt.as_arrived();
    let (shown, left) = match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => text.split_at(end),
        None => (text, ""),
    };
    let message = match finding.pointer.as_arrived() {
        "" => message,
        _ => message.theirs(&finding.pointer).ours(": "),
    };
    let rule = format!("{} ({}): ", finding.rule.id(), finding.severity.name());
    let message = message.ours(rule).theirs(&shown.into());
    let message = match left.chars().count() {
        0 => message,
        left => message.ours(format!(" … and {left} more characters in the report")),
    };
    match more {
        0 => message,
        1 => message.ours("; and 1 more finding in this tool, in the report"),
        _ => message.ours(format!(
            "; and {more} more findings in this tool, in the report"
        )),
    }
}

pub(super) fn because(standing: Standing<'_>) -> Message {
    match standing {
        Standing::ByPolicy => Message::default(),
        Standing::Signed => Message::new("; approvers signed it with this finding before them"),
        Standing::NewerRules => {
            Message::new("; approvers signed this text, without these rules' scan before them")
        }
        Standing::LeftOut => {
            Message::new("; approvers signed this text, with a scan that leaves it out")
        }
        Standing::Suppressed(entry) => {
            Message::new(format!("; suppressed until {}: ", day(entry.until)))
                .theirs(&entry.reason.as_str().into())
        }
        Standing::Ended(entry) => {
            Message::new(format!("; it was suppressed until {}: ", day(entry.until)))
                .theirs(&entry.reason.as_str().into())
        }
    }
}

pub(super) fn way_out(finding: &ScanFinding, standing: Standing<'_>) -> Message {
    let again =
        "read it once more, and set a new `until` or ask the server's owner for other words";
    let entry = || match finding.sha256 {
        Some(sha256) => format!(
            "`[[suppress]]` with rule = \"{}\" and sha256 = \"{sha256}\"",
            finding.rule.id()
        ),
        None => "an approval".to_owned(),
    };
    Message::new(match standing {
        Standing::Suppressed(_) => {
            return Message::new("nothing to do before that day; the text itself is pinned");
        }
        Standing::Ended(_) => again.to_owned(),
        Standing::LeftOut => format!(
            "read it, and approve the server again with `lockgate approve`; or add {} to the trust file",
            entry()
        ),
        Standing::ByPolicy | Standing::Signed | Standing::NewerRules => format!(
            "read the whole text before an agent does; if it is meant well, add {}, a reason and an end to the trust file",
            entry()
        ),
    })
}
