//! Touches the world: files, git, network, clock, terminal. Returns what arrived and
//! judges nothing.

pub mod clock;
pub mod demo;
pub mod discover;
pub mod files;
pub mod git;
pub mod mcp;
pub mod signals;
pub mod snapshot;
pub mod terminal;
