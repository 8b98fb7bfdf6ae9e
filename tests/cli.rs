//! The command line, as data: `tests/cmd/NAME.toml` beside its folder `NAME.in/`.
//!
//! `TRYCMD=overwrite cargo test --test cli` writes down what is said now.

#[test]
fn cases() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("GITHUB_ACTIONS", "")
        .env("GIT_CEILING_DIRECTORIES", env!("CARGO_MANIFEST_DIR"))
        .case("tests/cmd/*.toml");
}
