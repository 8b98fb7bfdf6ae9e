//! A change of the trust file: whom base names must have signed this very step.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{entry, public, trusted};
use jiff::Timestamp;
use lockgate::json;
use lockgate::lock::Digest;
use lockgate::trust::{
    ChangeFault, KeyState, Policy, Role, SignatureFault, TRUST_TYPE, TrustFile, TrustSignature,
    TrustStep, TrustedKey, explain_change, pae,
};
use serde_json::{Value, json};

const BASE: &[u8] = b"[policy]\napprovals = 2\n";
const NEXT: &[u8] = b"[policy]\napprovals = 1\n";

fn now() -> Timestamp {
    "2026-10-08T00:00:00Z".parse().unwrap()
}

/// Base names alice, bob and a service, and demands two.
fn base(keys: Vec<TrustedKey>) -> TrustFile {
    let policy = Policy {
        approvals: 2,
        ..Policy::default()
    };
    TrustFile {
        policy,
        keys,
        ..TrustFile::default()
    }
}

fn keys() -> Vec<TrustedKey> {
    let service = TrustedKey {
        role: Role::Issuer,
        ..trusted("service", 4)
    };
    vec![
        trusted("alice", 1),
        trusted("alice", 2),
        trusted("bob", 3),
        service,
    ]
}

/// The text of the signature file for a step, signed by these keys.
fn text(change: TrustStep, seeds: &[u8]) -> Value {
    let message = change.message();
    let signatures: Vec<Value> = seeds.iter().map(|seed| entry(*seed, &message)).collect();
    json!({"previous": change.previous.to_string(), "signatures": signatures})
}

/// Who permitted the step from `BASE` to `NEXT`, by that signature file.
fn check(text: &Value, base: &TrustFile) -> Result<Vec<String>, ChangeFault> {
    let signature = TrustSignature::parse(text.to_string().as_bytes())?;
    let permitted = signature.verify(TrustStep::between(BASE, NEXT), base, now());
    if let Err(fault) = &permitted {
        let (sentence, way_out) = explain_change(fault);
        assert!(!sentence.in_terminal().to_string().is_empty());
        assert!(!way_out.in_terminal().to_string().is_empty());
    }
    permitted.map(|names| names.into_iter().collect())
}

fn too_few(approvers: &[&str], faults: Vec<SignatureFault>) -> Result<Vec<String>, ChangeFault> {
    let approvers = approvers.iter().map(|name| (*name).to_owned()).collect();
    Err(ChangeFault::TooFew {
        approvers,
        needed: 2,
        faults,
    })
}

#[test]
fn signed_is_the_canonical_form_of_the_step() {
    let (previous, next) = (Digest::of(BASE), Digest::of(NEXT));
    let step = json!({"previous": previous.to_string(), "next": next.to_string()});
    let canonical = json::canonical_of(&step).unwrap();
    assert_eq!(
        TrustStep { previous, next }.message(),
        pae(TRUST_TYPE, &canonical)
    );
}

#[test]
fn people_of_base_are_counted() {
    let step = TrustStep::between(BASE, NEXT);
    let found = |seeds: &[u8]| check(&text(step, seeds), &base(keys()));
    let both = Ok(vec!["alice".to_owned(), "bob".to_owned()]);
    let id = Some(public(9).id());
    assert_eq!(found(&[1, 3]), both);
    assert_eq!(found(&[3, 2, 1]), both);
    assert_eq!(found(&[1, 2]), too_few(&["alice"], vec![]));
    assert_eq!(found(&[1, 1]), too_few(&["alice"], vec![]));
    assert_eq!(found(&[1, 4]), too_few(&["alice"], vec![]));
    assert_eq!(found(&[]), too_few(&[], vec![]));
    let stranger = vec![SignatureFault::Untrusted { key_id: id }];
    assert_eq!(found(&[1, 9]), too_few(&["alice"], stranger));
}

#[test]
fn keys_must_be_valid_now() {
    let step = TrustStep::between(BASE, NEXT);
    let with = |state, not_after: Option<&str>| {
        let mut keys = keys();
        keys[2].state = state;
        keys[2].not_after = not_after.map(|end| end.parse().unwrap());
        check(&text(step, &[1, 3]), &base(keys))
    };
    let name = || "bob".to_owned();
    let refused = |fault| too_few(&["alice"], vec![fault]);
    let end = "2026-10-07T23:59:59.999Z";
    assert!(with(KeyState::Active, Some("2026-10-08T23:59:59.999Z")).is_ok());
    let expired = SignatureFault::Expired {
        name: name(),
        not_after: end.parse().unwrap(),
    };
    assert_eq!(with(KeyState::Active, Some(end)), refused(expired));
    let retired = SignatureFault::Retired { name: name() };
    assert_eq!(with(KeyState::Retired, None), refused(retired));
    let compromised = SignatureFault::Compromised { name: name() };
    assert_eq!(with(KeyState::Compromised, None), refused(compromised));
}

