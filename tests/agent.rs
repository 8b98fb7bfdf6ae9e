//! Agents that lie, stall or break off: none of them makes a signature of ours.
#![expect(clippy::unwrap_used, reason = "a test's own agents")]
#![cfg(unix)]

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;

use lockgate::trust::SigningKey;
use lockgate::world::agent::{Agent, AgentError, MAX_MESSAGE};
use tempfile::TempDir;

/// An agent that answers everything with the same bytes.
fn agent(answer: Vec<u8>) -> (TempDir, Agent) {
    let folder = TempDir::new().unwrap();
    let socket = folder.path().join("agent");
    let listener = UnixListener::bind(&socket).unwrap();
    std::thread::spawn(move || {
        for line in listener.incoming() {
            let mut line = line.unwrap();
            let mut length = [0; 4];
            line.read_exact(&mut length).unwrap();
            let mut request = vec![0; u32::from_be_bytes(length) as usize];
            line.read_exact(&mut request).unwrap();
            line.write_all(&answer).unwrap();
        }
    });
    (folder, Agent { socket })
}

fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap();
    [&length.to_be_bytes(), message].concat()
}

fn signed_with(secret: u8, message: &[u8]) -> Vec<u8> {
    let signature = SigningKey::of_secret(&[secret; 32]).sign(message);
    let inner = [framed(b"ssh-ed25519"), framed(&signature)].concat();
    framed(&[vec![14], framed(&inner)].concat())
}

#[test]
fn only_the_signature_of_that_key_is_taken() {
    let key = SigningKey::of_secret(&[1; 32]).public().unwrap();
    let (_folder, honest) = agent(signed_with(1, b"list"));
    assert!(honest.sign(&key, b"list").is_ok());
    for answer in [
        signed_with(2, b"list"),
        signed_with(1, b"another list"),
        framed(&[5]),
        framed(&[]),
    ] {
        let (_folder, liar) = agent(answer);
        let signed = liar.sign(&key, b"list");
        assert!(matches!(signed, Err(AgentError::Refused)), "{signed:?}");
    }
}

#[test]
fn answers_without_bounds_are_not_read() {
    let (_folder, large) = agent(vec![0xff; 64]);
    assert!(matches!(large.keys(), Err(AgentError::Io(_))));
    let (_folder, short) = agent(vec![0, 0]);
    assert!(matches!(short.keys(), Err(AgentError::Io(_))));
    let (_folder, nonsense) = agent(framed(&[12, 0, 0, 0, 9]));
    assert!(matches!(nonsense.keys(), Err(AgentError::Unreadable)));
}

#[test]
fn more_than_an_agent_takes_is_not_sent() {
    let key = SigningKey::of_secret(&[1; 32]).public().unwrap();
    let (_folder, honest) = agent(Vec::new());
    let signed = honest.sign(&key, &vec![b'x'; MAX_MESSAGE]);
    assert!(matches!(signed, Err(AgentError::TooLarge(_))), "{signed:?}");
}
