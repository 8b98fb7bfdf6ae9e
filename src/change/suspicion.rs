//! A finding of the scan → the sentence, why it weighs what it weighs, and the way out.

use super::approved::day;
use super::weighing::Standing;
use crate::message::Message;
use crate::scan::{Kind, ScanFinding};

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

/// What to do; `may_sign`: does an approver's signature count here?
pub(super) fn way_out(finding: &ScanFinding, standing: Standing<'_>, may_sign: bool) -> Message {
    let sign = match may_sign {
        true => "let an approver read and sign it (`lockgate approve`), or ",
        false => "",
    };
    Message::new(match standing {
        Standing::Suppressed(_) => {
            "nothing to do before that day; other words have another digest".to_owned()
        }
        Standing::Ended(_) => {
            "read it once more, and set a new `until` or ask the server's owner for other words"
                .to_owned()
        }
        Standing::ByPolicy if finding.kind == Kind::Drift => {
            "these words were added since the approval: take them for an attack until the server's owner has explained them"
                .to_owned()
        }
        Standing::LeftOut => {
            "read it, and approve the server again with `lockgate approve`".to_owned()
        }
        Standing::ByPolicy => format!(
            "read the whole text before an agent does; if it is meant well, {sign}{}",
            entry(finding)
        ),
        Standing::Signed | Standing::NewerRules => {
            format!("if it is meant well, {}", entry(finding))
        }
    })
}

fn entry(finding: &ScanFinding) -> String {
    let sha256 = finding.sha256.map(|sha256| sha256.to_string());
    format!(
        "add `[[suppress]]` with rule = \"{}\", sha256 = \"{}\", a reason and an end to the trust file",
        finding.rule.id(),
        sha256.unwrap_or_default()
    )
}
