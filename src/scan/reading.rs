//! What a judge is given: a sentence, where it stands, and whose tool it is of.

use std::collections::BTreeSet;

use super::fold::folded;
use super::kind::Severity;
use super::rule::ScanRule;
use super::sentence::Sentence;

/// What a text is in its tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The tool's name.
    Name,
    /// The name of a member, a parameter's among them.
    Key,
    /// Title, description, instructions, annotations.
    Prose,
    /// What is said of a parameter of the input schema.
    Parameter {
        /// Must it be given?
        is_required: bool,
    },
    /// What no digest covers: `_meta`, icons, unknown members.
    Uncovered,
}

/// The names that a tool's text may speak of without shadowing anything.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    names: BTreeSet<String>,
    words: BTreeSet<String>,
}

/// Most words of a name that is looked for in a text.
const LONGEST_NAME: usize = 6;

impl Known {
    /// Adds a name as it arrived.
    pub(super) fn add(&mut self, name: &str) {
        let folded = folded(name);
        self.words.extend(folded.split(' ').map(str::to_owned));
        self.names.insert(folded);
    }

    /// Is this, folded, one of the names?
    pub(super) fn has(&self, folded: &str) -> bool {
        self.names.contains(folded)
    }

    /// Are all of these words of the names?
    pub(super) fn has_words(&self, folded: &str) -> bool {
        folded.split(' ').all(|word| self.words.contains(word))
    }

    /// Does the folded text name one of them, in two words or more?
    pub(super) fn are_named_in(&self, folded: &str) -> bool {
        let words: Vec<(usize, usize)> = spans(folded).collect();
        words.iter().enumerate().any(|(at, (start, _))| {
            let ends = words.iter().skip(at + 1).take(LONGEST_NAME - 1);
            let mut names = ends.filter_map(|(_, end)| folded.get(*start..*end));
            names.any(|name| self.names.contains(name))
        })
    }
}

/// The words of a folded text, without what is no part of a name.
fn spans(folded: &str) -> impl Iterator<Item = (usize, usize)> {
    let start = folded.as_ptr() as usize;
    folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(move |word| {
            let from = word.as_ptr() as usize - start;
            (from, from + word.len())
        })
}

/// One sentence in its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading<'r> {
    pub(super) sentence: &'r Sentence,
    pub(super) original: &'r str,
    pub(super) role: Role,
    /// Does it hold a mail or web address, and a mail address?
    pub(super) has_address: bool,
    pub(super) has_mail: bool,
    /// Tools of the same server, and their parameters.
    pub(super) known: &'r Known,
    /// The tool's own parameters and other members.
    pub(super) own: &'r Known,
}

/// What the judges of one sentence raised.
pub(super) type Raised = Vec<(ScanRule, Severity)>;

/// Raises a rule at its own severity.
pub(super) fn raise(rule: ScanRule, raised: &mut Raised) {
    raise_at(rule, rule.severity(), raised);
}

/// Raises a rule at another severity.
pub(super) fn raise_at(rule: ScanRule, severity: Severity, raised: &mut Raised) {
    if severity > Severity::None {
        raised.push((rule, severity));
    }
}
