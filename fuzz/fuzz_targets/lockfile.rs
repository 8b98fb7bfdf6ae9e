//! Any bytes → the lockfile, as it is and sealed anew: it never panics, what is accepted
//! is sealed by its seal, and nobody's signature is anybody's.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lockgate::check::explain;
use lockgate::trust::{KeyState, Moment, PublicKey, Role, Scheme, TrustedKey, approvals};
use lockgate::{Digest, Lockfile, json};

/// The key of the vectors.
const KEY: &str = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=";
/// The seals that it signed.
const SIGNED: &str = "909673e219c25d7a747e73fc13eb50c75517a4d9e3ab8152aa8b796f78fbafe5";

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    if let Some(text) = sealed_anew(bytes) {
        check(text.as_bytes());
    }
});

fn check(bytes: &[u8]) {
    let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count();
    match Lockfile::parse(bytes) {
        Ok(lockfile) => {
            assert_eq!(Digest::of(lockfile.sealed()), lockfile.seal());
            let found = approvals(&lockfile, &[key()], Moment::Approval);
            assert!(!found.suffice(1) || lockfile.seal().to_string() == SIGNED);
        }
        Err(fault) => {
            assert!((1..=lines).contains(&fault.line));
            let (sentence, way_out) = explain(&fault);
            assert!(!sentence.in_terminal().to_string().is_empty());
            assert!(!way_out.in_terminal().to_string().is_empty());
        }
    }
}

/// The same document with the seal that it should have.
fn sealed_anew(bytes: &[u8]) -> Option<String> {
    let document = json::read(bytes).ok()?;
    let object = document.root.as_object()?;
    let sealed = json::canonical_without(object, &["sha256", "signature", "signatures"]);
    let rest = json::canonical_without(object, &["sha256"]);
    let seal = Digest::of(sealed);
    let comma = if rest == "{}" { "" } else { "," };
    Some(format!(
        "{{\"sha256\":\"{seal}\"{comma}{}",
        rest.strip_prefix('{')?
    ))
}

fn key() -> TrustedKey {
    TrustedKey {
        name: "alice".to_owned(),
        role: Role::Approver,
        key: PublicKey::parse(KEY).expect("the key of the vectors"),
        scheme: Scheme::Dsse,
        state: KeyState::Active,
        not_after: None,
    }
}