#[test]
fn another_step_is_not_this_one() {
    let other = b"[policy]\napprovals = 3\n";
    let bad = || SignatureFault::Bad {
        name: "alice".into(),
    };
    let bobs = || SignatureFault::Bad { name: "bob".into() };
    let found = |change| check(&text(change, &[1, 3]), &base(keys()));

    let to_another_file = found(TrustStep::between(BASE, other));
    assert_eq!(to_another_file, too_few(&[], vec![bad(), bobs()]));

    let from_another_file = found(TrustStep::between(other, NEXT));
    let (signed, on_base) = (Digest::of(other), Digest::of(BASE));
    assert_eq!(
        from_another_file,
        Err(ChangeFault::OtherBase {
            signed,
            base: on_base
        })
    );

    let mut relabelled = text(TrustStep::between(other, NEXT), &[1, 3]);
    relabelled["previous"] = on_base.to_string().into();
    let relabelled = check(&relabelled, &base(keys()));
    assert_eq!(relabelled, too_few(&[], vec![bad(), bobs()]));

    let back = found(TrustStep::between(NEXT, BASE));
    assert!(matches!(back, Err(ChangeFault::OtherBase { .. })));
}

/// What approves a lockfile permits no change of the trust file.
#[test]
fn a_signature_of_another_type_is_worth_nothing() {
    let step = TrustStep::between(BASE, NEXT);
    let canonical = format!(
        r#"{{"next":"{}","previous":"{}"}}"#,
        step.next, step.previous
    );
    let message = pae(lockgate::trust::LOCKFILE_TYPE, &canonical);
    let mut document = text(step, &[]);
    document["signatures"] = json!([entry(1, &message), entry(3, canonical.as_bytes())]);
    assert!(matches!(
        check(&document, &base(keys())),
        Err(ChangeFault::TooFew { .. })
    ));
}

#[test]
fn every_flipped_byte_is_seen() {
    let step = TrustStep::between(BASE, NEXT);
    let written = json::print(&text(step, &[1, 3]));
    let base = base(keys());
    let permits = |bytes: &[u8]| {
        TrustSignature::parse(bytes).is_ok_and(|file| file.verify(step, &base, now()).is_ok())
    };
    assert!(permits(written.as_bytes()));
    let hints: Vec<usize> = written
        .match_indices("\"key_id\": \"")
        .map(|(at, _)| at + 11)
        .collect();
    for at in 0..written.len() {
        for bits in [0x01, 0x02, 0x20, 0x80] {
            let mut bytes = written.clone().into_bytes();
            bytes[at] ^= bits;
            let is_hint = hints.iter().any(|hint| (*hint..hint + 64).contains(&at));
            assert!(!permits(&bytes) || is_hint, "byte {at} of\n{written}");
        }
    }
}

#[test]
fn reads_its_shape_and_nothing_else() {
    let step = TrustStep::between(BASE, NEXT);
    let line = |text: &str| {
        let fault = TrustSignature::parse(text.as_bytes()).unwrap_err();
        (fault.line(), matches!(fault, ChangeFault::Shape { .. }))
    };
    let written = json::print(&text(step, &[1]));
    let row = |from: &str, to: &str, expect: usize| {
        assert!(written.contains(from), "{from}");
        assert_eq!(
            line(&written.replacen(from, to, 1)),
            (Some(expect), true),
            "{to}"
        );
    };
    row("\"previous\"", "\"Previous\"", 1);
    row("\"previous\"", "\"next\": 1, \"previous\"", 1);
    row("\"previous\": \"", "\"previous\": \"0", 2);
    row("\"key_id\": \"", "\"key_id\": \"F", 5);
    row("\"key_id\"", "\"alg\": \"none\", \"key_id\"", 3);
    row("\"signature\": \"", "\"signature\": \"+", 6);
    assert_eq!(line("[]"), (Some(1), true));
    assert_eq!(
        line("{\"previous\": 1,\n\"previous\": 2}"),
        (Some(2), false)
    );
    let many = json::print(&text(step, &[1; 17]));
    assert_eq!(line(&many), (Some(3), true));
    let large = format!("{written}{}", " ".repeat(64 * 1024));
    assert_eq!(
        TrustSignature::parse(large.as_bytes()),
        Err(ChangeFault::TooLarge)
    );
}
