//! The opening of a conversation: the version both sides speak, and a listing begun.
//!
//! Obeys MCP, Lifecycle (legacy) and Versioning (modern); which version comes next is
//! decided by [`Negotiation`].

use super::failure::{Fault, Refusal};
use super::line::Line;
use crate::check::Unlisted;
use crate::lock::Listing;
use crate::wire::{self, Era, Negotiation, NoHandshake, Refused, Request, Version};

/// Opens a conversation, first in the version that was spoken at approval.
pub(super) async fn open(
    line: &mut Line,
    named: Option<Version>,
) -> Result<(Version, Listing), Unlisted> {
    let mut negotiation = Negotiation::new(named);
    let mut next = negotiation.first();
    let mut first_refusal = None;
    loop {
        let refusal = match open_in(line, next).await {
            Ok(opened) => return Ok(opened),
            Err(Fault::Final(unlisted)) => return Err(unlisted),
            Err(Fault::Refused(refusal)) => refusal,
        };
        let following = negotiation.next(&Refused {
            code: refusal.code(),
            supported: refusal.supported(),
        });
        match following {
            Some(version) => next = version,
            None if named.is_some() => return Err(first_refusal.unwrap_or(refusal.why)),
            None => return Err(refusal.why),
        }
        first_refusal.get_or_insert(refusal.why);
    }
}

async fn open_in(line: &mut Line, version: Version) -> Result<(Version, Listing), Fault> {
    line.leave_session();
    let opened = match version.era() {
        Era::Legacy => {
            line.ask(Request::Initialize(version), |result, _| {
                wire::initialized(result)
            })
            .await?
        }
        Era::Modern => {
            line.ask(Request::Discover(version), |result, _| {
                wire::discovered(result, version).map(|listing| (version, listing))
            })
            .await?
        }
    };
    let (version, listing) = opened.map_err(no_handshake)?;
    line.version = Some(version);
    Ok((version, listing))
}

fn no_handshake(fault: NoHandshake) -> Fault {
    Fault::Refused(Box::new(Refusal::no_handshake(fault)))
}
