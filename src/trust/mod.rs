//! Who may approve: keys, signatures, and how many people said yes.
//!
//! Obeys design §2 (Signature) and §4. Knows; reads no file and no clock: bytes, keys and
//! the time of the run come in as arguments. Ed25519 only, and no field names another.
#![deny(clippy::indexing_slicing)]

mod approvals;
mod change;
mod file;
mod key;
mod private;
mod scheme;
mod sign;
mod ssh;

pub use approvals::{Approvals, Moment, SignatureFault, approvals};
pub use change::{TrustSignatures, TrustStep};
pub use file::{
    Accept, Drift, Policy, ServerSecrets, Signatures, TRUST_FILE, TrustFault, TrustFile,
    TrustProblem,
};
pub use key::{BadKey, KeyState, PublicKey, Role, TrustedKey};
pub use private::{BadPrivateKey, LockedKey, PrivateKey};
pub use scheme::{LOCKFILE_TYPE, Scheme, TRUST_TYPE, pae};
pub use sign::SigningKey;
pub use ssh::{AgentKey, identities_request, read_identities, read_signature, sign_request};
