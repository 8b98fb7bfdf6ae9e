//! `.github/lockgate.toml.sig` → how many of base's approvers vouch for this very change.
//!
//! Obeys design §4: over `{previous, next}`, so neither an older change nor another
//! repository's can be played again.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::Serialize;

use crate::json::{self, Value};
use crate::lock::Digest;
use crate::trust::{Role, TRUST_TYPE, TrustedKey, pae};

#[derive(Serialize)]
struct Succession {
    previous: Digest,
    next: Digest,
}

/// The distinct approvers whose signature over the change holds now.
pub(super) fn approvers(
    signed: &[u8],
    (previous, next): (&[u8], &[u8]),
    keys: &[TrustedKey],
    now: Timestamp,
) -> usize {
    let succession = Succession {
        previous: Digest::of(previous),
        next: Digest::of(next),
    };
    let Ok(document) = json::read(signed) else {
        return 0;
    };
    let claims = document.root.member("previous").and_then(Value::as_str);
    let Ok(body) = json::canonical_of(&succession) else {
        return 0;
    };
    if claims != Some(succession.previous.to_string().as_str()) {
        return 0;
    }
    let message = pae(TRUST_TYPE, &body);
    let signatures = document.root.member("signatures").and_then(Value::as_array);
    let holders = signatures
        .unwrap_or_default()
        .iter()
        .take(16)
        .filter_map(|entry| {
            let text = entry.member("signature").and_then(Value::as_str)?;
            let bytes = STANDARD.decode(text).ok()?.try_into().ok()?;
            let may = |key: &&TrustedKey| key.role == Role::Approver && key.may_sign(now);
            let mut approvers = keys.iter().filter(may);
            approvers.find(|key| key.key.verifies(&message, &bytes))
        });
    let names: BTreeSet<&str> = holders.map(|key| key.name.as_str()).collect();
    names.len()
}
