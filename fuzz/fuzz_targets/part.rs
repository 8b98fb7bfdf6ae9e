//! The report of a shard: refused by name, or nothing in it that a terminal would obey.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lockgate::check::{PartReport, Said};
use lockgate::visible::is_unseen;

fuzz_target!(|bytes: &[u8]| {
    let report = match PartReport::read(bytes) {
        Ok(report) => report,
        Err(fault) => {
            assert!(!fault.to_string().contains(is_unseen));
            return;
        }
    };
    let shard = report.part.shard;
    assert!((1..=shard.of()).contains(&shard.index()));
    for (server, said) in &report.part.servers {
        assert!(shard.all().any(|one| one.asks(*server)));
        if let Said::Unlisted(unlisted) = said {
            let texts = [Some(&unlisted.detail), unlisted.hint.as_ref()];
            for text in texts.into_iter().flatten() {
                assert!(!text.contains(is_unseen) && !text.contains("##["));
                assert!(!text.trim_start().starts_with("::"));
            }
        }
    }
});
