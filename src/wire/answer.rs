//! JSON → [`Mail`]: our answer among the messages of a body or an event.
//!
//! Obeys JSON-RPC 2.0 and its batches (MCP 2025-03-26). An answer counts when it bears
//! our id, also spelled as a string or a float. Never chooses between two answers.

use super::RpcError;
use crate::json::{Object, Value};
use crate::lock::{Malformed, refuse_twins};

/// Longest id of a server's request that is answered.
const MAX_ID: usize = 256;

/// What the messages of one JSON text hold for us.
#[derive(Debug, Default)]
pub struct Mail<'v> {
    /// The answer to our request.
    pub answer: Option<Answer<'v>>,
    /// An error that bears no id of a request: the server could not tell which.
    pub unaddressed: Option<RpcError>,
    /// Ids of what the server asks of us, as JSON.
    pub requests: Vec<String>,
    /// Answers to something that we never asked.
    pub strays: usize,
}

/// The answer to one request.
#[derive(Debug)]
pub enum Answer<'v> {
    /// `result`
    Result(&'v Value<'v>),
    /// `error`
    Error(RpcError),
}

/// Sorts the messages of one JSON text; `id` is the id of our request.
///
/// # Errors
/// [`Malformed::Protocol`] where readers could take different answers for ours.
pub fn open<'v>(root: &'v Value<'v>, id: u64) -> Result<Mail<'v>, Malformed> {
    let mut mail = Mail::default();
    let one = std::slice::from_ref(root);
    for message in root.as_array().unwrap_or(one) {
        mail.sort(message, id)?;
    }
    Ok(mail)
}

impl<'v> Mail<'v> {
    fn sort(&mut self, message: &'v Value<'v>, id: u64) -> Result<(), Malformed> {
        let Some(members) = message.as_object() else {
            return Ok(());
        };
        if members.get("method").is_some() {
            self.requests.extend(request_id(members));
            return Ok(());
        }
        match members.get("id") {
            Some(value) if is_id(value, id) => self.take(members),
            Some(Value::String(text)) if text.as_str() == "server-error" => {
                self.take_unaddressed(members);
                Ok(())
            }
            None | Some(Value::Null) => {
                self.take_unaddressed(members);
                Ok(())
            }
            Some(_) => {
                self.strays += 1;
                Ok(())
            }
        }
    }

    fn take(&mut self, members: &'v Object<'v>) -> Result<(), Malformed> {
        refuse_twins(members, &["id", "result", "error"])?;
        let answer = match (members.get("result"), members.get("error")) {
            (Some(_), Some(_)) => {
                return Err(Malformed::Protocol(
                    "both `result` and `error` in one answer",
                ));
            }
            (Some(result), None) => Answer::Result(result),
            (None, Some(error)) => Answer::Error(RpcError::of(error)),
            (None, None) => {
                return Err(Malformed::Protocol(
                    "neither `result` nor `error` in the answer",
                ));
            }
        };
        match self.answer.replace(answer) {
            None => Ok(()),
            Some(_) => Err(Malformed::Protocol("two answers to one request")),
        }
    }

    fn take_unaddressed(&mut self, members: &Object<'_>) {
        match members.get("error") {
            Some(error) => self.unaddressed = Some(RpcError::of(error)),
            None => self.strays += 1,
        }
    }
}

/// The id of a request by the server, as JSON; a notification has none.
fn request_id(members: &Object<'_>) -> Option<String> {
    let id = match members.get("id")? {
        Value::Number(number) => number.token().to_owned(),
        Value::String(text) => serde_json::to_string(text.as_str()).ok()?,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    (id.len() <= MAX_ID).then_some(id)
}

fn is_id(value: &Value<'_>, id: u64) -> bool {
    match value {
        Value::Number(number) => {
            let token = number.token();
            let (whole, fraction) = token.split_once('.').unwrap_or((token, ""));
            whole.parse() == Ok(id) && fraction.bytes().all(|digit| digit == b'0')
        }
        Value::String(text) => text.as_str() == id.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens `text` as the answer to request 7 and says in short what was found.
    fn found(text: &str) -> String {
        let document = crate::json::read(text.as_bytes()).expect("a test's own JSON");
        let mail = match open(&document.root, 7) {
            Ok(mail) => mail,
            Err(Malformed::Protocol(why)) => return why.to_owned(),
            Err(other) => return format!("{other:?}"),
        };
        let answer = match mail.answer {
            None => "nothing",
            Some(Answer::Result(_)) => "result",
            Some(Answer::Error(_)) => "error",
        };
        let unaddressed = usize::from(mail.unaddressed.is_some());
        format!("{answer} {unaddressed} {} {:?}", mail.strays, mail.requests)
    }

    fn check(text: &str, expect: &str) {
        assert_eq!(found(text), expect, "{text}");
    }

    #[test]
    fn finds_our_answer_and_nobody_elses() {
        check(r#"{"id":7,"result":{}}"#, "result 0 0 []");
        check(r#"{"id":"7","result":{}}"#, "result 0 0 []");
        check(r#"{"id":7.0,"error":{}}"#, "error 0 0 []");
        check(r#"{"id":8,"result":{}}"#, "nothing 0 1 []");
        check(r#"{"id":7.5,"result":{}}"#, "nothing 0 1 []");
        check(r#"{"id":[7],"result":{}}"#, "nothing 0 1 []");
        check(r#"{"id":null,"error":{}}"#, "nothing 1 0 []");
        check(r#"{"error":{}}"#, "nothing 1 0 []");
        check(r#"{"id":"server-error","error":{}}"#, "nothing 1 0 []");
        check(r#"{"id":null,"result":{}}"#, "nothing 0 1 []");
        check(
            r#"{"method":"ping","id":"a\"b"}"#,
            r#"nothing 0 0 ["\"a\\\"b\""]"#,
        );
        check(
            r#"{"method":"x","id":7,"result":{}}"#,
            r#"nothing 0 0 ["7"]"#,
        );
        check(r#"{"method":"notifications/x"}"#, "nothing 0 0 []");
        check(
            r#"[{"method":"ping","id":1},{"id":7,"result":{}}]"#,
            r#"result 0 0 ["1"]"#,
        );
        for nothing in ["[]", "{}", "1", "[[{\"id\":7,\"result\":{}}]]"] {
            let strays = usize::from(nothing == "{}");
            check(nothing, &format!("nothing 0 {strays} []"));
        }
    }

    #[test]
    fn refuses_what_readers_would_take_differently() {
        check(
            r#"{"id":7,"result":{},"error":null}"#,
            "both `result` and `error` in one answer",
        );
        check(r#"{"id":7}"#, "neither `result` nor `error` in the answer");
        check(
            r#"[{"id":7,"result":{}},{"id":7,"error":{}}]"#,
            "two answers to one request",
        );
        check(
            r#"{"id":7,"result":{},"Result":{}}"#,
            "a member that equals one of the protocol's but for letter case",
        );
    }
}
