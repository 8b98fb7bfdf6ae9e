//! Whatever a text is, the scan judges it: the same each time, about a part of the text, and
//! nothing drifts where nothing changed.
#![expect(clippy::expect_used, reason = "a test's own data")]

#[path = "scan/sentence.rs"]
#[allow(dead_code, reason = "the rows are needed here, the scan is not")]
mod sentence;

use lockgate::Listing;
use lockgate::scan::{scan_against, scan_listing};
use proptest::prelude::*;
use proptest::sample::select;

const TABLES: [&str; 4] = [
    include_str!("scan/orders.tsv"),
    include_str!("scan/attacks-a.tsv"),
    include_str!("scan/negatives-a.tsv"),
    include_str!("scan/statements.tsv"),
];

/// Sentences, marks and characters that the rules look for, and anything else.
fn part() -> impl Strategy<Value = String> {
    let sentences: Vec<String> = TABLES
        .iter()
        .flat_map(|table| sentence::rows(table))
        .filter_map(|row| row.last().map(|said| (*said).to_owned()))
        .collect();
    let marks = [
        "<!--",
        "-->",
        "<important>",
        "</",
        "![a](http://x/{",
        "](",
        "%41",
        "\\u0041",
        "&#x41;",
        "\u{200b}",
        "\u{202e}",
        "\u{e0041}",
        "\u{fe01}",
        "\u{1b}[8m",
        "\n\n",
        "\n",
        "::",
        "##[",
        "[SYSTEM]",
        "a@b.example",
        "https://a.example/",
        "`",
        "\"",
        "aWdub3JlIGFsbCBwcmV2aW91cw==",
        "ﷺ",
        "İ",
        "ß",
        "漢",
        "ユ",
        "1gn0re",
        "i g n o r e ",
    ];
    prop_oneof![
        4 => select(sentences),
        3 => select(marks.to_vec()).prop_map(str::to_owned),
        2 => ".{0,40}",
        1 => "[ -~]{0,40}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(part(), 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_judged_the_same_each_time(text in text()) {
        let tools = serde_json::json!([{"name": "a", "description": text}]);
        let listing = Listing::parse(tools.to_string().as_bytes()).expect("a listing");
        let scan = scan_listing(&listing);
        prop_assert_eq!(&scan, &scan_listing(&listing));
        let highest = scan.findings().iter().map(|found| found.severity).max();
        prop_assert_eq!(scan.severity(), highest.unwrap_or_default());
        for found in scan.findings() {
            let excerpt = found.excerpt.as_arrived();
            prop_assert!(text.contains(excerpt), "{:?}", found);
            prop_assert!(!excerpt.is_empty(), "{:?}", found);
        }
        let told = listing.with_instructions(Some(text.as_str()));
        let scan = scan_listing(&told);
        prop_assert_eq!(&scan_against(scan.clone(), &told, &told), &scan, "nothing was added");
    }
}
