//! lockgate
pub mod check;
pub mod json;
pub mod lock;
pub mod untrusted;
pub mod visible;

pub use lock::{Digest, Listing, Tool};
