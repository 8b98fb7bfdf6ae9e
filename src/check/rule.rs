//! The rules a finding can name: id, sentence, default level; one table for all.

use serde::{Serialize, Serializer};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Worth acting on; does not fail the run by default.
    Warning,
    /// Fails the run.
    Error,
}

impl Level {
    /// As it stands in output.
    pub fn name(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A lockfile that cannot be used.
    LockfileRefused,
    /// A companion listing that is not what the lockfile pins.
    CompanionRefused,
    /// A file that should be read and cannot be.
    Unreadable,
    /// A lockfile or companion that is no plain file.
    NotAPlainFile,
    /// No lockfile was found.
    NoLockfile,
    /// What reaches the model and no pin covers.
    UncoveredSurface,
    /// The server speaks another protocol version than at approval.
    ProtocolVersion,
    /// Something in the listing was accepted that readers take differently.
    ListingNotice,
}

impl Rule {
    /// Every rule, in the order of the documentation.
    pub const ALL: [Rule; 8] = [
        Rule::LockfileRefused,
        Rule::CompanionRefused,
        Rule::Unreadable,
        Rule::NotAPlainFile,
        Rule::NoLockfile,
        Rule::UncoveredSurface,
        Rule::ProtocolVersion,
        Rule::ListingNotice,
    ];

    fn row(self) -> (&'static str, Level, &'static str) {
        match self {
            Rule::LockfileRefused => (
                "lockfile-refused",
                Level::Error,
                "a lockfile does not parse, or does not agree with itself",
            ),
            Rule::CompanionRefused => (
                "companion-refused",
                Level::Warning,
                "a companion listing holds what its lockfile does not pin",
            ),
            Rule::Unreadable => (
                "unreadable",
                Level::Error,
                "a file that may be a lockfile cannot be read",
            ),
            Rule::NotAPlainFile => (
                "not-a-plain-file",
                Level::Error,
                "a lockfile or companion is a link, or no file at all",
            ),
            Rule::NoLockfile => (
                "no-lockfile",
                Level::Error,
                "no lockfile was found where one is looked for",
            ),
            Rule::UncoveredSurface => (
                "uncovered-surface",
                Level::Note,
                "text that reaches models and that no pin covers",
            ),
            Rule::ProtocolVersion => (
                "protocol-version",
                Level::Note,
                "the server speaks another protocol version than at approval",
            ),
            Rule::ListingNotice => (
                "listing-notice",
                Level::Note,
                "the listing holds what readers of JSON take differently",
            ),
        }
    }

    /// The kebab-case id.
    pub fn id(self) -> &'static str {
        self.row().0
    }

    /// The level unless a policy says otherwise.
    pub fn level(self) -> Level {
        self.row().1
    }

    /// One sentence on what it finds.
    pub fn sentence(self) -> &'static str {
        self.row().2
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.id())
    }
}
