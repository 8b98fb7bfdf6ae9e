//! Why a change of the trust file is not permitted → the sentence and the way out.

use std::collections::BTreeSet;

use super::SignatureFault;
use crate::json::ReadError;
use crate::lock::Digest;
use crate::message::Message;

/// Why `.github/lockgate.toml.sig` permits no change of the trust file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeFault {
    /// More bytes than 16 signatures have.
    TooLarge,
    /// Not acceptable JSON.
    Json {
        /// The line, counted from 1.
        line: usize,
        /// What the reader says.
        error: ReadError,
    },
    /// Another shape than is due.
    Shape {
        /// The line, counted from 1.
        line: usize,
        /// What is due there.
        due: &'static str,
    },
    /// Signed for another trust file than base's.
    OtherBase {
        /// The one it was signed for.
        signed: Digest,
        /// Base's.
        base: Digest,
    },
    /// Fewer approvers of base signed this step than base demands.
    TooFew {
        /// Who signed it.
        approvers: BTreeSet<String>,
        /// How many base demands.
        needed: usize,
        /// The signatures that count for nothing.
        faults: Vec<SignatureFault>,
    },
}

impl ChangeFault {
    /// The line of the signature file, where it is about one.
    pub fn line(&self) -> Option<usize> {
        match self {
            ChangeFault::Json { line, .. } | ChangeFault::Shape { line, .. } => Some(*line),
            ChangeFault::TooLarge | ChangeFault::OtherBase { .. } | ChangeFault::TooFew { .. } => {
                None
            }
        }
    }
}

/// What the fault means, in one sentence, and how to mend it.
pub fn explain_change(fault: &ChangeFault) -> (Message, Message) {
    (sentence(fault), way_out(fault).into())
}

fn sentence(fault: &ChangeFault) -> Message {
    match fault {
        ChangeFault::TooLarge => "the signature file has more than 64 KiB".into(),
        ChangeFault::Json { error, .. } => Message::new(format!("not acceptable JSON: {error}")),
        ChangeFault::Shape { due, .. } => Message::new(format!("{due} is due")),
        ChangeFault::OtherBase { signed, base } => Message::new(format!(
            "signed was a change of the trust file {signed}, and the one on base is {base}"
        )),
        ChangeFault::TooFew {
            approvers, needed, ..
        } => {
            let count = approvers.len();
            let message = Message::new(format!(
                "{count} of {needed} approvers signed this change of the trust file"
            ));
            name_all(message, approvers)
        }
    }
}

fn name_all(message: Message, names: &BTreeSet<String>) -> Message {
    let mut before = ": ";
    names.iter().fold(message, |message, name| {
        let message = message.ours(before).theirs(&name.as_str().into());
        before = ", ";
        message
    })
}

fn way_out(fault: &ChangeFault) -> &'static str {
    match fault {
        ChangeFault::TooLarge | ChangeFault::Json { .. } | ChangeFault::Shape { .. } => {
            "the file is not written by hand: delete it, and have the approvers sign the change again"
        }
        ChangeFault::OtherBase { .. } => {
            "the trust file on base has changed since: bring this branch up to date, and have the approvers sign again"
        }
        ChangeFault::TooFew { .. } => {
            "have the approvers whom base's trust file names read the change and sign it with `lockgate sign`"
        }
    }
}
