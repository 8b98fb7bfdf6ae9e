//! Lockfile and [`Surface`] → what differs in nothing that is pinned and yet is worth knowing.

use super::{Finding, Rule, Surface};
use crate::json::NoticeKind;
use crate::lock::{InstructionsPin, Lockfile};
use crate::message::Message;
use crate::untrusted::Untrusted;

/// The notes on one check.
pub fn notes(path: &Untrusted, approved: &Lockfile, current: &Surface) -> Vec<Finding> {
    let found = [
        uncovered(approved, current),
        other_version(approved, current),
        accepted(current),
    ];
    found
        .into_iter()
        .flatten()
        .map(|finding| finding.at(path, None))
        .collect()
}

/// Text that reaches the model and that the lockfile does not pin (design §2).
fn uncovered(approved: &Lockfile, current: &Surface) -> Option<Finding> {
    let mut surface = Vec::new();
    if approved.extended().is_none() {
        surface.push((current.titles, "title"));
        surface.push((current.output_schemas, "outputSchema"));
    }
    if approved.instructions_pin() == InstructionsPin::NotPinned {
        surface.push((current.instructions, "instructions"));
    }
    let told: Vec<String> = surface
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, member)| format!("{count} × `{member}`"))
        .collect();
    let finding = Finding::new(
        Rule::UncoveredSurface,
        Message::new(format!(
            "the model is handed text that the lockfile does not pin: {}",
            told.join(", ")
        )),
    );
    (!told.is_empty()).then(|| finding.hint("a lockfile made by `lockgate lock` pins it"))
}

fn other_version(approved: &Lockfile, current: &Surface) -> Option<Finding> {
    let (then, now) = (
        approved.server().protocol_version.as_ref()?,
        current.protocol_version.as_ref()?,
    );
    let message = Message::new("the server speaks protocol version ")
        .theirs(now)
        .ours(", at approval it was ")
        .theirs(then);
    (then != now).then(|| Finding::new(Rule::ProtocolVersion, message))
}

fn accepted(current: &Surface) -> Option<Finding> {
    let words = |kind: &NoticeKind| match kind {
        NoticeKind::ByteOrderMark => "a byte order mark",
        NoticeKind::NumberRounded => "a number that the canonical form rounds",
    };
    let told: Vec<&str> = current.notices.iter().map(words).collect();
    (!told.is_empty()).then(|| {
        Finding::new(
            Rule::ListingNotice,
            Message::new(format!("the listing holds {}", told.join(" and "))),
        )
    })
}
