//! A lockfile and its server → what the server offers now, told to whoever signs.

use anyhow::Result;
use lockgate::change::Contact;
use lockgate::lock::Listing;
use lockgate::world::mcp::Mcp;
use lockgate::{Verdict, compare, tell};

use super::endpoint::{self, Credentials};
use super::group::Held;
use super::person::until_told_to_stop;
use crate::header::HeaderSpec;

/// What the server offers now.
pub(super) struct Live {
    /// In a sentence, and every difference.
    pub(super) told: String,
    /// The listing, if it is what the lockfile pins.
    pub(super) same: Option<Listing>,
}

impl Live {
    /// It was not asked.
    pub(super) fn offline() -> Self {
        Live {
            told: "offline: the server was not asked what it offers now".to_owned(),
            same: None,
        }
    }

    /// What it offers, next to what a lockfile pins.
    pub(super) async fn of(held: &Held, mcp: &Mcp, specs: &[HeaderSpec]) -> Result<Self> {
        let listed = match endpoint::of(
            &held.lockfile,
            &Credentials::typed(specs),
            Contact::TypedSecrets,
        ) {
            Ok(endpoint) => until_told_to_stop(mcp.list_tools(&endpoint)).await?,
            Err(unlisted) => Err(unlisted),
        };
        Ok(match listed {
            Err(unlisted) => Live {
                told: format!(
                    "the server could not be asked what it offers now: {}: {}",
                    unlisted.reason,
                    unlisted.message().in_terminal()
                ),
                same: None,
            },
            Ok(listing) => {
                let comparison = compare(&held.lockfile, &listing);
                match comparison.verdict() {
                    Verdict::Unchanged => Live {
                        told: "the server offers exactly this list now".to_owned(),
                        same: Some(listing),
                    },
                    Verdict::Changed | Verdict::Unreachable => Live {
                        told: format!(
                            "the server offers ANOTHER list now, and will be blocked; from this file to now:\n{}",
                            tell::comparison(&comparison)
                        ),
                        same: None,
                    },
                }
            }
        })
    }
}
