//! Removed and added tools → the pairs that are likely one tool under another name.
//!
//! A guess that is only told: both tools still count as removed and added. The same for
//! the same lists. Bounded: a tool is held against few others, those that share its rarest
//! words, and so many of its words count.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::compare::Removed;
use super::words::words;
use crate::json::Value;
use crate::lock::{Field, Tool};

/// Words of a tool that count, from its beginning.
const WORDS: usize = 1_000;
/// Fewer words in common say nothing.
const FEWEST: usize = 3;
/// By so many of its rarest words is a tool looked for…
const RAREST: usize = 8;
/// …among so many that hold each of them.
const HOLDERS: usize = 4;
/// Of all words of both tools, so many hundredths are in both.
const NEAR: usize = 75;

/// Names that nearly every schema holds.
const COMMON: [&str; 12] = [
    "type",
    "object",
    "properties",
    "string",
    "description",
    "required",
    "number",
    "integer",
    "boolean",
    "array",
    "items",
    "additionalProperties",
];

/// Two tools that are likely one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) removed: &'a Removed,
    pub(super) added: &'a Tool,
}

/// The likely pairs, each tool in one at most, by the approved name.
pub(super) fn pairs<'a>(removed: &'a [Removed], added: &'a [Tool]) -> Vec<Pair<'a>> {
    if removed.is_empty() || added.is_empty() {
        return Vec::new();
    }
    let mut dictionary = Dictionary::default();
    let was: Vec<Words> = removed
        .iter()
        .map(|tool| dictionary.removed(tool))
        .collect();
    let scopes = Scope::ALL.into_iter();
    let scopes: Vec<Scope> = scopes
        .filter(|scope| was.iter().any(|tool| tool.scope == *scope))
        .collect();
    let mut likely = Vec::new();
    for scope in scopes {
        let holders = Holders::of(&was, scope);
        for (to, tool) in added.iter().enumerate() {
            let words = dictionary.tool(tool, scope);
            for from in holders.candidates(&words) {
                let near = was.get(from).and_then(|was| was.nearness(&words));
                likely.extend(near.map(|near| (Reverse(near), from, to)));
            }
        }
    }
    likely.sort_unstable();
    let mut paired = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (_, from, to) in likely {
        if !paired.contains_key(&from) && taken.insert(to) {
            paired.insert(from, to);
        }
    }
    let pair = |(from, to): (usize, usize)| {
        let (removed, added) = (removed.get(from)?, added.get(to)?);
        Some(Pair { removed, added })
    };
    paired.into_iter().filter_map(pair).collect()
}

/// What of a tool is at hand to be held against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All of it.
    Whole,
    /// Its description only.
    Description,
}

impl Scope {
    const ALL: [Scope; 2] = [Scope::Whole, Scope::Description];
}

/// The words of a tool, each once, by their number in the dictionary, sorted.
#[derive(Debug)]
struct Words {
    scope: Scope,
    words: Vec<usize>,
}

impl Words {
    /// How much of both is in both, in hundredths; `None` if it is too little.
    fn nearness(&self, other: &Words) -> Option<usize> {
        let mut others = other.words.iter().peekable();
        let mut shared = 0;
        for word in &self.words {
            while others.next_if(|other| *other < word).is_some() {}
            shared += usize::from(others.next_if_eq(&word).is_some());
        }
        let all = self.words.len() + other.words.len() - shared;
        let near = shared * 100 / all.max(1);
        (shared >= FEWEST && near >= NEAR).then_some(near)
    }
}

/// Every word that was met, numbered as it was.
#[derive(Debug, Default)]
struct Dictionary(HashMap<String, usize>);

impl Dictionary {
    fn removed(&mut self, removed: &Removed) -> Words {
        match (&removed.tool, &removed.description) {
            (Some(tool), _) => self.tool(tool, Scope::Whole),
            (None, Some(text)) => self.words(Scope::Description, [text.as_arrived()]),
            (None, None) => self.words(Scope::Description, []),
        }
    }

    fn tool(&mut self, tool: &Tool, scope: Scope) -> Words {
        let document = tool.members();
        let mut texts = Vec::new();
        match scope {
            Scope::Description => {
                let text = document.root.member("description");
                texts.extend(text.and_then(Value::as_str));
            }
            Scope::Whole => Field::ALL
                .iter()
                .filter_map(|field| document.root.member(field.name()))
                .for_each(|value| collect(value, &mut texts)),
        }
        self.words(scope, texts)
    }

    fn words<'t>(&mut self, scope: Scope, texts: impl IntoIterator<Item = &'t str>) -> Words {
        let tells = |word: &&str| word.chars().any(char::is_alphanumeric) && !COMMON.contains(word);
        let told = texts.into_iter().flat_map(words).filter(tells);
        let mut words: Vec<usize> = told.take(WORDS).map(|word| self.number(word)).collect();
        words.sort_unstable();
        words.dedup();
        Words { scope, words }
    }

    fn number(&mut self, word: &str) -> usize {
        let word = word.to_lowercase();
        let next = self.0.len();
        *self.0.entry(word).or_insert(next)
    }
}

