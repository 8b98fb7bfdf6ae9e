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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::{Approval, Listing, ServerUrl};

    fn unsigned() -> String {
        let approval = Approval {
            url: &ServerUrl::parse("https://mcp.example.com/mcp").unwrap(),
            listing: &Listing::parse(br#"[{"name": "b"}, {"name": "a"}]"#).unwrap(),
            headers: Default::default(),
            approved_at: "2026-10-07T10:45:00Z".parse().unwrap(),
            scan: None,
        };
        approval.lockfile().unwrap()
    }

    fn signature(byte: u8) -> LockfileSignature {
        LockfileSignature {
            key_id: Some(Digest::of([byte])),
            bytes: [byte; 64],
        }
    }

    #[test]
    fn the_first_stands_in_signature_and_nothing_else_moves() {
        let before = unsigned();
        let after = append_signature(before.as_bytes(), &signature(1)).unwrap();
        let spelled = format!("\"signature\": \"{}\"", STANDARD.encode([1; 64]));
        assert_eq!(after, before.replace("\"signature\": null", &spelled));
    }

    #[test]
    fn further_ones_stand_in_signatures_until_it_is_full() {
        let mut text = unsigned();
        for byte in 1..=17 {
            text = append_signature(text.as_bytes(), &signature(byte)).unwrap();
        }
        let read = Lockfile::parse(text.as_bytes()).unwrap();
        let bytes: Vec<u8> = read.signatures().iter().map(|one| one.bytes[0]).collect();
        assert_eq!(bytes, Vec::from_iter(1..=17));
        assert_eq!(read.signatures()[5].key_id, Some(Digest::of([6])));
        assert_eq!(
            append_signature(text.as_bytes(), &signature(18)),
            Err(NotAppended::Full)
        );
    }

    #[test]
    fn the_order_of_members_and_the_value_of_numbers_stay() {
        let text = unsigned().replace(
            "\"v\": 1,",
            "\"v\": 1,\n  \"z\": [1e3, {\"y\": 1, \"x\": 2}],",
        );
        let document = json::read(text.as_bytes()).unwrap();
        let sealed = json::canonical_without(
            document.root.as_object().unwrap(),
            &["sha256", "signature", "signatures"],
        );
        let seal = document.root.member("sha256").unwrap().as_str().unwrap();
        let text = text.replace(seal, &Digest::of(sealed).to_string());
        let after = append_signature(text.as_bytes(), &signature(1)).unwrap();
        let at = |part| after.find(part).unwrap();
        assert!(at("\"kind\"") < at("\"z\"") && at("\"z\"") < at("\"server\""));
        assert!(at("\"y\": 1") < at("\"x\": 2"), "{after}");
    }
}
