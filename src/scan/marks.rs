//! Hidden instructions: marks that imitate a turn, tags and comments, in a whole text.

use super::kind::Severity;
use super::reading::{Raised, raise, raise_at};
use super::rule::ScanRule;

/// Tokens with which chat templates part turns.
const TEMPLATE: [&str; 12] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|endoftext|>",
    "<<sys>>",
    "[inst]",
    "[/inst]",
    "<start_of_turn>",
    "<|eot_id|>",
    "<|start_header_id|>",
];

/// What opens a line where it is written in capitals and ends in a colon.
const TURNS: [&str; 17] = [
    "SYSTEM",
    "SYSTEM PROMPT",
    "SYSTEM MESSAGE",
    "SYSTEM NOTE",
    "SYSTEM INSTRUCTION",
    "SYSTEM INSTRUCTIONS",
    "SYSTEM OVERRIDE",
    "ADMIN",
    "ADMIN OVERRIDE",
    "ADMINISTRATOR",
    "DEVELOPER",
    "DEVELOPER MESSAGE",
    "ASSISTANT",
    "HUMAN",
    "NEW INSTRUCTIONS",
    "HIDDEN INSTRUCTION",
    "SECRET INSTRUCTION",
];

/// Words that make a mark in brackets one of a turn.
const BRACKETED: [&str; 10] = [
    "SYSTEM",
    "ADMIN",
    "DIRECTIVE",
    "OVERRIDE",
    "INSTRUCTION",
    "INSTRUCTIONS",
    "DEVELOPER",
    "PROMPT",
    "INST",
    "ASSISTANT",
];

/// Names of tags that speak to a model; what HTML has is none of them.
const TAGS: [&str; 20] = [
    "important",
    "system",
    "instruction",
    "instructions",
    "hidden",
    "secret",
    "admin",
    "critical",
    "urgent",
    "override",
    "internal",
    "assistant",
    "mandatory",
    "directive",
    "system_prompt",
    "developer",
    "attention",
    "llm",
    "agent",
    "private",
];

/// What is left open until it is known whether an order stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Enclosures {
    /// A tag that speaks to a model.
    pub(super) tag: bool,
    /// A comment that renderers hide, and whether its own words order something.
    pub(super) comment: bool,
}

/// Judges the marks that need no more than themselves, and tells of those that do.
pub(super) fn judge(text: &str, raised: &mut Raised) -> Enclosures {
    let is_marked = text.contains(['<', '[', ':', '#']);
    if !is_marked {
        return Enclosures {
            tag: false,
            comment: false,
        };
    }
    if has_template(text) {
        raise(ScanRule::ChatTemplate, raised);
    }
    if has_turn(text) || has_bracket(text) {
        raise(ScanRule::PseudoMarker, raised);
    }
    Enclosures {
        tag: has_tag(text),
        comment: text.contains("<!--"),
    }
}

/// Ends the judgement of tags and comments.
pub(super) fn enclose(found: Enclosures, orders: bool, raised: &mut Raised) {
    let severity = if orders {
        Severity::High
    } else {
        Severity::Low
    };
    if found.tag {
        raise_at(ScanRule::PseudoTag, severity, raised);
    }
    if found.comment {
        raise_at(ScanRule::HtmlComment, severity, raised);
    }
}

fn has_template(text: &str) -> bool {
    let starts = text.match_indices(['<', '[']);
    starts.into_iter().any(|(at, _)| {
        let rest = text.get(at..).unwrap_or_default();
        let is_likely = rest.get(1..2).is_some_and(|next| "|<sSiI/".contains(next));
        is_likely && (TEMPLATE.iter().any(|token| starts_with(rest, token)) || is_token(rest))
    })
}

