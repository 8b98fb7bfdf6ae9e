//! What the workflow runner obeys: its two command forms, read out of a run's stdout.
//!
//! Follows the parsing rules of `actions/runner` (`ActionCommand`, `OutputManager`), and where
//! those depend on the culture of the machine, the one that finds more.

use lockgate::visible::is_unseen;

/// A command that a runner found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) name: String,
    pub(crate) properties: Vec<(String, String)>,
    pub(crate) data: String,
    /// The line it stands on, as it was printed.
    pub(crate) line: String,
}

impl Command {
    pub(crate) fn property(&self, name: &str) -> Option<&str> {
        let found = self.properties.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The names that a runner knows.
const REGISTERED: [&str; 17] = [
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "internal-set-repo-path",
    "notice",
    "pause-logging",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
];

/// The commands in what a step printed.
pub(crate) fn commands(stdout: &str) -> Vec<Command> {
    lines(stdout).into_iter().filter_map(command).collect()
}

/// `\n`, `\r\n` and a lone `\r` end a line.
fn lines(text: &str) -> Vec<&str> {
    text.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .flat_map(|line| line.split('\r'))
        .collect()
}

fn command(line: &str) -> Option<Command> {
    // A comparison by culture passes over what cannot be seen.
    let seen: String = line
        .chars()
        .filter(|c| !is_unseen(*c) || c.is_whitespace())
        .collect();
    let mut command = second_form(&seen).or_else(|| first_form(&seen))?;
    line.clone_into(&mut command.line);
    Some(command)
}

/// `::name key=value,key=value::data`, after any white space.
fn second_form(line: &str) -> Option<Command> {
    let (info, data) = line.trim_start().strip_prefix("::")?.split_once("::")?;
    let (name, properties) = info.split_once(' ').unwrap_or((info, ""));
    Some(Command {
        name: registered(name)?,
        properties: properties.trim().split(',').filter_map(property).collect(),
        data: unescaped(data, &DATA),
        line: String::new(),
    })
}

/// `##[name key=value;key=value]data`, anywhere in a line.
fn first_form(line: &str) -> Option<Command> {
    let (_, command) = line.split_once("##[")?;
    let (info, data) = command.split_once(']')?;
    let (name, properties) = info.split_once(' ').unwrap_or((info, ""));
    Some(Command {
        name: registered(name)?,
        properties: properties.split(';').filter_map(property).collect(),
        data: data.to_owned(),
        line: String::new(),
    })
}

fn registered(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    REGISTERED.contains(&name.as_str()).then_some(name)
}

fn property(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    Some((name.to_owned(), unescaped(value, &PROPERTY)))
}

const DATA: [(&str, &str); 3] = [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")];
const PROPERTY: [(&str, &str); 5] = [
    ("%0D", "\r"),
    ("%0A", "\n"),
    ("%3A", ":"),
    ("%2C", ","),
    ("%25", "%"),
];

fn unescaped(text: &str, escapes: &[(&str, &str)]) -> String {
    let undo = |text: String, (escape, character): &(&str, &str)| text.replace(escape, character);
    escapes.iter().fold(text.to_owned(), undo)
}
