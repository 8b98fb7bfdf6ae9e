//! lockgate
pub mod check;
pub mod json;
pub mod lock;
pub mod untrusted;
pub mod visible;
pub mod wire;
pub mod world;

pub use lock::{Digest, Listing, Tool};
