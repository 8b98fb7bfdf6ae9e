//! The ssh-agent: asked which keys it holds and to sign; bounded in size and time.
//!
//! Obeys design §4. Knows two requests of the agent's protocol and no other; what the
//! agent answers is read by `trust`.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::trust::{
    AgentKey, PublicKey, identities_request, read_identities, read_signature, sign_request,
};

/// Most bytes of a message that OpenSSH's agent takes, and that we read.
pub const MAX_MESSAGE: usize = 256 * 1024;
/// How long an agent may take to say what it holds.
const LISTING: Duration = Duration::from_secs(10);
/// How long it may take to sign: it may ask a person first.
const SIGNING: Duration = Duration::from_secs(120);

/// An agent, by its socket.
#[derive(Debug, Clone)]
pub struct Agent {
    /// Where it listens (`SSH_AUTH_SOCK`).
    pub socket: PathBuf,
}

/// Why an agent did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// It cannot be reached, or did not answer in time.
    #[error("it does not answer: {0}")]
    Io(#[from] io::Error),
    /// Its answer is none.
    #[error("its answer cannot be read")]
    Unreadable,
    /// It said no, or signed with something else.
    #[error("it did not sign: the key is locked or gone, or somebody said no")]
    Refused,
    /// More than an agent takes.
    #[error("what is to be signed has {0} bytes, and an agent takes {MAX_MESSAGE} at most")]
    TooLarge(usize),
}

impl Agent {
    /// The keys it holds, of any kind.
    ///
    /// # Errors
    /// [`AgentError`] says why it is not known.
    pub fn keys(&self) -> Result<Vec<AgentKey>, AgentError> {
        let answer = self.ask(&identities_request(), LISTING)?;
        read_identities(&answer).ok_or(AgentError::Unreadable)
    }

    /// Its signature of `message`, which that key verifies.
    ///
    /// # Errors
    /// [`AgentError`] says why there is none.
    pub fn sign(&self, key: &PublicKey, message: &[u8]) -> Result<[u8; 64], AgentError> {
        let request = sign_request(key, message);
        if request.len() > MAX_MESSAGE {
            return Err(AgentError::TooLarge(message.len()));
        }
        let answer = self.ask(&request, SIGNING)?;
        read_signature(&answer)
            .filter(|signature| key.verifies(message, signature))
            .ok_or(AgentError::Refused)
    }

    #[cfg(unix)]
    fn ask(&self, request: &[u8], patience: Duration) -> io::Result<Vec<u8>> {
        use std::io::{Read, Write};
        let mut line = std::os::unix::net::UnixStream::connect(&self.socket)?;
        line.set_write_timeout(Some(LISTING))?;
        line.set_read_timeout(Some(patience))?;
        line.write_all(request)?;
        let mut length = [0; 4];
        line.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length);
        if length as usize > MAX_MESSAGE {
            return Err(io::Error::other("an answer larger than any agent gives"));
        }
        let mut answer = Vec::new();
        line.take(length.into()).read_to_end(&mut answer)?;
        Ok(answer)
    }

    #[cfg(not(unix))]
    fn ask(&self, _request: &[u8], _patience: Duration) -> io::Result<Vec<u8>> {
        Err(io::Error::other("agents are not reached on this system"))
    }
}
