//! Why a trust file cannot be used → the sentence and the way out that people read.

use super::BadKey;
use crate::lock::BadUrl;
use crate::message::Message;
use crate::untrusted::Untrusted;

/// A trust file that cannot be used; none of it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustFault {
    /// The line it stands on, counted from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: TrustProblem,
}

/// What is wrong with a trust file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustProblem {
    /// More bytes than a trust file has.
    TooLarge,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// Not TOML, or not of the shape; what the reader says.
    Shape(Untrusted),
    /// More keys than a trust file has.
    TooManyKeys,
    /// A name that cannot stand for a person or a service.
    Name(Untrusted),
    /// Two names that differ in letter case only.
    NameTwice(Untrusted, Untrusted),
    /// A key that cannot be trusted; whose.
    Key(Untrusted, BadKey),
    /// Two entries for one key; whose.
    DuplicateKey(Untrusted, Untrusted),
    /// Neither a day nor a moment; what stands there.
    Date(Untrusted),
    /// Not a server URL.
    Url(Untrusted, BadUrl),
    /// Two entries for one server.
    DuplicateServer(Untrusted),
    /// A header that no request can have, or that stands twice.
    Header(Untrusted),
    /// A header that does not take its value from `env:LOCKGATE_…`; which.
    Secret(Untrusted),
    /// A header that takes its value from a variable of lockgate's own; which variable.
    Reserved(Untrusted),
    /// A pattern of paths that does not match what it seems to, and why.
    Pattern(Untrusted, &'static str),
    /// A rule that no entry can accept.
    NotAcceptable(Untrusted),
    /// A rule that the scan does not have.
    NoScanRule(Untrusted),
    /// A text that is no digest.
    NoDigest(Untrusted),
    /// A member that says nothing; which.
    Empty(&'static str),
    /// A number that is out of its range: which member, and what is due.
    Range(&'static str, &'static str),
}

const SHAPE: &str = "a trust file is TOML with `[policy]`, `[[key]]`, `[[server]]`, `[[accept]]` and `[[suppress]]`, and no other members than the documented ones";
const CAN_BE_ACCEPTED: &str = "what can be accepted is `server-without-lockfile`, or a server's silence: `dns`, `connect`, `tls`, `timeout`, `http-status`, `redirect`, `auth-required`, `rate-limited`, `private-address`, `too-large`, `not-mcp` or `rpc-error`";
const PATTERNS: &str = "write a path from the repository's root: `*` and `?` stay within a name, and `**` is any number of folders, such as `tests/fixtures/**`";
const NOT_OURS: &str = " does not come from a variable of lockgate's";
const RESERVED: &str = " is one that lockgate keeps for itself";

/// What is wrong, in one sentence, and how to mend it.
pub fn explain(fault: &TrustFault) -> (Message, Message) {
    (sentence(&fault.problem), way_out(&fault.problem).into())
}

fn sentence(problem: &TrustProblem) -> Message {
    let quoting =
        |before: &str, theirs, after: &str| Message::new(before).theirs(theirs).ours(after);
    match problem {
        TrustProblem::TooLarge => "the trust file has more than 512 KiB".into(),
        TrustProblem::NotUtf8 => "the trust file is not UTF-8".into(),
        TrustProblem::Shape(why) => quoting("the trust file cannot be read: ", why, ""),
        TrustProblem::TooManyKeys => "the trust file has more than 256 keys".into(),
        TrustProblem::Name(name) => quoting("", name, " is no name for the holder of a key"),
        TrustProblem::NameTwice(first, second) => quoting("", second, " and ")
            .theirs(first)
            .ours(" differ in letter case only"),
        TrustProblem::Key(name, bad) => {
            quoting("the key of ", name, &format!(" cannot be trusted: {bad}"))
        }
        TrustProblem::DuplicateKey(first, second) => {
            quoting("the key of ", second, " stands here already, as that of ").theirs(first)
        }
        TrustProblem::Date(found) => quoting("", found, " is neither a day nor a moment"),
        TrustProblem::Url(url, bad) => quoting("the URL ", url, &format!(" cannot be used: {bad}")),
        TrustProblem::DuplicateServer(url) => quoting("", url, " has two entries"),
        TrustProblem::Header(name) => {
            quoting("the header ", name, " cannot be sent, or stands twice")
        }
        TrustProblem::Secret(name) => quoting("the value of ", name, NOT_OURS),
        TrustProblem::Reserved(variable) => quoting("the variable ", variable, RESERVED),
        TrustProblem::Pattern(pattern, why) => quoting(
            "`policy.exclude` cannot go by ",
            pattern,
            &format!(": {why}"),
        ),
        TrustProblem::NotAcceptable(rule) => {
            quoting("`accept.rule` is ", rule, ", which nobody can accept")
        }
        TrustProblem::NoScanRule(rule) => quoting("", rule, " is no rule of the scan"),
        TrustProblem::NoDigest(text) => quoting("", text, " is no digest"),
        TrustProblem::Empty(member) => Message::new(format!("`{member}` says nothing")),
        TrustProblem::Range(member, due) => Message::new(format!("`{member}` is not {due}")),
    }
}

fn way_out(problem: &TrustProblem) -> &'static str {
    match problem {
        TrustProblem::TooLarge | TrustProblem::TooManyKeys => {
            "take out the keys and servers that are no longer used"
        }
        TrustProblem::NotUtf8 => "save the file as UTF-8",
        TrustProblem::Shape(_) => SHAPE,
        TrustProblem::Name(_) => {
            "name the holder in at most 64 letters, digits, spaces and `.` `_` `-` `+` `@`"
        }
        TrustProblem::NameTwice(..) => {
            "spell one person's name in one way, so that two keys do not count as two people"
        }
        TrustProblem::Key(_, bad) => another_key(bad),
        TrustProblem::DuplicateKey(..) => "leave one entry for each key",
        TrustProblem::Date(_) => {
            "write a day without quotation marks, such as `2027-12-01`: it counts to its end, in UTC; or leave it out"
        }
        TrustProblem::Url(..) => "write the URL as it stands in the lockfile",
        TrustProblem::DuplicateServer(_) => "write all headers of a server into one `[[server]]`",
        TrustProblem::Header(_) => "name each header once, such as `Authorization`",
        TrustProblem::Secret(_) => {
            "write `env:LOCKGATE_…`, and put the value into a variable of that name"
        }
        TrustProblem::Reserved(_) => {
            "name the variable after the server, such as `LOCKGATE_EXAMPLE`"
        }
        TrustProblem::Pattern(..) => PATTERNS,
        TrustProblem::NotAcceptable(_) => CAN_BE_ACCEPTED,
        TrustProblem::NoScanRule(_) => {
            "write the rule as the finding names it; docs/scan.md lists them all"
        }
        TrustProblem::NoDigest(_) => {
            "write the `sha256` that the finding gives: 64 lower-case hexadecimal digits"
        }
        TrustProblem::Empty(_) => "write it, or take out the whole entry",
        TrustProblem::Range(..) => "write a number in that range, or leave it out",
    }
}

fn another_key(bad: &BadKey) -> &'static str {
    match bad {
        BadKey::OtherKind(_) => {
            "make an Ed25519 key: `lockgate keygen`, or `ssh-keygen -t ed25519`"
        }
        BadKey::Unreadable => {
            "copy the whole line of the `.pub` file that begins with `ssh-ed25519`"
        }
        BadKey::Private => {
            "make another key, never use this one again, and put the public half here"
        }
        BadKey::Weak => "take this key out: no honest program makes it",
    }
}
