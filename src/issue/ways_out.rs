//! A drift → what a person can do about it, and how its issue closes.

use super::evidence::Evidence;
use super::place::Place;
use super::server::{Secrets, Server};
use super::{remark, words};
use crate::check::{Comparison, Outcome};
use crate::lock::Digest;

const EXPECTED: &str = "### You expected this

A release of the vendor, say. Read what it offers whole, then approve it and open a pull request with what the command wrote:

";
const NOT_EXPECTED: &str = "### You did not

Leave it red and ask the vendor. The text above is evidence: quote it. Do not hand it to an agent, and mind agents that read issues: it may be meant for them.

### How this closes

";
const SCOPE: &str = "Tools came or went and none changed, and this server is asked with credentials: other rights of the token may be all there is to it. Approve with credentials of the same rights as this check's.

";

/// The sections about it; `left_out` names what the issue does not show.
pub(super) fn ways_out(
    server: &Server<'_>,
    (evidence, left_out): (&Evidence<'_>, &[String]),
    place: &Place<'_>,
) -> String {
    let expect = expect(evidence, left_out);
    let why_not = match &expect {
        Ok(_) => String::new(),
        Err(why) => format!("{why}, so the command has no `--expect`: read what it shows.\n\n"),
    };
    let option = expect
        .map(|digest| format!(" \\\n  --expect {digest}"))
        .unwrap_or_default();
    let command = words::approve(server.path);
    let command = format!("{}{option}", command.in_terminal());
    let is_scope = server.secrets == Secrets::Some && words::only_comes_and_goes(evidence);
    let scope = if is_scope { SCOPE } else { "" };
    format!(
        "{EXPECTED}{}\n{why_not}{scope}{NOT_EXPECTED}{}\n",
        words::fenced(&command),
        closes(place)
    )
}

fn closes(place: &Place<'_>) -> String {
    let words = format!(
        "When a signed lockfile with the list that the server offers is on {}. If the server goes back by itself, this says so and stays open until a person closes it. Closed by a person, it stays closed until the server changes again.",
        place.branch.in_markdown()
    );
    remark::with_run(place, &words)
}

/// The listing digest that a reviewer may refer to, only if all that moved was shown; or why
/// there is none.
fn expect(evidence: &Evidence<'_>, left_out: &[String]) -> Result<Digest, &'static str> {
    let compared = evidence.drifts.iter().map(|one| match &one.outcome {
        Outcome::Compared(comparison) => Some(comparison),
        Outcome::Unlisted(_) => None,
    });
    let is_told = |one: &Comparison| words::changed(one).all(|tool| tool.untold.is_empty());
    match (compared.collect::<Vec<_>>().as_slice(), left_out) {
        ([Some(comparison)], []) if is_told(comparison) => {
            let offer = comparison.offer.as_ref();
            offer
                .map(|offer| offer.listing)
                .ok_or("The list has no digest")
        }
        ([Some(_)], _) => Err("Not everything is shown here"),
        _ => Err("There is no one list to refer to"),
    }
}
