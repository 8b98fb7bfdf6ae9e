//! A lockfile's text and one more signature → the text with it; nothing sealed changes.
//!
//! Obeys design §2 (Signature): the first stands in `signature`, further ones in
//! `signatures`, at most 16. The layout of the file is kept: members stay in their order.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::signature::MAX_SIGNATURES;
use super::{Digest, Lockfile, LockfileSignature};
use crate::json::{self, Member, Object, Value};

/// Why a signature cannot be put into a lockfile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAppended {
    /// As many stand in it as may.
    #[error("16 further signatures stand in it, and no more may")]
    Full,
    /// The text with the signature would not be the same lockfile.
    #[error("its text cannot be written again without a change")]
    Changed,
}

/// The text of `bytes`, a lockfile, with one more signature.
///
/// # Errors
/// [`NotAppended`] says why not.
pub fn append_signature(
    bytes: &[u8],
    signature: &LockfileSignature,
) -> Result<String, NotAppended> {
    let before = Lockfile::parse(bytes).map_err(|_| NotAppended::Changed)?;
    let document = json::read(bytes).map_err(|_| NotAppended::Changed)?;
    let root = document.root.as_object().ok_or(NotAppended::Changed)?;
    if before.signatures().len() > MAX_SIGNATURES {
        return Err(NotAppended::Full);
    }
    let text = json::print(&Signed { root, signature });
    let after = Lockfile::parse(text.as_bytes()).map_err(|_| NotAppended::Changed)?;
    let is_same = after.sealed() == before.sealed()
        && after.signatures().len() == before.signatures().len() + 1;
    is_same.then_some(text).ok_or(NotAppended::Changed)
}

struct Signed<'a> {
    root: &'a Object<'a>,
    signature: &'a LockfileSignature,
}

impl Serialize for Signed<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let spelled = STANDARD.encode(self.signature.bytes);
        let first = self.root.get("signature").filter(|text| !text.is_null());
        let further = self.root.get("signatures");
        let mut map = to.serialize_map(None)?;
        for member in written_order(self.root) {
            if !["signature", "signatures"].contains(&member.name.as_str()) {
                map.serialize_entry(member.name.as_str(), &AsWritten(&member.value))?;
            }
        }
        match first {
            None => map.serialize_entry("signature", &spelled)?,
            Some(first) => map.serialize_entry("signature", first)?,
        }
        let one_more = first.map(|_| Entry {
            key_id: self.signature.key_id,
            signature: spelled,
        });
        if further.is_some() || one_more.is_some() {
            map.serialize_entry("signatures", &Further { further, one_more })?;
        }
        map.end()
    }
}

struct Further<'a> {
    further: Option<&'a Value<'a>>,
    one_more: Option<Entry>,
}

#[derive(serde::Serialize)]
struct Entry {
    key_id: Option<Digest>,
    signature: String,
}

impl Serialize for Further<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(None)?;
        let entries = self.further.and_then(Value::as_array).unwrap_or_default();
        for entry in entries {
            seq.serialize_element(&AsWritten(entry))?;
        }
        if let Some(entry) = &self.one_more {
            seq.serialize_element(entry)?;
        }
        seq.end()
    }
}

/// A value with its members in the order in which they were written.
struct AsWritten<'a>(&'a Value<'a>);

impl Serialize for AsWritten<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(items) => to.collect_seq(items.iter().map(AsWritten)),
            Value::Object(object) => {
                let entry = |member: &'_ Member<'_>| member.name.as_str().to_owned();
                let members = written_order(object);
                to.collect_map(members.iter().map(|m| (entry(m), AsWritten(&m.value))))
            }
            plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
                plain.serialize(to)
            }
        }
    }
}

fn written_order<'a>(object: &'a Object<'a>) -> Vec<&'a Member<'a>> {
    let mut members: Vec<&Member<'_>> = object.iter().collect();
    members.sort_by_key(|member| member.at);
    members
}
