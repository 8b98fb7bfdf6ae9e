//! The hidden lines of issues, which anybody with the right to edit one may change: whatever
//! is read is, to the letter, what we would write.
#![expect(clippy::unwrap_used, reason = "a test's own texts")]

use jiff::Timestamp;
use lockgate::issue::{Marker, Memory};
use proptest::prelude::*;

const MARKER: &str = "<!-- lockgate:v1 key=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 url=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 approved=1791369900123 is=drift state=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 -->";
const MEMORY: &str = r#"<!-- lockgate:memory {"v":1,"whole":true,"rows":[["AAAAAAAAAAAAAAAAAAAAAA","silent",1795000000,3,1794000000,40,"https://a.example/","mcp/a.json"],["AAAAAAAAAAAAAAAAAAAAAQ","~AAAAAAAAAAA",1795000000,0,0,1]]} -->"#;

fn now() -> Timestamp {
    Timestamp::from_second(1_796_000_000).unwrap()
}

/// A line with some characters replaced, taken out or put in.
fn edited(line: &'static str) -> impl Strategy<Value = String> {
    let edit = (0..line.len(), 0..3_usize, "[ -~é\\r]{0,3}");
    proptest::collection::vec(edit, 0..4).prop_map(move |edits| {
        let mut line = line.to_owned();
        for (at, taken, put) in edits {
            let at = at.min(line.len());
            let end = (at + taken).min(line.len());
            if line.is_char_boundary(at) && line.is_char_boundary(end) {
                line.replace_range(at..end, &put);
            }
        }
        line
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn a_marker_is_read_only_as_it_is_written(line in edited(MARKER)) {
        if let Some(marker) = Marker::of_body(&line) {
            prop_assert_eq!(marker.to_string(), line.lines().next().unwrap_or_default());
        }
    }

    #[test]
    fn a_memory_that_is_read_is_written_and_read_again(line in edited(MEMORY)) {
        if let Some(memory) = Memory::read(&line, now()) {
            let written = memory.line();
            prop_assert_eq!(written.lines().count(), 1);
            prop_assert_eq!(written.matches('>').count(), 1);
            prop_assert_eq!(Memory::read(&written, now()), Some(memory));
        }
    }

    #[test]
    fn any_text_is_no_fault(text in "\\PC{0,200}") {
        prop_assert_eq!(Marker::of_body(&text), None);
        prop_assert_eq!(Memory::read(&text, now()), None);
    }
}

#[test]
fn what_is_edited_here_is_right_before() {
    assert!(Marker::of_body(MARKER).is_some());
    assert_eq!(Memory::read(MEMORY, now()).unwrap().rows().count(), 2);
}
