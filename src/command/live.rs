//! A lockfile and its server → what the server offers now, told to whoever signs.

use anyhow::Result;
use lockgate::change::Contact;
use lockgate::check::Unlisted;
use lockgate::lock::Listing;
use lockgate::world::mcp::Mcp;
use lockgate::{Verdict, compare, tell};

use super::group::Held;
use super::person::until_told_to_stop;
use super::reading::Scopes;
use super::secrets::{Handful, SCOPES};
use super::{endpoint, secrets};

/// What the server offers now.
pub(super) struct Live {
    /// In a sentence, and every difference.
    pub(super) told: String,
    /// The listing, if it is what the lockfile pins.
    pub(super) same: Option<Listing>,
    scopes: Scopes,
}

impl Live {
    /// It was not asked.
    pub(super) fn offline() -> Self {
        Live {
            told: "offline: the server was not asked what it offers now".to_owned(),
            same: None,
            scopes: Scopes::Unlikely,
        }
    }

    /// What it offers, next to what a lockfile pins.
    pub(super) async fn of(held: &Held, mcp: &Mcp, secrets: &Handful<'_>) -> Result<Self> {
        let credentials = secrets.credentials();
        let listed = match endpoint::of(&held.lockfile, &credentials, Contact::WithSecrets) {
            Ok(endpoint) => until_told_to_stop(mcp.list_tools(&endpoint)).await?,
            Err(unlisted) => Err(unlisted),
        };
        let mut live = match listed {
            Err(unlisted) => Live::silent(&unlisted),
            Ok(listing) => Live::compared(held, listing),
        };
        let pinned = held.lockfile.identity().headers.secret_headers;
        let sent = secrets.headers(&held.lockfile.server().url);
        let told = secrets::told(&sent, &pinned);
        if !told.is_empty() && live.scopes == Scopes::Likely {
            live.told.push_str(&format!("  {SCOPES}\n"));
        }
        live.told = format!("{told}{}", live.told);
        Ok(live)
    }

    fn silent(unlisted: &Unlisted) -> Self {
        let hint = unlisted.hint.as_ref();
        let hint = hint.map(|hint| format!("\n  hint: {hint}"));
        Live {
            told: format!(
                "the server could not be asked what it offers now: {}: {}{}",
                unlisted.reason,
                unlisted.message().in_terminal(),
                hint.unwrap_or_default()
            ),
            same: None,
            scopes: Scopes::Unlikely,
        }
    }

    fn compared(held: &Held, listing: Listing) -> Self {
        let comparison = compare(&held.lockfile, &listing);
        match comparison.verdict() {
            Verdict::Unchanged => Live {
                told: "the server offers exactly this list now".to_owned(),
                same: Some(listing),
                scopes: Scopes::Unlikely,
            },
            Verdict::Changed | Verdict::Unreachable => Live {
                told: format!(
                    "the server offers ANOTHER list now, and will be blocked; from this file to now:\n{}",
                    tell::comparison(&comparison)
                ),
                same: None,
                scopes: Scopes::of(&comparison),
            },
        }
    }
}