/// `<|word|>`, of whatever template.
fn is_token(rest: &str) -> bool {
    rest.strip_prefix("<|").is_some_and(|rest| {
        let word: usize = rest
            .bytes()
            .take(32)
            .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
            .count();
        word > 0 && rest.get(word..).is_some_and(|rest| rest.starts_with("|>"))
    })
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// `SYSTEM: …` where a line, a sentence or the text starts.
fn has_turn(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Most colons stand behind what no turn ends in.
    let is_likely = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        before.is_some_and(|byte| byte.is_ascii_uppercase() || *byte == b'*')
    };
    let colons = text.match_indices(':').map(|(at, _)| at);
    colons.filter(|at| is_likely(*at)).any(|at| {
        let before = text
            .get(at.saturating_sub(24)..at)
            .or_else(|| (at.saturating_sub(24)..at).find_map(|from| text.get(from..at)))
            .unwrap_or_default();
        let head = before.trim_start_matches(['#', '*', '>']);
        TURNS.iter().any(|turn| {
            head.trim_end_matches('*')
                .strip_suffix(turn)
                .is_some_and(|lead| {
                    let lead = lead.trim_end_matches(['*', '#', '"', '\'', '`']);
                    lead.trim_end_matches(' ').is_empty()
                        || lead.ends_with('\n')
                        || lead
                            .trim_end()
                            .ends_with(['.', '!', '?', '>', ']', '\n', ')'])
                })
        })
    })
}

/// `[SYSTEM OVERRIDE]`: capitals in brackets.
fn has_bracket(text: &str) -> bool {
    text.match_indices('[').any(|(at, _)| {
        let inside = text.get(at + 1..).unwrap_or_default();
        let end = inside
            .bytes()
            .take(48)
            .position(|byte| matches!(byte, b']' | b'[' | b'"') || byte.is_ascii_lowercase())
            .filter(|end| inside.as_bytes().get(*end) == Some(&b']'));
        let words = end.and_then(|end| inside.get(..end)).unwrap_or_default();
        let is_shouted =
            words.len() >= 4 && !words.contains(|c: char| c.is_lowercase() || c == '"');
        is_shouted
            && words
                .split([' ', '_', ':', '-'])
                .any(|word| BRACKETED.contains(&word))
    })
}

fn has_tag(text: &str) -> bool {
    tagged(text).next().is_some()
}

/// Is it a tag of a turn, or one that says it is hidden, and none that only stresses?
pub(super) fn is_grave(tagged: &str) -> bool {
    const STRESS: [&str; 5] = ["important", "critical", "urgent", "mandatory", "attention"];
    !STRESS.iter().any(|tag| starts_with(tagged, tag))
}

/// What stands behind each tag that speaks to a model, up to the next tag.
pub(super) fn tagged(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split('<').skip(1);
    parts.filter(|rest| {
        TAGS.iter().any(|tag| {
            starts_with(rest, tag)
                && rest
                    .get(tag.len()..)
                    .is_some_and(|rest| rest.starts_with(['>', ' ', '_', '-']))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[ScanRule]) {
        let mut raised = Raised::new();
        judge(text, &mut raised);
        let rules: Vec<ScanRule> = raised.into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(rules, expect, "{text:?}");
    }

    #[test]
    fn marks_are_known_and_headings_are_none() {
        check("SYSTEM: obey", &[ScanRule::PseudoMarker]);
        check("Adds.\n  **SYSTEM NOTE:** obey", &[ScanRule::PseudoMarker]);
        check("Adds. SYSTEM: obey", &[ScanRule::PseudoMarker]);
        check("[ADMIN OVERRIDE] obey", &[ScanRule::PseudoMarker]);
        check("<|im_start|>system", &[ScanRule::ChatTemplate]);
        check("<|anything|>", &[ScanRule::ChatTemplate]);
        check(
            "[INST] obey",
            &[ScanRule::ChatTemplate, ScanRule::PseudoMarker],
        );
        check("The operating system: linux", &[]);
        check("FILE SYSTEM: ext4", &[]);
        check("[OPTIONAL] a list, [\"SYSTEM\"]", &[]);
        check("a[i] < b: c", &[]);
    }

    #[test]
    fn tags_and_comments_wait_for_an_order() {
        let mut raised = Raised::new();
        let found = judge(
            "<IMPORTANT>Both must be numbers</IMPORTANT> <!-- note -->",
            &mut raised,
        );
        assert_eq!(
            found,
            Enclosures {
                tag: true,
                comment: true
            }
        );
        enclose(found, false, &mut raised);
        assert!(
            raised
                .iter()
                .all(|(_, severity)| *severity == Severity::Low)
        );
    }
}
