//! All pages of `tools/list`, in one conversation → [`Listing`].
//!
//! Obeys MCP, Tools and Pagination. A session that is lost on the way is opened anew once,
//! and the listing begun anew with it: pages of two sessions are never joined.

use super::failure::{self, Fault, Refusal};
use super::handshake;
use super::line::Line;
use crate::check::Unlisted;
use crate::lock::{Cursor, Listing, Malformed};
use crate::wire::{Era, Paging, Request, Version};

/// Opens a conversation and reads all pages.
pub(super) async fn list(line: &mut Line, named: Option<&str>) -> Result<Listing, Unlisted> {
    let named = named.and_then(Version::named);
    let (version, begun) = handshake::open(line, named).await?;
    match all_pages(line, version, begun).await {
        Err(Fault::Refused(refusal)) if is_session_lost(line, &refusal) => {
            line.forget_session();
            let (version, begun) = handshake::open(line, Some(version)).await?;
            all_pages(line, version, begun).await.map_err(lost_again)
        }
        listed => listed.map_err(Fault::into_unlisted),
    }
}

/// MCP, Session Management: 404; some servers say 400.
fn is_session_lost(line: &Line, refusal: &Refusal) -> bool {
    line.has_session() && matches!(refusal.status, Some(400 | 404))
}

fn lost_again(fault: Fault) -> Unlisted {
    match fault {
        Fault::Final(unlisted) => unlisted,
        Fault::Refused(refusal) => failure::twice(refusal.why),
    }
}

/// A server that refuses to be told so may list its tools all the same.
async fn end_handshake(line: &mut Line) -> Result<(), Fault> {
    match line.tell(Request::Initialized).await {
        Err(Fault::Refused(refusal)) if !is_session_lost(line, &refusal) => Ok(()),
        told => told,
    }
}

async fn all_pages(
    line: &mut Line,
    version: Version,
    mut listing: Listing,
) -> Result<Listing, Fault> {
    if version.era() == Era::Legacy {
        end_handshake(line).await?;
    }
    let mut paging = Paging::default();
    let mut cursor: Option<Cursor> = None;
    loop {
        let page = Request::ListTools {
            version,
            cursor: cursor.as_ref().map(|cursor| cursor.0.as_str()),
        };
        let added = line.ask(page, |result, notices| {
            listing.notice(notices.iter().map(|notice| notice.kind));
            listing.add_page(result)
        });
        let next = added.await?.map_err(malformed)?;
        let next = paging.step(listing.tools().len(), next);
        cursor = next.map_err(failure::no_way)?;
        if cursor.is_none() {
            return listing.finish().map_err(malformed);
        }
    }
}

fn malformed(malformed: Malformed) -> Fault {
    Fault::Final(malformed.into())
}
