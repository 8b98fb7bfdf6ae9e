//! Touches the world: files, git, network, clock, terminal. Returns what arrived and
//! judges nothing.

pub mod agent;
pub mod append;
pub mod clock;
pub mod demo;
pub mod discover;
pub mod files;
pub mod git;
pub mod github;
pub mod keys;
pub mod mcp;
pub mod prompt;
pub mod reports;
pub mod signals;
pub mod snapshot;
pub mod terminal;
pub mod together;
