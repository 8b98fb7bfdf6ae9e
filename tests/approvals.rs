//! Who approved a lockfile: people are counted, not keys and not signatures, and nothing
//! that was signed can be changed by a bit.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{approve, entry, listing, public, resealed, signed, tools, trusted};
use jiff::Timestamp;
use lockgate::Lockfile;
use lockgate::trust::{
    Approvals, KeyState, Ledger, Moment, Role, Scheme, SignatureFault, TrustedKey, approvals,
    explain_signature,
};
use serde_json::Value;

/// The moment of the test lockfile's approval is 2026-10-07T10:45:00Z.
const NOW: &str = "2026-10-08T00:00:00Z";

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn unsigned() -> String {
    approve(&listing(&tools())).0
}

fn count(text: &str, keys: &[TrustedKey], moment: Moment) -> Approvals {
    approvals(&Lockfile::parse(text.as_bytes()).unwrap(), keys, moment)
}

/// The lockfile signed by `seeds` has these approvers, by these keys.
fn check(seeds: &[u8], keys: &[TrustedKey], approvers: &[&str]) {
    let found = count(&signed(&unsigned(), seeds), keys, Moment::Now(time(NOW)));
    let names: Vec<&str> = found.approvers.keys().map(String::as_str).collect();
    assert_eq!(names, approvers, "signed by {seeds:?}: {:?}", found.faults);
    for needed in 0..4 {
        assert_eq!(found.suffice(needed), names.len() >= needed.max(1));
    }
}

#[test]
fn people_count_and_not_keys_or_signatures() {
    let keys = [trusted("alice", 1), trusted("alice", 2), trusted("bob", 3)];
    check(&[], &keys, &[]);
    check(&[1], &keys, &["alice"]);
    check(&[1, 1], &keys, &["alice"]);
    check(&[1, 2], &keys, &["alice"]);
    check(&[1, 3], &keys, &["alice", "bob"]);
    check(&[3, 2, 1], &keys, &["alice", "bob"]);
    check(&[9, 3], &keys, &["bob"]);
    check(&[9], &keys, &[]);
    check(&[1, 3], &[], &[]);
}

#[test]
fn an_issuer_is_evidence_and_never_an_approval() {
    let service = TrustedKey {
        role: Role::Issuer,
        ..trusted("service", 4)
    };
    let alices = TrustedKey {
        role: Role::Issuer,
        ..trusted("alice", 5)
    };
    let keys = [trusted("alice", 1), service, alices];
    check(&[4], &keys, &[]);
    check(&[5], &keys, &[]);
    check(&[4, 1], &keys, &["alice"]);
    let found = count(
        &signed(&unsigned(), &[4, 5, 4]),
        &keys,
        Moment::Now(time(NOW)),
    );
    assert_eq!(found.issuers, ["alice".into(), "service".into()].into());
    assert!(found.faults.is_empty());
}

/// What becomes of alice's one signature when her key is like that: now, and at approval.
fn life(state: KeyState, not_after: Option<&str>, now: Option<&str>, then: Option<&str>) {
    let key = TrustedKey {
        state,
        not_after: not_after.map(time),
        ..trusted("alice", 1)
    };
    let text = signed(&unsigned(), &[1]);
    for (moment, due) in [(Moment::Now(time(NOW)), now), (Moment::Approval, then)] {
        let found = count(&text, std::slice::from_ref(&key), moment);
        let told = found.faults.first().map(|fault| {
            let (sentence, way_out) = explain_signature(fault);
            assert!(!way_out.in_terminal().to_string().is_empty());
            sentence.in_terminal().to_string()
        });
        assert_eq!(found.suffice(1), due.is_none(), "{key:?} {moment:?}");
        assert_eq!(found.faults.len(), usize::from(due.is_some()));
        let as_due = told
            .as_deref()
            .zip(due)
            .is_none_or(|(told, due)| told.contains(due));
        assert!(as_due, "{told:?} {due:?}");
    }
}

#[test]
fn a_key_counts_in_its_time() {
    let (active, retired, compromised) =
        (KeyState::Active, KeyState::Retired, KeyState::Compromised);
    let ended = Some("`alice` signed this, and ended 2026-10-07");
    let retired_now = Some("it is retired");
    let never = Some("it is compromised");
    life(active, None, None, None);
    life(active, Some(NOW), None, None);
    life(active, Some("2026-10-07T23:59:59.999Z"), ended, None);
    life(active, Some("2026-10-07T10:45:00Z"), ended, None);
    life(active, Some("2026-10-07T10:44:59.999Z"), ended, ended);
    life(retired, None, retired_now, None);
    life(retired, Some("2026-10-07T23:59:59.999Z"), retired_now, None);
    life(
        retired,
        Some("2026-10-07T10:44:59.999Z"),
        retired_now,
        ended,
    );
    life(compromised, None, never, never);
    life(compromised, Some("2027-01-01T00:00:00Z"), never, never);
}

