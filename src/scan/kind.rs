//! The kinds of finding and how severe one is: plain names of the format's own.
//!
//! Obeys Lockfile v1 (`scan_at_approval`): `none` says that nothing was found, which is no
//! proof of anything.

use serde::Serialize;

/// What a text tries to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Text that a person cannot see.
    HiddenText,
    /// An order to drop other instructions or safety rules.
    InstructionOverride,
    /// Marks that imitate a system turn, and orders inside tags or comments.
    HiddenInstruction,
    /// An order to keep something from the user.
    Secrecy,
    /// An order to read or hand over what is secret.
    DataExfiltration,
    /// A parameter that carries out what is not the tool's business.
    ExfiltrationChannel,
    /// Orders about a tool that this server does not have.
    ToolShadowing,
    /// A forced order of calls.
    Coercion,
    /// Text that makes a model choose this tool over others.
    PreferenceManipulation,
    /// A name that is taken for another one.
    NameCollision,
    /// Text aimed at terminals, runners and renderers.
    OutputInjection,
    /// Commands and words worth a look.
    UnsafeContent,
    /// What readers may take differently.
    Malformed,
    /// More than a person reads.
    Oversize,
    /// A finding in the text that was added to an approved tool, one step higher.
    Drift,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 15] = [
        Kind::HiddenText,
        Kind::InstructionOverride,
        Kind::HiddenInstruction,
        Kind::Secrecy,
        Kind::DataExfiltration,
        Kind::ExfiltrationChannel,
        Kind::ToolShadowing,
        Kind::Coercion,
        Kind::PreferenceManipulation,
        Kind::NameCollision,
        Kind::OutputInjection,
        Kind::UnsafeContent,
        Kind::Malformed,
        Kind::Oversize,
        Kind::Drift,
    ];

    /// Its name, as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Kind::HiddenText => "hidden-text",
            Kind::InstructionOverride => "instruction-override",
            Kind::HiddenInstruction => "hidden-instruction",
            Kind::Secrecy => "secrecy",
            Kind::DataExfiltration => "data-exfiltration",
            Kind::ExfiltrationChannel => "exfiltration-channel",
            Kind::ToolShadowing => "tool-shadowing",
            Kind::Coercion => "coercion",
            Kind::PreferenceManipulation => "preference-manipulation",
            Kind::NameCollision => "name-collision",
            Kind::OutputInjection => "output-injection",
            Kind::UnsafeContent => "unsafe-content",
            Kind::Malformed => "malformed",
            Kind::Oversize => "oversize",
            Kind::Drift => "drift",
        }
    }
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing of the known kinds was found; that is no proof.
    #[default]
    None,
    /// Worth knowing.
    Low,
    /// Worth reading before anybody approves.
    Medium,
    /// Reads like an attack.
    High,
}

impl Severity {
    /// All of them, the least first.
    pub const ALL: [Severity; 4] = [
        Severity::None,
        Severity::Low,
        Severity::Medium,
        Severity::High,
    ];

    /// Its name, as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Severity::None => "none",
            Severity::Low => "low",
            Severity::Medium => "medium",
            Severity::High => "high",
        }
    }

    /// The worst of them; nothing is worse than high, so the rest is not asked for.
    pub(super) fn worst(mut found: impl Iterator<Item = Self>) -> Option<Self> {
        let mut worst = None;
        while worst < Some(Severity::High) {
            let Some(next) = found.next() else { break };
            worst = worst.max(Some(next));
        }
        worst
    }

    /// One step higher; what is none stays none.
    #[must_use]
    pub fn raised(self) -> Self {
        match self {
            Severity::None => Severity::None,
            Severity::Low => Severity::Medium,
            Severity::Medium | Severity::High => Severity::High,
        }
    }

    /// One step lower; an exemption lowers and never deletes, so what is low stays low.
    #[must_use]
    pub fn lowered(self) -> Self {
        match self {
            Severity::None => Severity::None,
            Severity::Low | Severity::Medium => Severity::Low,
            Severity::High => Severity::Medium,
        }
    }
}
