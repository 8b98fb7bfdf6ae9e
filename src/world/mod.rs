//! Touches the world: files, git, the network, GitHub, the clock, the terminal.
//!
//! Returns what arrived and judges nothing (style, "Four kinds of room").

pub mod mcp;
