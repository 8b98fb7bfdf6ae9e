//! The one table of rules: id, kind, highest severity, and what it says in a sentence.
//!
//! `docs/scan.md` is held to it by a test. A rule's id never changes its meaning: a
//! suppression names it.

use serde::{Serialize, Serializer};

use super::kind::{Kind, Severity};

/// The version of the rules and word lists. It grows with every change that can change a
/// finding, so that a finding that only a newer set makes is known for one.
pub const RULE_SET: u32 = 1;

/// Declares the rules once.
macro_rules! rules {
    ($($name:ident, $id:literal, $kind:ident, $severity:ident, $says:literal;)*) => {
        /// One rule of the scan.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ScanRule {
            $(
                #[doc = $says]
                $name,
            )*
        }

        impl ScanRule {
            /// All of them, in the order of the kinds.
            pub const ALL: &[ScanRule] = &[$(ScanRule::$name,)*];

            /// Its name: kebab-case, and never changed.
            pub fn id(self) -> &'static str {
                match self { $(ScanRule::$name => $id,)* }
            }

            /// The kind of its findings.
            pub fn kind(self) -> Kind {
                match self { $(ScanRule::$name => Kind::$kind,)* }
            }

            /// The highest severity that it gives by itself.
            pub fn severity(self) -> Severity {
                match self { $(ScanRule::$name => Severity::$severity,)* }
            }

            /// What it looks for.
            pub fn says(self) -> &'static str {
                match self { $(ScanRule::$name => $says,)* }
            }
        }
    };
}