#[test]
fn an_approver_stays_as_long_as_the_key_that_lasts_longest() {
    let until = |seed, end: Option<&str>| TrustedKey {
        not_after: end.map(time),
        ..trusted("alice", seed)
    };
    let (early, late) = (Some("2027-01-01T00:00:00Z"), Some("2028-01-01T00:00:00Z"));
    for (first, second, due) in [
        (early, late, late),
        (late, early, late),
        (early, None, None),
        (None, early, None),
    ] {
        let keys = [until(1, first), until(2, second)];
        let found = count(&signed(&unsigned(), &[1, 2]), &keys, Moment::Now(time(NOW)));
        assert_eq!(found.approvers["alice"], due.map(time));
    }
}

/// The faults of a lockfile with these entries in `signatures`.
fn faults(entries: Value, keys: &[TrustedKey]) -> Vec<SignatureFault> {
    let mut document: Value = serde_json::from_str(&unsigned()).unwrap();
    document["signatures"] = entries;
    count(&document.to_string(), keys, Moment::Now(time(NOW))).faults
}

#[test]
fn bad_is_what_a_trusted_key_refuses_and_untrusted_what_none_knows() {
    let keys = [trusted("alice", 1), trusted("bob", 3)];
    let text = unsigned();
    let message = Scheme::Dsse.message(Lockfile::parse(text.as_bytes()).unwrap().sealed());
    let stranger = entry(9, &message);
    let id = Some(public(9).id());
    let untrusted = |key_id| vec![SignatureFault::Untrusted { key_id }];
    assert_eq!(faults(serde_json::json!([stranger]), &keys), untrusted(id));

    let mut forged = stranger.clone();
    forged["key_id"] = public(1).id().to_string().into();
    let bad = vec![SignatureFault::Bad {
        name: "alice".into(),
    }];
    assert_eq!(faults(serde_json::json!([forged]), &keys), bad);

    let other_text = entry(1, b"another text");
    assert_eq!(faults(serde_json::json!([other_text]), &keys), bad);

    let by_another_scheme = [TrustedKey {
        scheme: Scheme::SealHex,
        ..trusted("alice", 1)
    }];
    let good = entry(1, &message);
    assert_eq!(faults(serde_json::json!([good]), &by_another_scheme), bad);

    let mut by_bob_as_alice = entry(3, &message);
    by_bob_as_alice["key_id"] = public(1).id().to_string().into();
    assert_eq!(faults(serde_json::json!([by_bob_as_alice]), &keys), []);

    let in_first_place = signed(&text, &[9]);
    let found = count(&in_first_place, &keys, Moment::Now(time(NOW)));
    assert_eq!(found.faults, untrusted(None));
}

/// What many cores found, in any order and asked twice, is what each lockfile comes to alone.
#[test]
fn a_ledger_counts_as_each_lockfile_alone_does() {
    let other_scheme = TrustedKey {
        scheme: Scheme::SealHex,
        ..trusted("dave", 4)
    };
    let ended = TrustedKey {
        not_after: Some(time("2026-10-07T20:00:00Z")),
        ..trusted("carol", 5)
    };
    let keys = [trusted("alice", 1), trusted("bob", 3), other_scheme, ended];
    let signers: [&[u8]; 9] = [
        &[],
        &[1],
        &[3, 1],
        &[9],
        &[9, 9, 1, 1],
        &[5, 3],
        &[4],
        &[1, 4, 9],
        &[9, 8, 7, 6, 5, 4, 3, 2, 1],
    ];
    // Bytes alike over other texts, and hints that name another key.
    let swapped = |text: &str| {
        let mut document: Value = serde_json::from_str(text).unwrap();
        let elsewhere = signed(&resealed(&unsigned(), |at| at["note"] = 0.into()), &[3, 1]);
        let elsewhere: Value = serde_json::from_str(&elsewhere).unwrap();
        document["signature"] = elsewhere["signature"].clone();
        document["signatures"] = elsewhere["signatures"].clone();
        document["signatures"][0]["key_id"] = public(3).id().to_string().into();
        document.to_string()
    };
    let texts: Vec<String> = (0..60)
        .map(|number| {
            let unsigned = resealed(&unsigned(), |at| at["note"] = (number % 20).into());
            let text = signed(&unsigned, signers[number % signers.len()]);
            if number % 7 == 0 {
                swapped(&text)
            } else {
                text
            }
        })
        .collect();
    let parse = |text: &String| Lockfile::parse(text.as_bytes()).unwrap();
    let lockfiles: Vec<Lockfile> = texts.iter().map(parse).collect();
    let moments = [Moment::Now(time(NOW)), Moment::Approval];
    let alone: Vec<Approvals> = lockfiles
        .iter()
        .flat_map(|one| moments.map(|moment| approvals(one, &keys, moment)))
        .collect();
    assert!(alone.iter().any(|one| one.suffice(2)));
    assert!(alone.iter().any(|one| one.faults.len() > 2));
    let ledger = Ledger::new(&keys);
    ledger.verify(&lockfiles[30..]);
    ledger.verify(lockfiles.iter().rev());
    for ledger in [ledger.clone(), ledger, Ledger::new(&keys)] {
        let counted = lockfiles
            .iter()
            .flat_map(|one| moments.map(|moment| ledger.approvals(one, moment)));
        assert_eq!(counted.collect::<Vec<_>>(), alone);
    }
}

