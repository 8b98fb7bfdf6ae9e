//! Who may approve: keys, signatures, and how many people said yes.
//!
//! Obeys design §2 (Signature) and §4. Knows; reads no file and no clock: bytes, keys and
//! the time of the run come in as arguments. Ed25519 only, and no field names another.
#![deny(clippy::indexing_slicing)]

mod approvals;
mod change;
mod change_fault;
mod fault;
mod file;
mod key;
mod place;
mod read_file;
mod scheme;
mod signature_fault;

pub use approvals::{Approvals, Moment, approvals};
pub use change::{TRUST_SIGNATURE_FILE, TrustChange, TrustSignature, trust_change_message};
pub use change_fault::{ChangeFault, explain_change};
pub use fault::{TrustFault, TrustProblem, explain};
pub use file::{Accept, Drift, Policy, ServerSecrets, Severity, Signatures, TRUST_FILE, TrustFile};
pub use key::{BadKey, KeyState, PublicKey, Role, TrustedKey};
pub use scheme::{LOCKFILE_TYPE, Scheme, TRUST_TYPE, pae};
pub use signature_fault::{SignatureFault, explain_signature};
