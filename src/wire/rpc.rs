//! JSON → [`RpcError`]: what a server says when it refuses.
//!
//! Obeys JSON-RPC 2.0, Error object, and MCP 2026-07-28 for the codes of its own.

use super::Version;
use crate::json::Value;
use crate::untrusted::Untrusted;

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpcError {
    /// What the code means to us.
    pub code: Code,
    /// The server's words.
    pub message: Option<Untrusted>,
    /// The known versions of `data.supported`, where that was said.
    pub supported: Option<Vec<Version>>,
}

/// The codes that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// -32020: the headers are not those of the body.
    HeaderMismatch,
    /// -32021: a capability is demanded that we do not have.
    MissingCapability,
    /// -32022: the version is not spoken.
    UnsupportedVersion,
    /// Any other code.
    Other(i64),
    /// No code, or none that is an integer.
    None,
}

impl Code {
    fn of(value: Option<&Value<'_>>) -> Self {
        let Some(Value::Number(number)) = value else {
            return Code::None;
        };
        match number.token().parse() {
            Ok(-32020) => Code::HeaderMismatch,
            Ok(-32021) => Code::MissingCapability,
            Ok(-32022) => Code::UnsupportedVersion,
            Ok(other) => Code::Other(other),
            Err(_) => Code::None,
        }
    }

    /// As a number, for people.
    pub fn number(self) -> Option<i64> {
        match self {
            Code::HeaderMismatch => Some(-32020),
            Code::MissingCapability => Some(-32021),
            Code::UnsupportedVersion => Some(-32022),
            Code::Other(code) => Some(code),
            Code::None => None,
        }
    }
}

impl RpcError {
    /// Takes the `error` member of an answer, whatever stands there.
    pub fn of(error: &Value<'_>) -> Self {
        let said = error.member("message").unwrap_or(error);
        let supported = error.member("data").and_then(|d| d.member("supported"));
        RpcError {
            code: Code::of(error.member("code")),
            message: said.as_str().map(Untrusted::new),
            supported: supported.and_then(Value::as_array).map(known_versions),
        }
    }
}

/// The versions in a list of names that are known here, in the list's order.
pub(super) fn known_versions(names: &[Value<'_>]) -> Vec<Version> {
    names
        .iter()
        .filter_map(|name| Version::named(name.as_str()?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(error: &str, code: Code, message: Option<&str>, supported: Option<&[Version]>) {
        let document = crate::json::read(error.as_bytes()).expect("a test's own JSON");
        let expect = RpcError {
            code,
            message: message.map(Untrusted::from),
            supported: supported.map(<[_]>::to_vec),
        };
        assert_eq!(RpcError::of(&document.root), expect, "{error}");
    }

    #[test]
    fn takes_whatever_stands_there() {
        check(
            r#"{"code":-32601,"message":"no"}"#,
            Code::Other(-32601),
            Some("no"),
            None,
        );
        check(
            r#"{"code":-32022,"data":{"supported":["2099-01-01","2025-06-18",1]}}"#,
            Code::UnsupportedVersion,
            None,
            Some(&[Version::V2025_06_18]),
        );
        check(r#"{"code":-32020.0}"#, Code::None, None, None);
        check(r#""plain words""#, Code::None, Some("plain words"), None);
        check("null", Code::None, None, None);
        check(r#"{"code":99999999999999999999}"#, Code::None, None, None);
    }
}
