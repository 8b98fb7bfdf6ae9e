//! Lockfiles of base → the one that says what was approved before for a server.
//!
//! One rule for a change and for a person's machine: the lockfile at the same place, if it
//! is that server's, else the newest of that server anywhere.

use std::borrow::Borrow;

use lockgate::lock::{Identity, Lockfile};

/// The lockfile and where it stands; `anywhere` is looked through only if need be.
pub(super) fn formerly<P, L: Borrow<Lockfile>>(
    server: &Identity,
    here: Option<(P, L)>,
    anywhere: impl FnOnce() -> Vec<(P, L)>,
) -> Option<(P, L)> {
    let is_of_server = |(_, was): &(P, L)| was.borrow().identity() == *server;
    let newest = || {
        let of_server = anywhere().into_iter().filter(is_of_server);
        of_server.max_by_key(|(_, was)| was.borrow().approved_at())
    };
    here.filter(is_of_server).or_else(newest)
}