rules! {
    TagCharacters, "tag-characters", HiddenText, High, "Tag characters (U+E0000 to U+E007F): ASCII text that no screen shows.";
    VariationSelectors, "variation-selectors", HiddenText, High, "Variation selectors that select nothing: eight or more in a row can carry a text, fewer are medium.";
    BidiControl, "bidi-control", HiddenText, High, "Characters that reorder what is shown, so that a person reads another text than a model.";
    ZeroWidth, "zero-width", HiddenText, High, "Zero-width characters and fillers where no script needs them: high in a name, a key or from eight on, else medium.";
    ControlCharacter, "control-character", HiddenText, Medium, "A control character other than tab and line break.";
    PrivateUse, "private-use", HiddenText, Medium, "Private-use or unassigned characters, which mean what somebody agreed on.";
    MixedScript, "mixed-script", HiddenText, High, "A word of Latin letters with look-alikes of another script: high in a name or key, else medium.";
    Padding, "padding", HiddenText, Medium, "A long run of blanks or empty lines with text behind it: out of sight, not out of the model.";
    EncodedOrder, "encoded-order", HiddenText, High, "Encoded text (base64, hexadecimal, escapes, percent, entities) that holds an order once it is decoded.";
    EncodedText, "encoded-text", HiddenText, Low, "Encoded text that decodes to sentences.";
    DisguisedOrder, "disguised-order", HiddenText, High, "An order spelled with digits for letters, letter by letter or backwards.";
    OverrideInstructions, "override-instructions", InstructionOverride, High, "An order to drop earlier or other instructions, or a claim to stand above them.";
    OverrideSafety, "override-safety", InstructionOverride, High, "An order to drop safety rules, checks or filters: medium where the tool only says that it can.";
    NewRole, "new-role", InstructionOverride, High, "A new role or task for the model: high where it is given new instructions or a mode without limits, else medium.";
    PseudoMarker, "pseudo-marker", HiddenInstruction, High, "A mark that imitates a system turn, such as `SYSTEM:` or `[ADMIN OVERRIDE]`.";
    ChatTemplate, "chat-template", HiddenInstruction, High, "A control token of a chat template, such as `<|im_start|>` or `[INST]`.";
    PseudoTag, "pseudo-tag", HiddenInstruction, High, "A tag such as `<IMPORTANT>` with an order in it; without one it is low.";
    HtmlComment, "html-comment", HiddenInstruction, High, "A comment that renderers hide, with an order in it; without one it is low.";
    HideFromUser, "hide-from-user", Secrecy, High, "An order to keep something from the user: low about identifiers, passwords and formats.";
    ActSecretly, "act-secretly", Secrecy, High, "An order to act silently or in secret.";
    ReadSecretAndPass, "read-secret-and-pass", DataExfiltration, High, "An order to read a secret or a private file and hand it on.";
    SecretPathOrder, "secret-path-order", DataExfiltration, High, "An order to read a place where secrets lie: medium where nothing says what for.";
    SendSecretOut, "send-secret-out", DataExfiltration, High, "An order to send secrets, private data or results to an address.";
    FixedRecipient, "fixed-recipient", DataExfiltration, High, "An address that must always get a copy: low where it is only named.";
    ContextInParameter, "context-in-parameter", ExfiltrationChannel, High, "A parameter that takes the conversation or the system prompt out: low where it is only described.";
    AsksModelIdentity, "asks-model-identity", ExfiltrationChannel, High, "A parameter that asks which model calls: low where it may be left out.";
    SideChannel, "side-channel", ExfiltrationChannel, Low, "A parameter for notes or reasoning that no tool needs.";
    RedirectOtherTool, "redirect-other-tool", ToolShadowing, High, "An order that changes how a tool is used that this server does not have: medium without `always` or an address.";
    MustRunFirst, "must-run-first", Coercion, Medium, "An order to call this tool before all others or on every turn.";
    SelfPromotion, "self-promotion", PreferenceManipulation, High, "A claim to be the best of all tools: medium where it only advertises.";
    DisparagesOthers, "disparages-others", PreferenceManipulation, High, "A claim that other tools must not be used or cannot be trusted: medium where this one is only preferred.";
    ConfusableName, "confusable-name", NameCollision, High, "Two names that look alike but for characters of other scripts or that cannot be seen.";
    SameName, "same-name", NameCollision, Medium, "A tool of this name is pinned for another server too: a model may call the wrong one.";
    TerminalEscape, "terminal-escape", OutputInjection, High, "An escape sequence that a terminal obeys.";
    WorkflowCommand, "workflow-command", OutputInjection, High, "A command that a CI runner obeys when it stands in a log.";
    MarkdownImage, "markdown-image", OutputInjection, High, "An image or link whose address takes data out when it is rendered; medium without an order.";
    ShellCommand, "shell-command", UnsafeContent, Low, "A shell command that downloads and runs, deletes or opens a way in.";
    ScriptUrl, "script-url", UnsafeContent, Low, "A script, or a `javascript:` or `data:text/html` address.";
    DeclaredMalice, "declared-malice", UnsafeContent, Low, "Words that announce a bad purpose, such as keylogger or backdoor.";
    NameCharacters, "name-characters", Malformed, Low, "A tool name that clients may refuse: empty, longer than 128, or of other characters than letters, digits, `_`, `-`, `.` and `/`.";
    DeepSchema, "deep-schema", Malformed, Low, "A tool nested deeper than 32 levels, which nobody reads.";
    UnreadableListing, "unreadable-listing", Malformed, High, "A listing of which no reader can be sure: duplicate keys or names, bad text, twins but for letter case.";
    LongText, "long-text", Oversize, High, "A text of more than 256 KiB: what lies behind that is not scanned, and nobody reads it.";
    LongWord, "long-word", Oversize, Medium, "A word of more than 2,000 characters.";
    LargeTool, "large-tool", Oversize, Low, "A tool of more than 128 KiB.";
    AddedText, "added-text", Drift, High, "A finding in text that the approved tool did not have, one step higher; it keeps the id of its own rule.";
}

impl Serialize for ScanRule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_kebab_case_and_unique_and_every_kind_has_a_rule() {
        let mut ids: Vec<&str> = ScanRule::ALL.iter().map(|rule| rule.id()).collect();
        assert!(
            ids.iter()
                .all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        );
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), ScanRule::ALL.len());
        for kind in Kind::ALL {
            assert!(
                ScanRule::ALL.iter().any(|rule| rule.kind() == kind),
                "{kind:?}"
            );
        }
    }
}
