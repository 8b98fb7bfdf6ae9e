//! stub, replaced at merge
use super::{Reason, Unlisted};
use crate::lock::Malformed;

impl From<Malformed> for Unlisted {
    fn from(m: Malformed) -> Self {
        Unlisted {
            reason: Reason::MalformedListing,
            detail: format!("{m:?}"),
            said: None,
            hint: None,
        }
    }
}
