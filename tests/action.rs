//! The action, held to the binary: inputs are flags, the page tells both, pins are commits.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "reads the project's own files"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Inputs that no flag of `lockgate check` stands behind.
const NO_FLAG: [&str; 6] = [
    "paths",
    "working-directory",
    "token",
    "binary",
    "download-base",
    "verify-attestation",
];

type Names = BTreeSet<String>;

#[test]
fn inputs_are_the_flags_of_check() {
    let more = NO_FLAG.map(str::to_owned);
    let expected: Names = flags("check").into_iter().chain(more).collect();
    assert_eq!(entries("action.yml", "inputs:"), expected);
}

#[test]
fn inputs_of_the_merge_are_its_flags() {
    let more = NO_FLAG.into_iter().chain(["reports"]).map(str::to_owned);
    let mut expected: Names = flags("merge").into_iter().chain(more).collect();
    assert!(expected.remove("path"), "the input `paths` is its lines");
    assert_eq!(entries("merge/action.yml", "inputs:"), expected);
}

#[test]
fn every_input_reaches_a_script() {
    let scripts: String = ["check.sh", "merge.sh", "inputs.sh", "install.sh"]
        .iter()
        .map(|name| read(&format!("action/{name}")))
        .collect();
    let words: BTreeSet<&str> = scripts.split(|c: char| !is_name(c)).collect();
    for action in ["action.yml", "merge/action.yml"] {
        let text = read(action);
        for name in entries(action, "inputs:") {
            let variable = format!("INPUT_{}", name.to_uppercase().replace('-', "_"));
            let passed =
                |variable: &str| text.contains(&format!("{variable}: ${{{{ inputs.{name} }}}}"));
            let known = words.contains(name.as_str()) || words.contains(variable.as_str());
            assert!(
                (passed(&variable) && known) || passed("GITHUB_TOKEN"),
                "{action}: `{name}` reaches no script"
            );
        }
    }
}

#[test]
fn the_page_tells_every_input_and_output() {
    let page = read("docs/github.md");
    assert_eq!(rows(&page, "| input |"), entries("action.yml", "inputs:"));
    assert_eq!(rows(&page, "| output |"), entries("action.yml", "outputs:"));
    let told = page.split("`OWNER/lockgate/merge` has ").nth(1).unwrap();
    let told = told.split("the last five").next().unwrap();
    let told = told
        .split('`')
        .skip(1)
        .step_by(2)
        .chain(NO_FLAG[1..].iter().copied());
    assert_eq!(
        told.map(str::to_owned).collect::<Names>(),
        entries("merge/action.yml", "inputs:")
    );
    assert_eq!(
        entries("merge/action.yml", "outputs:"),
        entries("action.yml", "outputs:")
    );
}

/// Workflows of the page give inputs that exist, and read outputs that exist.
#[test]
fn the_page_s_workflows_use_what_there_is() {
    let page = read("docs/github.md");
    let inputs: Names = ["action.yml", "merge/action.yml"]
        .iter()
        .flat_map(|action| entries(action, "inputs:"))
        .collect();
    let outputs = entries("action.yml", "outputs:");
    let mut given = 0;
    for step in page.split("uses: OWNER/lockgate").skip(1) {
        let lines = step.lines().skip(1).map(|line| (indent(line), line.trim()));
        let with = lines
            .skip_while(|(_, line)| line.starts_with("env:") || line.starts_with("LOCKGATE_"))
            .take_while(|(indent, line)| *line == "with:" || *indent == 10);
        for (_, line) in with.filter(|(indent, _)| *indent == 10) {
            let name = line.split(':').next().unwrap();
            assert!(inputs.contains(name), "docs/github.md: no input `{name}`");
            given += 1;
        }
    }
    assert!(given >= 5, "only {given} inputs were found");
    for read in page.split("steps.lockgate.outputs.").skip(1) {
        let name: String = read.chars().take_while(|&c| is_name(c)).collect();
        assert!(
            outputs.contains(&name),
            "docs/github.md: no output `{name}`"
        );
    }
}

