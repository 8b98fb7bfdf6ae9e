//! Signatures against vectors of others: each row's bytes, and what must hold of them.
//!
//! `vectors/signature.json` was made by programs that share no code with this crate; the
//! Wycheproof set is the field's own list of what Ed25519 verifiers get wrong.
#![expect(
    clippy::unwrap_used,
    reason = "vectors that are not what they should be fail the test"
)]

mod common;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use common::trusted;
use ed25519_dalek::{Signer as _, SigningKey};
use jiff::Timestamp;
use lockgate::json;
use lockgate::trust::{
    BadKey, LOCKFILE_TYPE, Moment, PublicKey, Scheme, TrustedKey, approvals, pae,
};
use lockgate::{Digest, Lockfile};
use serde::Deserialize;
use serde_json::Value;
use wycheproof::TestResult;
use wycheproof::eddsa::{TestName, TestSet};

#[derive(Deserialize)]
struct Vectors {
    seed_hex: String,
    public_key_hex: String,
    public_key_pem: String,
    key_id: String,
    payload_type: String,
    #[serde(rename = "canonical_P")]
    sealed: String,
    pae: String,
    signature_hex: String,
    schemes: BTreeMap<String, String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    lock: Value,
    sha_ok: bool,
    sig_ok: bool,
}

const SCHEMES: [(&str, Scheme); 4] = [
    ("dsse", Scheme::Dsse),
    ("canonical", Scheme::Canonical),
    ("seal-hex", Scheme::SealHex),
    ("seal-bytes", Scheme::SealBytes),
];

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("vectors/signature.json")).unwrap()
}

fn unhex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn bytes_of(base64: &str) -> [u8; 64] {
    BASE64_STANDARD.decode(base64).unwrap().try_into().unwrap()
}

fn with_scheme(scheme: Scheme) -> [TrustedKey; 1] {
    let key = PublicKey::parse(&vectors().public_key_pem).unwrap();
    [TrustedKey {
        key,
        scheme,
        ..trusted("alice", 1)
    }]
}

fn now() -> Moment {
    Moment::Now("2026-10-08T00:00:00Z".parse::<Timestamp>().unwrap())
}

#[test]
fn key_message_and_signature_are_those_of_the_vectors() {
    let vectors = vectors();
    let seed: [u8; 32] = unhex(&vectors.seed_hex).try_into().unwrap();
    let signer = SigningKey::from_bytes(&seed);
    let key = PublicKey::of_bytes(&unhex(&vectors.public_key_hex)).unwrap();
    assert_eq!(signer.verifying_key().as_bytes(), key.as_bytes());
    assert_eq!(PublicKey::parse(&vectors.public_key_pem), Ok(key));
    assert_eq!(PublicKey::parse(&key.ssh_line()), Ok(key));
    assert_eq!(key.id().to_string(), vectors.key_id);
    assert_eq!(LOCKFILE_TYPE, vectors.payload_type);
    assert_eq!(pae(LOCKFILE_TYPE, &vectors.sealed), vectors.pae.as_bytes());
    assert_eq!(
        Scheme::Dsse.message(&vectors.sealed),
        vectors.pae.as_bytes()
    );
    let signature = signer.sign(vectors.pae.as_bytes()).to_bytes();
    assert_eq!(signature.to_vec(), unhex(&vectors.signature_hex));
    assert!(key.verifies(vectors.pae.as_bytes(), &signature));
}

#[test]
fn a_signature_holds_by_its_own_scheme_and_no_other() {
    let vectors = vectors();
    assert_eq!(vectors.schemes.len(), SCHEMES.len());
    for (name, scheme) in SCHEMES {
        for (other, signed_by) in SCHEMES {
            let mut lock = vectors.cases[0].lock.clone();
            lock["signature"] = vectors.schemes[other].as_str().into();
            let lockfile = Lockfile::parse(lock.to_string().as_bytes()).unwrap();
            let approvals = approvals(&lockfile, &with_scheme(scheme), now());
            assert_eq!(
                approvals.suffice(1),
                scheme == signed_by,
                "{other} by {name}"
            );
        }
    }
}

