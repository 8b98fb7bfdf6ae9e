//! [`Trouble`] → title and body of its issue: what a person needs who reads it at night.
//!
//! Obeys design §8 and the walk-through of a drift: whether anything was stopped, what
//! moved, what to do if it was expected and if not, how it closes. Text from outside stands
//! in code.

use super::approval::Standing;
use super::counts::counts;
use super::evidence::Evidence;
use super::marker::{Marker, Subject};
use super::page::{self, Fitted, LONGEST_BODY, fit, length};
use super::place::{Place, minute};
use super::remark::{self, by};
use super::server::Server;
use super::suspicion::Suspicion;
use super::trouble::{Trouble, What};
use super::ways_out::ways_out;
use super::{Draft, words};
use crate::check::{Outcome, Unlisted};
use crate::lock::{Digest, ServerInfo};

/// The issue about a server.
pub(super) fn draft(trouble: &Trouble<'_>, place: &Place<'_>) -> Draft {
    let marker = marker(trouble);
    let name = &trouble.server.name;
    let (title, body) = match trouble.what {
        What::Drift(evidence) => (
            format!(
                "MCP tools changed: {name} · {}{}",
                counts(evidence),
                Suspicion::of(evidence).title()
            ),
            drifted(trouble, &marker, evidence, place),
        ),
        What::Silence(why) => (
            format!("MCP server gives no listing: {name} · {}", why.reason),
            silent(trouble, &marker, why, place),
        ),
    };
    let title = page::title(&title);
    Draft {
        marker,
        title,
        body,
    }
}

fn marker(trouble: &Trouble<'_>) -> Marker {
    let server = trouble.server;
    let subject = Subject::Server {
        key: server.key,
        url: Digest::of(server.url.as_str()),
        approved_at: server.approval.at,
    };
    let state = trouble.state();
    Marker { subject, state }
}

fn drifted(
    trouble: &Trouble<'_>,
    marker: &Marker,
    evidence: &Evidence<'_>,
    place: &Place<'_>,
) -> String {
    let server = trouble.server;
    let moved = words::moved(evidence);
    let whole = words::whole(evidence);
    let head = format!(
        "{}\n{}\n### What moved\n\n",
        page::head(marker, remark::DRIFTED),
        table(trouble, evidence)
    );
    // Room for the longest ways out there are; what is left is for the words.
    let longest = ways_out(server, (evidence, &[]), place);
    let room = LONGEST_BODY.saturating_sub(length(&head) + length(&longest) + 3_000);
    let mut shown = fit(moved, room);
    let rest = room.saturating_sub(length(&shown.text));
    let whole = fit(whole, rest.saturating_sub(200));
    shown.left_out.extend(whole.left_out);
    let ways_out = ways_out(server, (evidence, &shown.left_out), place);
    let cut = cut(&shown, place);
    format!("{head}{}{cut}{ways_out}{}", shown.text, folded(&whole.text))
}

fn folded(whole: &str) -> String {
    match whole.is_empty() {
        true => String::new(),
        false => format!("\n<details><summary>Whole texts</summary>\n\n{whole}\n</details>\n"),
    }
}

/// What is left out is named, and where it is.
fn cut(shown: &Fitted, place: &Place<'_>) -> String {
    if shown.left_out.is_empty() {
        return String::new();
    }
    let mut names = shown.left_out.clone();
    names.dedup();
    let short = |name: &String| match length(name) <= 80 {
        true => name.clone(),
        false => "`…`".to_owned(),
    };
    let names: Vec<String> = names.iter().map(short).collect();
    let run = place
        .run()
        .map(|run| format!(" of {run}"))
        .unwrap_or_default();
    format!(
        "**Left out, for want of room:** {}. The report{run} holds all of it.\n\n",
        page::names(&names)
    )
}

/// What is known of the server, then and now.
fn table(trouble: &Trouble<'_>, evidence: &Evidence<'_>) -> String {
    let Trouble { server, row, .. } = trouble;
    let info = |info: Option<&ServerInfo>| info.map(called).unwrap_or_default();
    let drift = evidence.drifts.first();
    let then = drift
        .and_then(|one| one.lockfile.as_ref())
        .and_then(|lockfile| lockfile.server().info.as_ref());
    let now = drift.and_then(|one| match &one.outcome {
        Outcome::Compared(comparison) => comparison.offer.as_ref()?.server_info.as_ref(),
        Outcome::Unlisted(_) => None,
    });
    let approval = &server.approval;
    let unsigned = match approval.standing {
        Standing::Signed => "",
        Standing::Unsigned => ", not signed as the policy wants",
        Standing::Off => ", signatures are off",
        Standing::NotCounted => ", signatures are not counted: there is no trust file",
    };
    format!(
        "{}| approved | {}{}{unsigned}{} |\n| now | first seen {}{} |\n{}| next | if you expected this: {}; if not: leave it red, and ask the vendor |\n",
        facts(server),
        minute(approval.at),
        by(approval),
        info(then),
        minute(row.since),
        info(now),
        Suspicion::of(evidence).row(),
        page::cell(&words::approve(server.path))
    )
}

/// Which server it is, and which lockfiles pin it: the table's first rows.
fn facts(server: &Server<'_>) -> String {
    format!(
        "| server | {} |\n|---|---|\n| lockfile | {} |\n",
        page::cell(&server.url.untrusted()),
        lockfiles(server)
    )
}

/// The first lockfile of a server, and how many more there are.
pub(super) fn lockfiles(server: &Server<'_>) -> String {
    let more = match server.checked.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    format!("{}{more}", page::cell(server.path))
}

fn called(info: &ServerInfo) -> String {
    format!(
        " · calls itself {} {}",
        page::cell(&info.name),
        page::cell(&info.version)
    )
}

fn silent(trouble: &Trouble<'_>, marker: &Marker, why: &Unlisted, place: &Place<'_>) -> String {
    let Trouble { server, row, .. } = trouble;
    let approval = &server.approval;
    let good = row.good.map_or_else(|| "not known".to_owned(), minute);
    let table = format!(
        "{}| approved | {}{} |\n| silent | since {}, {} runs in a row |\n| last good check | {good} |\n| reason | `{}` |\n",
        facts(server),
        minute(approval.at),
        by(approval),
        minute(row.since),
        row.failures,
        why.reason
    );
    let closes = "A person closes it. When the server answers again, this says so. Closed by a person, it stays closed until the server has answered and fallen silent again, or changes.";
    format!(
        "{}\n{table}\n### What happened\n\n{}### What to do\n\n{}\n\n### How this closes\n\n{}\n",
        page::head(marker, remark::SILENT),
        words::unlisted(why).text,
        words::what_to_do(why.reason),
        remark::with_run(place, closes)
    )
}
