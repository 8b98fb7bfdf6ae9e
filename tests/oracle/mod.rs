//! What other implementations say of a text, for the tests and the fuzz targets.
//!
//! `serde_json` says whether a text is JSON, `serde_json_canonicalizer` what its canonical
//! form is. Where the strict reader differs on purpose (design §1), nothing is asked.

pub(crate) mod tree;

use lockgate::json::{self, ReadError, Reason};

/// Holds the reader and the writer against both oracles; panics where they disagree.
pub(crate) fn check_text(bytes: &[u8]) {
    let ours = json::read(bytes);
    let theirs = serde_json::from_slice(without_byte_order_mark(bytes));
    match (ours, theirs) {
        (Ok(document), Ok(value)) => check_canonical(&json::canonical(&document.root), &value),
        (Ok(document), Err(error)) => panic!("read {document:?}, the oracle refused: {error}"),
        (Err(error), Ok(value)) if !is_stricter(error) => {
            panic!("refused with {error}, the oracle read {value}")
        }
        (Err(error), _) => assert!(error.at <= bytes.len(), "{error} is outside the text"),
    }
    check_item(&[b"[{\"m\":", bytes, b",\"a\":[1]}]"].concat());
    check_item(&[b"[".as_slice(), bytes, b"]"].concat());
}

/// What is read item by item must be what is read whole: the same forms, the same refusal.
fn check_item(array: &[u8]) {
    let mut forms = Vec::new();
    let found = json::read_items(array, "tools", &mut |item| forms.push(form_of(item)));
    let whole = json::read(array).map(|document| {
        let items = document.root.as_array().unwrap_or_default();
        let forms: Vec<String> = items.iter().map(form_of_value).collect();
        (forms, document.notices)
    });
    let found = found.map(|(document, arrays)| {
        assert_eq!(arrays, 1);
        (forms, document.notices)
    });
    assert_eq!(found, whole, "{}", array.escape_ascii());
}

fn form_of(item: &json::Item<'_, '_>) -> String {
    match item {
        json::Item::Other(kind) => (*kind).to_owned(),
        json::Item::Object { members, forms } => {
            let member = |member: &json::ItemMember<'_>| {
                format!("{:?}={};", member.name(), member.form(forms))
            };
            members.iter().map(member).collect()
        }
    }
}

fn form_of_value(value: &json::Value<'_>) -> String {
    match value.as_object() {
        None => value.kind().to_owned(),
        Some(object) => {
            let member = |member: &json::Member<'_>| {
                format!(
                    "{:?}={};",
                    member.name.as_str(),
                    json::canonical(&member.value)
                )
            };
            object.iter().map(member).collect()
        }
    }
}

/// The canonical form must be the oracle's, and read back to itself without a notice.
fn check_canonical(canonical: &str, value: &serde_json::Value) {
    let theirs = serde_json_canonicalizer::to_string(value).expect("the oracle writes");
    assert_eq!(canonical, theirs);
    let again = json::read(canonical.as_bytes()).expect("a canonical form is JSON");
    assert_eq!(again.notices, [], "{canonical}");
    assert_eq!(json::canonical(&again.root), canonical, "not idempotent");
}

/// Does the strict reader refuse for a reason that `serde_json` does not know?
fn is_stricter(error: ReadError) -> bool {
    match error.reason {
        Reason::DuplicateKey
        | Reason::NumberUnderflow
        | Reason::NumberNotPreserved
        | Reason::TooLarge => true,
        Reason::LoneSurrogate
        | Reason::InvalidUtf8
        | Reason::Depth
        | Reason::NumberOverflow
        | Reason::Syntax => false,
    }
}

fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}
