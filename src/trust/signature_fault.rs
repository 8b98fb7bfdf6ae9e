//! Why a signature counts for nothing → the sentence and the way out that people read.

use jiff::Timestamp;

use crate::lock::{Digest, spelled};
use crate::message::Message;

/// Why a signature holds for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureFault {
    /// No trusted key verifies it: `untrusted-signature`.
    Untrusted {
        /// The `key_id` beside it, if there is one.
        key_id: Option<Digest>,
    },
    /// Its `key_id` names a trusted key, which refuses it: `bad-signature`.
    Bad {
        /// Whose key.
        name: String,
    },
    /// The key that verifies it was not valid at that moment.
    Expired {
        /// Whose key.
        name: String,
        /// When it ended.
        not_after: Timestamp,
    },
    /// The key that verifies it is retired, and this is a new approval.
    Retired {
        /// Whose key.
        name: String,
    },
    /// The key that verifies it is in the wrong hands.
    Compromised {
        /// Whose key.
        name: String,
    },
}

/// What the fault means, in one sentence, and how to mend it.
pub fn explain_signature(fault: &SignatureFault) -> (Message, Message) {
    (sentence(fault), way_out(fault))
}

fn sentence(fault: &SignatureFault) -> Message {
    let of = |name: &str, after: &str| Message::new("the key of ").theirs(&name.into()).ours(after);
    match fault {
        SignatureFault::Untrusted { key_id: None } => "no trusted key verifies a signature".into(),
        SignatureFault::Untrusted { key_id: Some(id) } => Message::new(format!(
            "no trusted key verifies the signature with the `key_id` {id}"
        )),
        SignatureFault::Bad { name } => of(name, " refuses the signature that names it"),
        SignatureFault::Expired { name, not_after } => of(
            name,
            &format!(" signed this, and ended {}", spelled(*not_after)),
        ),
        SignatureFault::Retired { name } => of(
            name,
            " signed this; it is retired, and approves nothing new",
        ),
        SignatureFault::Compromised { name } => of(
            name,
            " signed this; it is compromised, and nothing it signed counts",
        ),
    }
}

fn way_out(fault: &SignatureFault) -> Message {
    match fault {
        SignatureFault::Untrusted { .. } => Message::new(
            "have an approver whom the trust file names read and sign this with `lockgate approve`; a new approver's key comes in by a change of the trust file alone",
        ),
        SignatureFault::Bad { name } => Message::new(
            "something signed was changed afterwards, or the key's `scheme` is another: restore what was signed, or have ",
        )
        .theirs(&name.as_str().into())
        .ours(" read it and run `lockgate approve`"),
        SignatureFault::Expired { .. } | SignatureFault::Retired { .. } => {
            "read it again and sign it with a key in use: `lockgate approve`".into()
        }
        SignatureFault::Compromised { .. } => {
            "take it for unread: compare it with what the server offers, whole, then sign it with another key".into()
        }
    }
}
