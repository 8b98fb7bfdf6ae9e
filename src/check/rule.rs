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

    /// The kebab-case id.
    pub fn id(self) -> &'static str {
        match self {
            Rule::LockfileRefused => "lockfile-refused",
            Rule::CompanionRefused => "companion-refused",
            Rule::Unreadable => "unreadable",
            Rule::NotAPlainFile => "not-a-plain-file",
            Rule::NoLockfile => "no-lockfile",
            Rule::UncoveredSurface => "uncovered-surface",
            Rule::ProtocolVersion => "protocol-version",
            Rule::ListingNotice => "listing-notice",
        }
    }

    /// The level unless a policy says otherwise.
    pub fn level(self) -> Level {
        match self {
            Rule::LockfileRefused | Rule::Unreadable | Rule::NotAPlainFile | Rule::NoLockfile => {
                Level::Error
            }
            Rule::CompanionRefused => Level::Warning,
            Rule::UncoveredSurface | Rule::ProtocolVersion | Rule::ListingNotice => Level::Note,
        }
    }

    /// One sentence on what it finds.
    pub fn sentence(self) -> &'static str {
        match self {
            Rule::LockfileRefused => "a lockfile does not parse, or does not agree with itself",
            Rule::CompanionRefused => "a companion listing holds what its lockfile does not pin",
            Rule::Unreadable => "a file that may be a lockfile cannot be read",
            Rule::NotAPlainFile => "a lockfile or companion is a link, or no file at all",
            Rule::NoLockfile => "no lockfile was found where one is looked for",
            Rule::UncoveredSurface => "text that reaches models and that no pin covers",
            Rule::ProtocolVersion => "the server speaks another protocol version than at approval",
            Rule::ListingNotice => "the listing holds what readers of JSON take differently",
        }
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.id())
    }
}