/// Flips bits of every byte of the signed lockfile, one byte at a time: what is still
/// approved by `needed` people had only the hint beside a signature flipped.
fn flip_every_byte(seeds: &[u8], keys: &[TrustedKey]) {
    let text = signed(&unsigned(), seeds);
    let needed = seeds.len();
    let moment = Moment::Now(time(NOW));
    assert!(count(&text, keys, moment).suffice(needed));
    let hint = text.find("\"key_id\": \"").map(|at| at + 11);
    for at in 0..text.len() {
        for bits in [0x01, 0x02, 0x20, 0x80] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= bits;
            let approved = Lockfile::parse(&bytes)
                .is_ok_and(|lockfile| approvals(&lockfile, keys, moment).suffice(needed));
            let is_hint = hint.is_some_and(|hint| (hint..hint + 64).contains(&at));
            assert!(!approved || is_hint, "byte {at} of\n{text}");
        }
    }
}

#[test]
fn every_flipped_byte_is_seen_one_of_one() {
    flip_every_byte(&[1], &[trusted("alice", 1)]);
}

#[test]
fn every_flipped_byte_is_seen_two_of_two() {
    flip_every_byte(&[1, 3], &[trusted("alice", 1), trusted("bob", 3)]);
}

/// Whoever changes a sealed member can seal it again, and cannot sign it.
#[test]
fn every_changed_member_is_seen_however_it_is_sealed() {
    let keys = [trusted("alice", 1), trusted("bob", 3)];
    let text = signed(&unsigned(), &[1, 3]);
    let document: Value = serde_json::from_str(&text).unwrap();
    let mut pointers = Vec::new();
    leaves(&document, "", &mut pointers);
    assert!(pointers.len() > 20, "{pointers:?}");
    let mut accepted = 0;
    for pointer in pointers {
        let changed = resealed(&text, |document| {
            let leaf = document.pointer_mut(&pointer).unwrap();
            *leaf = match leaf {
                Value::String(text) => format!("{text}x").into(),
                Value::Number(number) => (number.as_u64().unwrap() + 1).into(),
                Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => 1.into(),
            };
        });
        if let Ok(lockfile) = Lockfile::parse(changed.as_bytes()) {
            let found = approvals(&lockfile, &keys, Moment::Now(time(NOW)));
            assert_eq!(found.approvers.len(), 0, "{pointer}");
            assert_eq!(found.faults.len(), 2, "{pointer}");
            accepted += 1;
        }
    }
    assert!(accepted > 3, "only the self-checks are tested");
    let added = resealed(&text, |document| document["note"] = "x".into());
    assert!(!count(&added, &keys, Moment::Now(time(NOW))).suffice(1));
}

/// The JSON Pointer of every sealed value that holds no others.
fn leaves(value: &Value, pointer: &str, found: &mut Vec<String>) {
    let unsealed = ["/sha256", "/signature", "/signatures"];
    match value {
        _ if unsealed.contains(&pointer) => {}
        Value::Object(members) if !members.is_empty() => members
            .iter()
            .for_each(|(name, value)| leaves(value, &format!("{pointer}/{name}"), found)),
        Value::Array(items) if !items.is_empty() => (0..items.len())
            .for_each(|index| leaves(&items[index], &format!("{pointer}/{index}"), found)),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => found.push(pointer.to_owned()),
    }
}
