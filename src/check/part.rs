//! What the servers of one shard said → the member `shard` of its report, for `merge`.
//!
//! One entry for each server, not for each lockfile: what follows for a lockfile is judged
//! anew by whoever reads it. Listings that differ are held as text, each a JSON document of
//! its own; one that does not differ needs none, as the lockfile pins it.

use std::sync::Arc;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Reason, Shard, Surface, Unlisted};
use crate::lock::Digest;
use crate::scan::Scan;
use crate::untrusted::Untrusted;

/// One shard's part of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Which one.
    pub shard: Shard,
    /// The workflow's run, where it has one: what another run found is no part of this.
    pub run: Option<Untrusted>,
    /// What each server that it asked said, by the digest of the server's identity.
    pub servers: Vec<(Digest, Said)>,
}

/// What one server said.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// It gave a listing.
    Listed(Listed),
    /// It did not.
    Unlisted(Unlisted),
}

/// A listing, as far as it is not pinned.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listed {
    /// The seals of the lockfiles that pin exactly this listing.
    pub unchanged: Vec<Digest>,
    /// What it says beside the pins.
    pub surface: Surface,
    /// What the scan said of all of it.
    #[serde(serialize_with = "shared")]
    pub scan: Arc<Scan>,
    /// All of it ([`Listing::text`](crate::lock::Listing::text)), if a lockfile pins another.
    pub listing: Option<String>,
}

fn shared<S: Serializer>(scan: &Arc<Scan>, to: S) -> Result<S::Ok, S::Error> {
    scan.as_ref().serialize(to)
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("index", &self.shard.index())?;
        map.serialize_entry("of", &self.shard.of())?;
        map.serialize_entry("run", &self.run)?;
        let servers = self.servers.iter();
        let servers: Vec<ServerText<'_>> = servers.map(ServerText::of).collect();
        map.serialize_entry("servers", &servers)?;
        map.end()
    }
}

#[derive(Serialize)]
struct ServerText<'a> {
    server: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<&'a Listed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unlisted: Option<UnlistedText<'a>>,
}

#[derive(Serialize)]
struct UnlistedText<'a> {
    reason: Reason,
    detail: &'a str,
    said: Option<&'a Untrusted>,
    hint: Option<&'a str>,
}

impl<'a> ServerText<'a> {
    fn of((server, said): &'a (Digest, Said)) -> Self {
        let (listed, unlisted) = match said {
            Said::Listed(listed) => (Some(listed), None),
            Said::Unlisted(unlisted) => (None, Some(UnlistedText::of(unlisted))),
        };
        ServerText {
            server: *server,
            listed,
            unlisted,
        }
    }
}

impl<'a> UnlistedText<'a> {
    fn of(unlisted: &'a Unlisted) -> Self {
        UnlistedText {
            reason: unlisted.reason,
            detail: &unlisted.detail,
            said: unlisted.said.as_ref(),
            hint: unlisted.hint.as_deref(),
        }
    }
}
