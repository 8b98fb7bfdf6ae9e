//! Any choices → a value and one of its spellings → the writer: the canonical form is that
//! of the shortest spelling and of the oracle, and what is printed reads back to it.
#![no_main]

#[path = "../../tests/oracle/mod.rs"]
mod oracle;

use libfuzzer_sys::fuzz_target;
use lockgate::json::{canonical, print, print_line, read, read_own};
use oracle::tree::{Tape, Tree};

fuzz_target!(|bytes: &[u8]| {
    let (spelling, value) = bytes.split_at(bytes.len() / 2);
    let mut tree = Tree::of(value);
    let text = tree.spelled(&mut Tape(spelling));
    oracle::check_text(text.as_bytes());
    let document = read(text.as_bytes()).expect("a tree is JSON");
    let form = canonical(&document.root);
    assert_eq!(form, canonical_of(&tree), "{text}");
    for printed in [print(&document.root), print_line(&document.root)] {
        let again = read_own(printed.as_bytes()).expect("what is printed is JSON");
        assert_eq!(canonical(&again.root), form, "{printed}");
    }
    tree.change(&mut Tape(spelling));
    assert_ne!(form, canonical_of(&tree), "{text}");
});

fn canonical_of(tree: &Tree) -> String {
    let plain = tree.plain();
    canonical(&read(plain.as_bytes()).expect("a tree is JSON").root)
}
