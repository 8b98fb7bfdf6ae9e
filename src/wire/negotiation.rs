//! refusals → the protocol version to try next.
//!
//! Obeys MCP 2026-07-28, Versioning and Streamable HTTP, "Backward Compatibility": a modern
//! error never leads back to the legacy era; any other refusal may. Every way ends.

use super::{Code, Era, Version};

/// Most times that a conversation is opened.
const MAX_TRIES: usize = 4;

/// A search for a version that both sides speak.
#[derive(Debug)]
pub struct Negotiation {
    named: Option<Version>,
    tried: Vec<Version>,
}

/// What a refusal says about versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused<'a> {
    /// The JSON-RPC code, if there was one.
    pub code: Option<Code>,
    /// The known versions that the server says it speaks.
    pub supported: &'a [Version],
}

impl Negotiation {
    /// Begins with the version that was spoken at approval, if one is known.
    pub fn new(named: Option<Version>) -> Self {
        Negotiation {
            named,
            tried: Vec::new(),
        }
    }

    /// The version to try first.
    pub fn first(&mut self) -> Version {
        let first = self.named.unwrap_or(Version::MODERN);
        self.tried.push(first);
        first
    }

    /// The version to try after a refusal; `None` if there is none left.
    pub fn next(&mut self, refused: &Refused<'_>) -> Option<Version> {
        let last = *self.tried.last()?;
        let next = match (last.era(), refused.code) {
            (_, Some(Code::UnsupportedVersion)) => self.supported(refused.supported, 2),
            (Era::Modern, Some(Code::HeaderMismatch | Code::MissingCapability)) => None,
            (Era::Modern, Some(Code::Other(_) | Code::None) | None) => self
                .supported(refused.supported, 1)
                .or_else(|| self.untried(Era::Legacy).then_some(Version::NEWEST_LEGACY)),
            (Era::Legacy, _) => self.untried(Era::Modern).then_some(Version::MODERN),
        };
        let next = next.or_else(|| self.modern_after_legacy(last));
        self.tried.extend(next);
        next.filter(|_| self.tried.len() <= MAX_TRIES)
    }

    /// The newest of `versions` that was tried less often than the modern (`times`) or at
    /// all (legacy).
    fn supported(&self, versions: &[Version], times: usize) -> Option<Version> {
        let tried = |version| self.tried.iter().filter(|t| **t == version).count();
        let fresh = |version: &&Version| match version.era() {
            Era::Modern => tried(**version) < times,
            Era::Legacy => tried(**version) == 0,
        };
        versions.iter().filter(fresh).max().copied()
    }

    fn modern_after_legacy(&self, last: Version) -> Option<Version> {
        (last.era() == Era::Legacy && self.untried(Era::Modern)).then_some(Version::MODERN)
    }

    fn untried(&self, era: Era) -> bool {
        self.tried.iter().all(|version| version.era() != era)
    }
}

#[cfg(test)]
mod tests {
    use super::Version as V;
    use super::*;

    /// Refuses every try in the same way and demands this sequence of tries.
    fn check(named: Option<V>, (code, supported): (Option<Code>, &[V]), expect: &[V]) {
        let mut negotiation = Negotiation::new(named);
        let mut tries = vec![negotiation.first()];
        while let Some(next) = negotiation.next(&Refused { code, supported }) {
            tries.push(next);
        }
        assert_eq!(tries, expect, "{named:?} {code:?} {supported:?}");
    }

    #[test]
    fn any_refusal_leads_to_the_other_era_once() {
        let newest = V::NEWEST_LEGACY;
        for code in [None, Some(Code::Other(-32601)), Some(Code::None)] {
            check(None, (code, &[]), &[V::MODERN, newest]);
            check(Some(V::MODERN), (code, &[]), &[V::MODERN, newest]);
            check(
                Some(V::V2025_03_26),
                (code, &[]),
                &[V::V2025_03_26, V::MODERN],
            );
        }
        check(
            None,
            (None, &[V::V2024_11_05]),
            &[V::MODERN, V::V2024_11_05],
        );
    }

    #[test]
    fn a_modern_error_never_leads_back() {
        for code in [Code::HeaderMismatch, Code::MissingCapability] {
            check(None, (Some(code), &[]), &[V::MODERN]);
            check(
                Some(V::V2025_06_18),
                (Some(code), &[]),
                &[V::V2025_06_18, V::MODERN],
            );
        }
    }

    #[test]
    fn an_unsupported_version_leads_to_a_supported_one() {
        let code = Some(Code::UnsupportedVersion);
        check(None, (code, &[]), &[V::MODERN]);
        check(None, (code, &[V::MODERN]), &[V::MODERN, V::MODERN]);
        check(
            None,
            (code, &[V::V2024_11_05, V::V2025_06_18]),
            &[V::MODERN, V::V2025_06_18, V::V2024_11_05],
        );
        check(
            Some(V::V2025_06_18),
            (code, &[]),
            &[V::V2025_06_18, V::MODERN],
        );
        check(
            None,
            (code, &V::ALL),
            &[V::MODERN, V::MODERN, V::V2025_11_25, V::V2025_06_18],
        );
    }
}
