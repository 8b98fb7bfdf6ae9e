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
mod ledger;
mod place;
mod private;
mod read_file;
mod scheme;
mod sign;
mod signature_fault;
mod ssh;
mod suppress;

pub use approvals::{Approvals, Moment, approvals};
pub use change::{TRUST_SIGNATURE_FILE, TrustSignature, TrustStep};
pub use change_fault::{ChangeFault, explain_change};
pub use fault::{TrustFault, TrustProblem, explain};
pub use file::{
    ACCEPTABLE, Accept, Drift, FailsFrom, Policy, ServerSecrets, Signatures, TRUST_FILE, TrustFile,
};
pub use key::{BadKey, KeyState, PublicKey, Role, TrustedKey};
pub use ledger::Ledger;
pub use private::{BadPrivateKey, LockedKey, PrivateKey};
pub use scheme::{LOCKFILE_TYPE, Scheme, TRUST_TYPE, pae};
pub use sign::SigningKey;
pub use signature_fault::{SignatureFault, explain_signature};
pub use ssh::{AgentKey, identities_request, read_identities, read_signature, sign_request};
pub use suppress::Suppress;
