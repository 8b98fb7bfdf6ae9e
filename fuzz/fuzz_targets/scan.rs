//! A text that a model may get: the same findings each time, each about a part of the text,
//! and none of them drift where nothing changed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lockgate::Listing;
use lockgate::scan::{Scan, scan_against, scan_listing};
use lockgate::lock::ScanRecord;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(listing) = Listing::parse(bytes) {
        judge(&listing, None);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let tools = serde_json::json!([{"name": "a", "description": text}]);
    if let Ok(listing) = Listing::parse(tools.to_string().as_bytes()) {
        judge(&listing, Some(text));
    }
});

fn judge(listing: &Listing, text: Option<&str>) {
    let scan = scan_listing(listing);
    assert_eq!(scan, scan_listing(listing));
    assert_eq!(scan_against(scan.clone(), listing, listing), scan);
    assert_eq!(Scan::read(&ScanRecord::from(&scan)), Some(scan.clone()));
    let highest = scan.findings().iter().map(|found| found.severity).max();
    assert_eq!(scan.severity(), highest.unwrap_or_default());
    for found in scan.findings() {
        let excerpt = found.excerpt.as_arrived();
        assert!(text.is_none_or(|text| text.contains(excerpt) || excerpt == "a"));
    }
}
