//! lockgate
pub mod check;
pub mod json;
pub mod lock;
pub mod message;
pub mod tell;
pub mod untrusted;
pub mod visible;
pub mod world;

pub use check::{Comparison, Decision, Verdict, compare};
pub use lock::{Digest, Listing, Lockfile, Tool};
