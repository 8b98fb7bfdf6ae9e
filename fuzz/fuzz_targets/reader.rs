//! Any bytes → the reader: it never panics, agrees with `serde_json` on what is JSON and
//! with `serde_json_canonicalizer` on the canonical form, which reads back to itself.
#![no_main]

#[path = "../../tests/oracle/mod.rs"]
#[expect(dead_code, reason = "the trees are for the writer")]
mod oracle;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| oracle::check_text(bytes));
