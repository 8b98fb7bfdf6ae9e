//! [`Listing`] → [`Surface`]: what it says beside its pins, which notes are made of.

use serde::{Serialize, Serializer};

use crate::json::NoticeKind;
use crate::lock::{Listing, Lockfile, ServerInfo};
use crate::untrusted::Untrusted;

/// What a listing says that a lockfile may not pin.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Surface {
    /// How many tools have a `title`.
    pub titles: usize,
    /// How many tools have an `outputSchema`.
    pub output_schemas: usize,
    /// One, if the server gives instructions.
    pub instructions: usize,
    /// The protocol version that was spoken.
    pub protocol_version: Option<Untrusted>,
    /// Who the server says it is.
    pub server_info: Option<ServerInfo>,
    /// What was accepted but should be told.
    #[serde(serialize_with = "names")]
    pub notices: Vec<NoticeKind>,
}

impl Surface {
    /// What a listing says that one of these lockfiles may not pin. Members that all of
    /// them pin are not counted.
    pub fn of<'l>(listing: &Listing, approved: impl IntoIterator<Item = &'l Lockfile>) -> Self {
        let is_pinned = approved.into_iter().all(|one| one.extended().is_some());
        let (mut titles, mut output_schemas) = (0, 0);
        let tools = listing.tools().iter();
        for tool in tools.filter(|_| !is_pinned) {
            let document = tool.members();
            let count = |member| {
                let value = document.root.member(member);
                usize::from(value.is_some_and(|value| !value.is_null()))
            };
            titles += count("title");
            output_schemas += count("outputSchema");
        }
        Surface {
            titles,
            output_schemas,
            instructions: usize::from(listing.instructions().is_some()),
            protocol_version: listing.protocol_version().cloned(),
            server_info: listing.server_info().cloned(),
            notices: listing.notices().to_vec(),
        }
    }
}

/// A notice's name in documents.
fn name(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::ByteOrderMark => "byte-order-mark",
        NoticeKind::NumberRounded => "number-rounded",
    }
}

/// The notice of that name.
pub(super) fn notice(text: &str) -> Option<NoticeKind> {
    let kinds = [NoticeKind::ByteOrderMark, NoticeKind::NumberRounded];
    kinds.into_iter().find(|kind| name(*kind) == text)
}

fn names<S: Serializer>(kinds: &[NoticeKind], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(kinds.iter().map(|kind| name(*kind)))
}
