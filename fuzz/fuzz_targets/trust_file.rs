//! Any bytes → the trust file and its signature: neither panics, a fault stands on a line
//! of the text and has a way out, and what is accepted keeps the promises of its types.
#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use lockgate::trust::{TrustFile, TrustSignature, TrustStep, explain, explain_change};

fuzz_target!(|bytes: &[u8]| {
    let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count();
    match TrustFile::parse(bytes) {
        Ok(file) => keeps_its_promises(&file),
        Err(fault) => {
            assert!(fault.line.is_none_or(|line| (1..=lines).contains(&line)));
            let (sentence, way_out) = explain(&fault);
            assert!(!sentence.in_terminal().to_string().is_empty());
            assert!(!way_out.in_terminal().to_string().is_empty());
        }
    }
    match TrustSignature::parse(bytes) {
        Ok(file) => {
            let change = TrustStep {
                previous: file.previous,
                next: file.previous,
            };
            let permitted = file.verify(change, &TrustFile::default(), Default::default());
            assert!(permitted.is_err(), "nobody is trusted");
            assert!(!change.message().is_empty());
        }
        Err(fault) => {
            assert!(fault.line().is_none_or(|line| (1..=lines).contains(&line)));
            assert!(
                !explain_change(&fault)
                    .0
                    .in_terminal()
                    .to_string()
                    .is_empty()
            );
        }
    }
});

fn keeps_its_promises(file: &TrustFile) {
    assert!((1..=16).contains(&file.policy.approvals));
    assert!(file.policy.max_age_days != Some(0));
    let ids: BTreeSet<_> = file.keys.iter().map(|key| key.key.id()).collect();
    assert_eq!(ids.len(), file.keys.len(), "a key stands twice");
    let names: BTreeSet<_> = file.keys.iter().map(|key| key.name.as_str()).collect();
    let folded: BTreeSet<_> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(folded.len(), names.len(), "a name is spelled twice");
    for server in &file.servers {
        let named = server.headers.values();
        assert!(
            named
                .into_iter()
                .all(|variable| variable.starts_with("LOCKGATE_"))
        );
    }
}