/// `release.txt` names this version and all its files, or says that there is none yet.
#[test]
fn the_release_is_this_version_s_or_none() {
    let text = read("action/release.txt");
    let mut lines = text.lines();
    let version = lines.next().unwrap();
    if version == "unreleased" {
        assert_eq!(lines.next(), None, "digests of no version");
        return;
    }
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    let install = read("action/install.sh");
    let triples: Names = install
        .lines()
        .filter_map(|line| line.split_once(") echo "))
        .map(|(_, rest)| rest.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(triples.len(), 5);
    let files = triples
        .iter()
        .map(|triple| format!("lockgate-{version}-{triple}.tar.gz"));
    let listed = lines.map(|line| {
        let (digest, name) = line.split_once("  ").unwrap();
        let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        assert!(digest.len() == 64 && digest.chars().all(is_hex), "{line}");
        name.to_owned()
    });
    assert_eq!(listed.collect::<Names>(), files.collect::<Names>());
}

/// What the release workflow builds is what the script looks for.
#[test]
fn the_release_builds_what_the_action_looks_for() {
    let install = read("action/install.sh");
    let workflow = read(".github/workflows/release.yml");
    let built: Vec<&str> = workflow
        .split("triple: ")
        .skip(1)
        .map(|rest| rest.split(',').next().unwrap())
        .filter(|triple| triple.matches('-').count() >= 2)
        .collect();
    assert_eq!(built.len(), 5, "{built:?}");
    for triple in built {
        assert!(install.contains(&format!("echo {triple} ;;")), "{triple}");
    }
}

/// Each action is one commit with its version beside it, the same one everywhere.
#[test]
fn actions_are_pinned_alike() {
    let mut pins: Names = Names::new();
    let mut texts = vec![read("README.md"), read("docs/github.md")];
    let folder = root().join(".github/workflows");
    texts.extend(
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()),
    );
    for text in texts {
        for line in text.lines().filter_map(|line| line.split_once("uses: ")) {
            let pin = line.1.trim_matches('`');
            if pin.starts_with("OWNER/") || pin.starts_with("./") {
                continue;
            }
            let (name, rest) = pin.split_once('@').unwrap();
            let (commit, version) = rest.split_once(" # v").unwrap();
            assert!(commit.len() == 40, "{name} is not pinned by a commit");
            assert!(
                version.split('.').count() == 3,
                "{name} has no version beside it"
            );
            pins.insert(pin.to_owned());
        }
    }
    let names: Names = pins
        .iter()
        .map(|pin| pin.split('@').next().unwrap().to_owned())
        .collect();
    assert_eq!(names.len(), pins.len(), "{pins:#?}");
    assert!(!pins.is_empty());
}

/// The long flags of a command.
fn flags(command: &str) -> Names {
    let output = Command::new(env!("CARGO_BIN_EXE_lockgate"))
        .args([command, "--help"])
        .output()
        .unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let options = help.split("Options:").nth(1).unwrap();
    let options = options.split("Print help").next().unwrap();
    options
        .lines()
        .map(|line| line.trim_start().trim_start_matches("-h, "))
        .filter_map(|line| line.strip_prefix("--"))
        .map(|rest| rest.chars().take_while(|&c| is_name(c)).collect::<String>())
        .filter(|name| name != "help")
        .collect()
}

/// The names in one mapping of an action's file: what stands two spaces in.
fn entries(action: &str, mapping: &str) -> Names {
    let text = read(action);
    text.lines()
        .skip_while(|line| *line != mapping)
        .skip(1)
        .take_while(|line| line.starts_with(' ') || line.is_empty())
        .filter(|line| indent(line) == 2)
        .map(|line| line.trim().trim_end_matches(':').to_owned())
        .collect()
}

/// The first cells of the table that this header opens.
fn rows(page: &str, header: &str) -> Names {
    page.lines()
        .skip_while(|line| !line.starts_with(header))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('`').nth(1).unwrap().to_owned())
        .collect()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
