//! What MCP says on the wire: requests we may send, answers we may get.
//!
//! Obeys the Model Context Protocol, 2024-11-05 to 2026-07-28, as far as listing tools
//! needs it. Pure: bytes and values in, types out. Knows no method that could call a tool.
#![deny(clippy::indexing_slicing)]

pub mod address;
mod answer;
mod challenge;
mod handshake;
mod media;
mod negotiation;
mod paging;
mod request;
mod retry_after;
mod rpc;
mod sse;
mod version;

pub use answer::{Answer, Mail, open};
pub use challenge::scope;
pub use handshake::{NoHandshake, discovered, initialized};
pub use media::{Body, Media, body_kind};
pub use negotiation::{Negotiation, Refused};
pub use paging::{MAX_CURSOR, MAX_PAGES, MAX_TOOLS, NoWay, Paging};
pub use request::{ACCEPT, Method, PROTOCOL_VERSION, Request, SESSION, is_session_id, refusal};
pub use retry_after::{RetryAfter, retry_after};
pub use rpc::{Code, RpcError};
pub use sse::{EventTooLong, Events};
pub use version::{Era, Version};
