//! text → [`Version`]: the protocol versions that are known, and their era.
//!
//! Obeys MCP, Versioning. A version that is not listed here is never spoken.

/// A protocol version, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28
    V2026_07_28,
}

/// How a conversation opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// `initialize`, `notifications/initialized`, perhaps a session.
    Legacy,
    /// No handshake: every request says its version.
    Modern,
}

impl Version {
    /// All of them, oldest first.
    pub const ALL: [Version; 5] = [
        Version::V2024_11_05,
        Version::V2025_03_26,
        Version::V2025_06_18,
        Version::V2025_11_25,
        Version::V2026_07_28,
    ];

    /// What is offered to a server of the legacy era of which nothing is known.
    pub const NEWEST_LEGACY: Version = Version::V2025_11_25;

    /// What is offered to a server of the modern era.
    pub const MODERN: Version = Version::V2026_07_28;

    /// The version of that name, if it is known.
    pub fn named(name: &str) -> Option<Self> {
        Version::ALL.into_iter().find(|v| v.name() == name)
    }

    /// As it stands on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Version::V2024_11_05 => "2024-11-05",
            Version::V2025_03_26 => "2025-03-26",
            Version::V2025_06_18 => "2025-06-18",
            Version::V2025_11_25 => "2025-11-25",
            Version::V2026_07_28 => "2026-07-28",
        }
    }

    /// The era it belongs to.
    pub fn era(self) -> Era {
        match self {
            Version::V2024_11_05
            | Version::V2025_03_26
            | Version::V2025_06_18
            | Version::V2025_11_25 => Era::Legacy,
            Version::V2026_07_28 => Era::Modern,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_versions_are_one_to_one() {
        for version in Version::ALL {
            assert_eq!(Version::named(version.name()), Some(version));
        }
        for unknown in ["", "2025-06-19", "2025-06-18 ", "draft", "2099-01-01"] {
            assert_eq!(Version::named(unknown), None, "{unknown}");
        }
        assert!(Version::ALL.is_sorted());
    }
}