#[test]
fn every_case_holds_as_the_vectors_say() {
    let vectors = vectors();
    assert_eq!(vectors.cases.len(), 7);
    let [alice] = with_scheme(Scheme::Dsse);
    for Case {
        id,
        lock,
        sha_ok,
        sig_ok,
    } in vectors.cases
    {
        let text = lock.to_string();
        let document = json::read(text.as_bytes()).unwrap();
        let object = document.root.as_object().unwrap();
        let sealed = json::canonical_without(object, &["sha256", "signature", "signatures"]);
        let seal = Digest::of(&sealed).to_string();
        assert_eq!(lock["sha256"] == seal, sha_ok, "{id}: seal");
        let signature = bytes_of(lock["signature"].as_str().unwrap());
        let message = Scheme::Dsse.message(&sealed);
        assert_eq!(
            alice.key.verifies(&message, &signature),
            sig_ok,
            "{id}: signature"
        );
        match Lockfile::parse(text.as_bytes()) {
            Ok(lockfile) => {
                assert!(sha_ok, "{id} was accepted");
                let approvals = approvals(&lockfile, std::slice::from_ref(&alice), now());
                assert_eq!(approvals.suffice(1), sig_ok, "{id}: approved");
            }
            Err(fault) => assert!(!sha_ok, "{id} was refused: {fault:?}"),
        }
    }
}

#[test]
fn wycheproof() {
    let set = TestSet::load(TestName::Ed25519).unwrap();
    let mut held = 0;
    for group in set.test_groups {
        let key = PublicKey::of_bytes(&group.key.pk).unwrap();
        assert_eq!(PublicKey::parse(&group.pem), Ok(key));
        for row in group.tests {
            let signature: Result<[u8; 64], _> = row.sig.to_vec().try_into();
            let verified = signature.is_ok_and(|signature| key.verifies(&row.msg, &signature));
            let due = match row.result {
                TestResult::Valid => true,
                TestResult::Invalid => false,
                TestResult::Acceptable => panic!("row {} leaves it open", row.tc_id),
            };
            assert_eq!(verified, due, "row {}: {}", row.tc_id, row.comment);
            held += 1;
        }
    }
    assert_eq!(held, set.number_of_tests);
}

/// Every spelling of the eight points of small order, and two spellings of points that
/// have another.
#[test]
fn weak_keys_and_second_spellings_are_refused() {
    let zeros = "00".repeat(30);
    let ones = "ff".repeat(30);
    let order_8 = [
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03",
    ];
    let weak = [
        format!("00{zeros}00"),
        format!("00{zeros}80"),
        format!("01{zeros}00"),
        format!("01{zeros}80"),
        format!("ec{ones}7f"),
        format!("ec{ones}ff"),
        format!("ed{ones}7f"),
        format!("ed{ones}ff"),
        format!("ee{ones}7f"),
        format!("ee{ones}ff"),
        format!("{}05", order_8[0]),
        format!("{}85", order_8[0]),
        format!("{}7a", order_8[1]),
        format!("{}fa", order_8[1]),
        format!("f0{ones}7f"),
        format!("f1{ones}ff"),
    ];
    for spelled in weak {
        let key = PublicKey::of_bytes(&unhex(&spelled));
        assert_eq!(key, Err(BadKey::Weak), "{spelled}");
    }
    assert_eq!(PublicKey::of_bytes(&[0; 31]), Err(BadKey::Unreadable));
    assert_eq!(PublicKey::of_bytes(&[0; 33]), Err(BadKey::Unreadable));
}

/// Another base64 of the same bytes is another text, and only one of them is a signature.
#[test]
fn a_signature_has_one_spelling() {
    let vectors = vectors();
    let signature = &vectors.schemes["dsse"];
    let stray_bits = signature.replace("w==", "x==");
    let url_safe = signature.replace('+', "-").replace('/', "_");
    let unpadded = signature.trim_end_matches('=').to_owned();
    let spaced = format!("{signature} ");
    let hex = vectors.signature_hex.clone();
    for spelled in [stray_bits, url_safe, unpadded, spaced, hex, String::new()] {
        let mut lock = vectors.cases[0].lock.clone();
        lock["signature"] = spelled.as_str().into();
        let fault = Lockfile::parse(lock.to_string().as_bytes());
        assert!(fault.is_err(), "{spelled}");
    }
}