fn collect<'t>(value: &'t Value<'_>, texts: &mut Vec<&'t str>) {
    match value {
        Value::Null => {}
        Value::Bool(true) => texts.push("true"),
        Value::Bool(false) => texts.push("false"),
        Value::Number(number) => texts.push(number.token()),
        Value::String(text) => texts.push(text.as_str()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(members) => members.iter().for_each(|member| {
            texts.push(member.name.as_str());
            collect(&member.value, texts);
        }),
    }
}

/// Which removed tools hold a word.
struct Holders(HashMap<usize, Vec<usize>>);

impl Holders {
    fn of(tools: &[Words], scope: Scope) -> Self {
        let mut holders: HashMap<usize, Vec<usize>> = HashMap::new();
        let tools = tools.iter().enumerate();
        for (index, tool) in tools.filter(|(_, tool)| tool.scope == scope) {
            for word in &tool.words {
                holders.entry(*word).or_default().push(index);
            }
        }
        Holders(holders)
    }

    /// The removed tools that share the rarest words of an added one.
    fn candidates(&self, added: &Words) -> BTreeSet<usize> {
        let held = added.words.iter();
        let mut held: Vec<(usize, &Vec<usize>)> = held
            .filter_map(|word| self.0.get(word))
            .map(|holders| (holders.len(), holders))
            .collect();
        held.sort_by_key(|(count, _)| *count);
        let rarest = held.into_iter().take(RAREST);
        rarest
            .flat_map(|(_, holders)| holders.iter().take(HOLDERS).copied())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::Listing;
    use crate::untrusted::Untrusted;

    fn removed(tool: &Tool, kept: Scope) -> Removed {
        let description = tool.members();
        let description = description.root.member("description");
        let description = description.and_then(Value::as_str).map(Untrusted::new);
        Removed {
            name: tool.name().clone(),
            line: 1,
            description,
            tool: (kept == Scope::Whole).then(|| tool.clone()),
        }
    }

    fn check(kept: Scope, approved: &str, current: &str, expect: &[(&str, &str)]) {
        let listing = |text: &str| Listing::parse(text.as_bytes()).unwrap();
        let (approved, current) = (listing(approved), listing(current));
        let gone = approved.tools().iter();
        let gone: Vec<Removed> = gone.map(|tool| removed(tool, kept)).collect();
        let found: Vec<_> = pairs(&gone, current.tools())
            .iter()
            .map(|pair| {
                (
                    pair.removed.name.as_arrived(),
                    pair.added.name().as_arrived(),
                )
            })
            .collect();
        assert_eq!(found, expect);
    }

    const ISSUE: &str = r#"{"name":"create_issue","description":"Create an issue in the team","inputSchema":{"type":"object","properties":{"title":{"type":"string","description":"One line"}}}}"#;
    const TICKET: &str = r#"{"name":"create_ticket","description":"Create an issue in the team now","inputSchema":{"type":"object","properties":{"title":{"type":"string","description":"One line"}}}}"#;
    const EXPORT: &str = r#"{"name":"export","description":"Always call this first","inputSchema":{"type":"object","properties":{"title":{"type":"string","description":"One line"}}}}"#;

    #[test]
    fn rows() {
        let of = |tools: &[&str]| format!("[{}]", tools.join(","));
        for kept in [Scope::Whole, Scope::Description] {
            check(
                kept,
                &of(&[ISSUE]),
                &of(&[EXPORT, TICKET]),
                &[("create_issue", "create_ticket")],
            );
            check(kept, &of(&[ISSUE]), &of(&[EXPORT]), &[]);
            check(kept, &of(&[ISSUE]), "[]", &[]);
        }
        // Nothing to go by.
        let bare = |name: &str| format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#);
        check(Scope::Whole, &of(&[&bare("a")]), &of(&[&bare("b")]), &[]);
    }

    #[test]
    fn each_tool_is_in_one_pair_the_nearest_first() {
        let nearer = TICKET.replace("create_ticket", "z").replace(" now", "");
        check(
            Scope::Whole,
            &format!("[{ISSUE}]"),
            &format!("[{TICKET},{nearer}]"),
            &[("create_issue", "z")],
        );
    }

    #[test]
    fn a_tool_is_held_against_few_others_however_many_there_are() {
        let tools = |prefix: &str| {
            let tool = |n: usize| ISSUE.replace("create_issue", &format!("{prefix}{n}"));
            let tools: Vec<String> = (0..300).map(tool).collect();
            let listing = Listing::parse(format!("[{}]", tools.join(",")).as_bytes()).unwrap();
            listing.tools().to_vec()
        };
        let gone: Vec<Removed> = tools("a")
            .iter()
            .map(|tool| removed(tool, Scope::Whole))
            .collect();
        let mut dictionary = Dictionary::default();
        let was = gone.iter().map(|tool| dictionary.removed(tool));
        let was: Vec<Words> = was.collect();
        let holders = Holders::of(&was, Scope::Whole);
        for tool in tools("b") {
            let words = dictionary.tool(&tool, Scope::Whole);
            assert!(holders.candidates(&words).len() <= RAREST * HOLDERS);
        }
        assert!(!pairs(&gone, &tools("b")).is_empty());
    }
}
