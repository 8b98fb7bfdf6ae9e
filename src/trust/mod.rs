//! Who may approve: keys, signatures, and how many people said yes.
//!
//! Obeys design §2 (Signature) and §4. Knows; reads no file and no clock: bytes, keys and
//! the time of the run come in as arguments. Ed25519 only, and no field names another.
#![deny(clippy::indexing_slicing)]

mod approvals;
mod fault;
mod file;
mod key;
mod place;
mod read_file;
mod scheme;

pub use approvals::{Approvals, Moment, SignatureFault, approvals};
pub use fault::{TrustFault, TrustProblem, explain};
pub use file::{Accept, Drift, Policy, ServerSecrets, Severity, Signatures, TRUST_FILE, TrustFile};
pub use key::{BadKey, KeyState, PublicKey, Role, TrustedKey};
pub use scheme::{LOCKFILE_TYPE, Scheme, TRUST_TYPE, pae};
