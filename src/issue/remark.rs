//! What is said at each turn of an issue: its status line, and the one comment.
//!
//! Words of ours only: what a server says stands in the body, in code.

use super::approval::{Approval, Standing};
use super::counts::counts;
use super::place::{Place, minute};
use super::posted::Openness;
use super::trouble::What;
use crate::untrusted::Untrusted;

/// Before anything else: a report stops nobody.
pub(super) const DRIFTED: &str = "**Nothing has been stopped.** Agents that use this server already receive what it offers now. To stop them, remove or disable it in the client configuration that names it (`.mcp.json` and the like), or revoke its credentials.";

pub(super) const MANY: &str = "**Nothing has been stopped.** Agents that use these servers already receive what they offer now. To stop them, remove or disable them in the client configuration that names them (`.mcp.json` and the like), or revoke their credentials.";

pub(super) const SILENT: &str = "**Nothing has been stopped.** The server gives no listing, so nothing is known about what it offers now. An agent that does reach it receives whatever it offers; to be sure, remove or disable it in the client configuration that names it (`.mcp.json` and the like).";

pub(super) fn drift_over(place: &Place<'_>) -> String {
    format!(
        "**Back to what was approved**, seen {}, and nobody approved anything in between. What the server offered meanwhile stands below. This stays open until a person closes it.",
        minute(place.now)
    )
}

pub(super) fn silence_over(place: &Place<'_>) -> String {
    format!(
        "**The server answers again**, seen {}, and offers what was approved. A person closes this.",
        minute(place.now)
    )
}

pub(super) fn settled(place: &Place<'_>, approval: &Approval) -> String {
    format!("**Settled.** {}", approved_again(place, approval))
}

pub(super) const GIVEN_UP: &str = "**Given up.** The server has no lockfile any more and is listed in `policy.removed` of the trust file.";

/// `A signed lockfile with the list that the server offers is on `main` …`
fn approved_again(place: &Place<'_>, approval: &Approval) -> String {
    let signed = match approval.standing {
        Standing::Signed => "A signed lockfile",
        Standing::Off => "A lockfile (the policy has signatures off)",
        Standing::Unsigned | Standing::NotCounted => {
            "A lockfile that nobody's signature vouches for"
        }
    };
    format!(
        "{signed} with the list that the server offers is on {}: approved {}{}.",
        place.branch.in_markdown(),
        minute(approval.at),
        by(approval)
    )
}

/// ` by alice, bob`
pub(super) fn by(approval: &Approval) -> String {
    let name = |name: &String| Untrusted::new(name.as_str()).in_markdown_cell().to_string();
    let names: Vec<String> = approval.by.iter().map(name).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(" by {}", names.join(", ")),
    }
}

/// The server is not, or again not, what was approved, or otherwise than the issue said.
pub(super) fn changed(what: What<'_>, place: &Place<'_>, before: Openness) -> String {
    let what = match what {
        What::Drift(evidence) => format!(
            "now differs from what was approved in: {}",
            counts(evidence)
        ),
        What::Silence(why) => format!("gives no listing any more: {}", why.reason),
    };
    let reopened = match before {
        Openness::Closed => " This was closed before that, so it is open again.",
        Openness::Open => "",
    };
    with_run(
        place,
        &format!(
            "The server {what}, seen {}. The text above is the current one.{reopened}",
            minute(place.now)
        ),
    )
}

pub(super) fn back(place: &Place<'_>) -> String {
    with_run(
        place,
        &format!(
            "The server offers what was approved again, seen {}, and nobody approved anything in between. What it offered meanwhile stands above: somebody may have received it, so find out why before you close this.",
            minute(place.now)
        ),
    )
}

pub(super) fn answers(place: &Place<'_>) -> String {
    with_run(
        place,
        &format!(
            "The server answers again and offers what was approved, seen {}. Close this when you know enough about the silence.",
            minute(place.now)
        ),
    )
}

pub(super) fn unsigned(place: &Place<'_>, approval: &Approval) -> String {
    let way_out = match approval.standing {
        Standing::NotCounted => {
            "There is no trust file to count signatures by, so a person has to close this."
        }
        Standing::Unsigned | Standing::Signed | Standing::Off => {
            "This closes when the signatures are there that the policy wants."
        }
    };
    with_run(
        place,
        &format!("{} {way_out}", approved_again(place, approval)),
    )
}

pub(super) fn closed(place: &Place<'_>, approval: &Approval) -> String {
    with_run(place, &approved_again(place, approval))
}

pub(super) fn dropped(place: &Place<'_>) -> String {
    with_run(
        place,
        "The server was given up: it has no lockfile any more and is listed in `policy.removed` of the trust file.",
    )
}

/// The words, and where they come from.
pub(super) fn with_run(place: &Place<'_>, words: &str) -> String {
    match place.run() {
        Some(run) => format!("{words}\n\n{run}"),
        None => words.to_owned(),
    }
}
