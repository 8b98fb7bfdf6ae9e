//! The TLS configuration that all clients share.
//!
//! Obeys design §6: the machine's roots (or `SSL_CERT_FILE`), read once and only when a
//! server is asked over TLS; HTTP/1.1 is all that is offered.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use tokio::sync::OnceCell;

use super::failure;
use crate::check::Unlisted;

/// The machine's roots, not read before they are needed.
#[derive(Debug, Default)]
pub(super) struct Roots(OnceCell<Result<Arc<ClientConfig>, Unlisted>>);

impl Roots {
    /// The configuration that trusts them.
    ///
    /// # Errors
    /// `tls` if the machine has none.
    pub(super) async fn config(&self) -> Result<Arc<ClientConfig>, Unlisted> {
        self.0.get_or_init(load).await.clone()
    }
}

async fn load() -> Result<Arc<ClientConfig>, Unlisted> {
    let read = tokio::task::spawn_blocking(|| {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        roots
    });
    match read.await {
        Ok(roots) if !roots.is_empty() => config(roots),
        Ok(_) | Err(_) => Err(failure::no_roots()),
    }
}

/// For servers that are asked without TLS: trusts nobody.
pub(super) fn without_roots() -> Result<Arc<ClientConfig>, Unlisted> {
    config(RootCertStore::empty())
}

fn config(roots: RootCertStore) -> Result<Arc<ClientConfig>, Unlisted> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| failure::internal(&error))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
