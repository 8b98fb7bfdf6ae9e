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

/// One row a rule: name, id, default level, one sentence on what it finds.
macro_rules! rules {
    ($($name:ident, $id:literal, $level:ident, $sentence:literal;)*) => {
        /// What a finding is about, in the order of the documentation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $(#[doc = $sentence] $name,)* }

        impl Rule {
            /// Every rule, in the order of the documentation.
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)*];

            /// The kebab-case id.
            pub fn id(self) -> &'static str {
                match self { $(Rule::$name => $id,)* }
            }

            /// The level unless a policy says otherwise.
            pub fn level(self) -> Level {
                match self { $(Rule::$name => Level::$level,)* }
            }

            /// One sentence on what it finds.
            pub fn sentence(self) -> &'static str {
                match self { $(Rule::$name => $sentence,)* }
            }
        }
    };
}

rules! {
    LockfileRefused, "lockfile-refused", Error, "a lockfile does not parse, or does not agree with itself";
    CompanionRefused, "companion-refused", Warning, "a companion listing holds what its lockfile does not pin";
    Unreadable, "unreadable", Error, "a file that may be a lockfile cannot be read";
    NotAPlainFile, "not-a-plain-file", Error, "a lockfile, companion, trust file or client config is a link, a submodule, a pointer, too large, has a twin but for letter case, or reads otherwise than its blob";
    NoLockfile, "no-lockfile", Error, "no lockfile was found where one is looked for";
    UnsignedChange, "unsigned-change", Error, "a lockfile that the change adds or changes has too few valid approvals by keys trusted on base";
    UnsignedLockfile, "unsigned-lockfile", Error, "a lockfile that stood already has too few valid approvals";
    UntrustedSignature, "untrusted-signature", Error, "a signature that no trusted key verifies, or only one that may not approve now";
    BadSignature, "bad-signature", Error, "a signature names a trusted key, and that key refuses it";
    UrlChanged, "url-changed", Error, "a lockfile names another server than the lockfile at this path on base";
    Rollback, "rollback", Error, "an approval older than the newest that this server had on base";
    Equivocation, "equivocation", Error, "two approvals of one server at one time say different things";
    FromFuture, "from-future", Error, "an approval from the future";
    LockfileRemoved, "lockfile-removed", Error, "a server of base has no lockfile any more and was not given up on purpose";
    DuplicateServer, "duplicate-server", Error, "two lockfiles of one server pin different tools";
    WrongAudience, "wrong-audience", Error, "a lockfile is approved for another audience than the policy names";
    TrustRootChanged, "trust-root-changed", Error, "the trust file changed without the signatures of base's approvers";
    OrphanedApproval, "orphaned-approval", Error, "a lockfile loses its approvals by the new trust file";
    TrustBeginsHere, "trust-begins-here", Warning, "the first trust file: nobody vouches for its keys but this change";
    ServerWithoutLockfile, "server-without-lockfile", Error, "a client config names a server that no lockfile pins";
    CannotTell, "cannot-tell", Error, "a client config does not say which server it means";
    GateChanged, "gate-changed", Warning, "a workflow that runs the gate changed: what only a ruleset can stop";
    AlsoRedOnBase, "also-red-on-base", Warning, "a server that the change does not touch is blocked";
    SuspiciousText, "suspicious-text", Warning, "a text that a model is handed reads like an attack, or hides what it says";
    NameCollision, "name-collision", Warning, "a tool has the name of another server's tool, or one that is taken for it";
    ScanDisagrees, "scan-disagrees", Warning, "the scan that an approval holds leaves out what the same rules find in the same text";
    SuppressionEnded, "suppression-ended", Warning, "a finding that was suppressed for a while counts again";
    Accepted, "accepted", Warning, "a block that the trust file accepts for a while";
    OldApproval, "old-approval", Warning, "an approval older than the policy wishes";
    ShortHistory, "short-history", Warning, "the history at hand ends early: older approvals cannot be seen";
    ShardReport, "shard-report", Error, "a shard has no report, or one at hand is of another run, is there twice or cannot be read";
    NotAsked, "not-asked", Note, "no server was asked, as this run may hold no secrets";
    TooFewApprovers, "too-few-approvers", Warning, "the policy asks for more approvals than there are approvers who may sign now";
    KeyEnds, "key-ends", Note, "a trusted key ends within thirty days";
    UnusedLockfile, "unused-lockfile", Note, "a lockfile that no client config names";
    UncoveredSurface, "uncovered-surface", Note, "text that reaches models and that no pin covers";
    ProtocolVersion, "protocol-version", Note, "the server speaks another protocol version than at approval";
    GithubIssues, "github-issues", Warning, "an issue could not be written, or what the tracker remembers could not be read";
    ListingNotice, "listing-notice", Note, "the listing holds what readers of JSON take differently";
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.id())
    }
}
