//! [`Lockfile`] and [`Listing`] that differ → [`Offer`]: how people refer to the listing.

use crate::lock::{Digest, Extended, Listing, Lockfile, ServerInfo, listing_digest};

/// The current listing of a server that drifted, to refer to. Decides nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Its listing digest, asked with the headers that the lockfile pins.
    pub listing: Digest,
    /// Who the server says it is now.
    pub server_info: Option<ServerInfo>,
}

impl Offer {
    /// `None` if the listing has no digest, which a listing of ours always has.
    pub(super) fn of(approved: &Lockfile, current: &Listing) -> Option<Box<Self>> {
        let pins = Extended::of(current, approved.identity().headers);
        Some(Box::new(Offer {
            listing: listing_digest(current.tools_sha256(), Some(&pins)).ok()?,
            server_info: current.server_info().cloned(),
        }))
    }
}
