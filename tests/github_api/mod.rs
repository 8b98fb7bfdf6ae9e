//! The issues on a GitHub of the test's own: life cycles night by night, every fault, and
//! the contract with GitHub's own description of its API (`tests/github_api/run`).

#[path = "../common/mod.rs"]
mod common;
mod contract;
mod fake;
mod faults;
mod hostile;
mod life;
mod nights;
mod pages;
mod wire;
