//! [`Run`] → one page for a browser: what was found, what is next, every difference whole.
//!
//! Obeys design §3. The page needs no script and asks for nothing: its policy lets in one
//! style sheet, by its digest. Templates take [`Html`] and nothing else. The same bytes for
//! the same run.

mod approves;
mod findings;
mod head;
mod member;
mod moved;
mod part;
mod room;
mod scans;
mod servers;
mod sides;
mod tree;

use askama::Template;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use self::moved::Moved;
use self::room::Room;
use super::excerpt::{clipped, start_of};
use super::github::Run;
use crate::lock::Digest;
use crate::message::Message;
use crate::untrusted::Untrusted;
use crate::untrusted::html::{Html, code, shown, style};

/// The one style sheet.
const STYLE: &str = include_str!("page.css");

#[derive(Template)]
#[template(path = "page.html", config = "src/tell/page/askama.toml")]
struct Page {
    title: Html,
    policy: Html,
    style: Html,
    head: Html,
    findings: Html,
    servers: Html,
    approves: Html,
    moved: Html,
    scans: Html,
    version: Html,
}

/// The page, as HTML.
///
/// # Errors
/// [`askama::Error`] if a template cannot be written.
pub fn page(run: &Run<'_>) -> askama::Result<String> {
    let moved = Moved::of(run);
    let ledger = run.ledger();
    let mut room = Room::new();
    let page = Page {
        title: shown(head::title(run)),
        policy: shown(policy()),
        style: style(STYLE),
        head: head::head(run, moved.count())?,
        findings: findings::findings(run.report)?,
        servers: servers::servers(run, &ledger, &moved)?,
        approves: approves::approves(run, &ledger, &mut room)?,
        moved: moved.told(&ledger, &mut room)?,
        scans: scans::scans(run.report, &mut room)?,
        version: shown(env!("CARGO_PKG_VERSION")),
    };
    page.render()
}

/// Nothing is fetched, run or sent, and no other style counts.
fn policy() -> String {
    let digest = BASE64_STANDARD.encode(Digest::of(STYLE).as_bytes());
    format!("default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")
}

/// Most characters of a name from outside: what is longer says so.
const LONGEST_NAME: usize = 200;

/// A name from outside, as code.
fn name(text: &Untrusted) -> Html {
    code(clipped(text, LONGEST_NAME))
}

/// A sentence whole; as code, and cut, where it has more characters than that.
fn sentence(message: &Message, most: usize) -> Html {
    let told = message.in_terminal().to_string();
    match told.chars().count() > most {
        true => code(start_of(&told, most)),
        false => message.in_page(),
    }
}
