//! What one run saw: its servers, and the lockfiles that do not say whose they are.

use super::server::{Condition, Server, servers};
use crate::check::Report;
use crate::trust::TrustedKey;

/// What one run saw.
#[derive(Debug, Clone)]
pub struct Run<'a> {
    /// Every server, once, sorted by its first lockfile.
    pub servers: Vec<Server<'a>>,
    /// How many lockfiles cannot be read: each may be any server's.
    pub unread: usize,
}

impl<'a> Run<'a> {
    /// What a report says of servers; `keys` are those whose signatures count.
    pub fn of(report: &'a Report, keys: &[TrustedKey]) -> Self {
        let unread = report.checked.iter().filter(|one| one.lockfile.is_none());
        Run {
            servers: servers(report, keys),
            unread: unread.count(),
        }
    }

    /// Was every server asked, and does every lockfile say whose it is?
    pub(super) fn knows_all(&self) -> bool {
        let was_asked = |server: &Server<'_>| match server.condition {
            Condition::NotAsked(_) => false,
            Condition::Same
            | Condition::Drifted(_)
            | Condition::Silent(_)
            | Condition::Accepted(_) => true,
        };
        self.unread == 0 && self.servers.iter().all(was_asked)
    }
}
