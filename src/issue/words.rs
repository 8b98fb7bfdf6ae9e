//! The words of a server → blocks of a body, each code that they cannot leave.

use super::evidence::Evidence;
use super::page::Block;
use crate::check::{Change, Comparison, FieldChange, Modified, Outcome, Reason, Unlisted};
use crate::tell::comparison_in_html;
use crate::untrusted::{Untrusted, in_fence};

/// What moved: a block for each tool, for the instructions, or for why nothing can be compared.
pub(super) fn moved(evidence: &Evidence<'_>) -> Vec<Block> {
    let several = evidence.drifts.len() > 1;
    let mut blocks = Vec::new();
    for one in &evidence.drifts {
        if several {
            let name = one.path.in_markdown().to_string();
            blocks.push(Block {
                text: format!("Against {name}:\n\n"),
                name,
            });
        }
        match &one.outcome {
            Outcome::Compared(comparison) => {
                blocks.extend(comparison.apart().iter().map(difference))
            }
            Outcome::Unlisted(why) => blocks.push(unlisted(why)),
        }
    }
    blocks
}

/// Why there is nothing to compare, in our words and in the server's.
pub(super) fn unlisted(why: &Unlisted) -> Block {
    let hint = why
        .hint
        .as_deref()
        .map(|hint| format!("\nhint: {hint}"))
        .unwrap_or_default();
    let told = format!("{}: {}{hint}", why.reason, why.message().in_terminal());
    Block {
        name: format!("`{}`", why.reason),
        text: format!("{}\n", fenced(&told)),
    }
}

/// As the job summary shows it: an HTML block, which ends at a blank line.
fn difference(one: &Comparison) -> Block {
    Block {
        name: name(one),
        text: format!("{}\n", comparison_in_html(one)),
    }
}

fn name(one: &Comparison) -> String {
    let modified = one.modified.iter().map(|tool| &tool.name);
    let added = one.added.iter().map(crate::lock::Tool::name);
    let removed = one.removed.iter().map(|tool| &tool.name);
    let mut names = modified.chain(added).chain(removed);
    names.next().map_or_else(
        || "the instructions".to_owned(),
        |name| name.in_markdown().to_string(),
    )
}

/// The texts and schemas that changed, whole, both sides: a block each.
pub(super) fn whole(evidence: &Evidence<'_>) -> Vec<Block> {
    let compared = evidence.drifts.iter().filter_map(|one| match &one.outcome {
        Outcome::Compared(comparison) => Some(comparison),
        Outcome::Unlisted(_) => None,
    });
    compared.flat_map(of_comparison).collect()
}

fn of_comparison(comparison: &Comparison) -> Vec<Block> {
    let of_tool = |tool: &'_ Modified| -> Vec<Block> {
        let name = tool.name.in_markdown().to_string();
        let block = |change: &FieldChange| {
            let (approved, current) = sides(&change.change)?;
            Some(both(
                &format!("{name}, {}", change.field.name()),
                (&approved, &current),
            ))
        };
        tool.changes.iter().filter_map(block).collect()
    };
    let instructions = comparison.instructions.iter().filter_map(|change| {
        let sides = (change.approved.as_ref()?, change.current.as_ref()?);
        Some(both("the instructions", sides))
    });
    let tools = changed(comparison).flat_map(of_tool);
    tools.chain(instructions).collect()
}

/// The tools of which something moved, under their own name or another.
pub(super) fn changed(comparison: &Comparison) -> impl Iterator<Item = &Modified> {
    let renamed = comparison.renamed.iter().map(|pair| &pair.detail);
    comparison.modified.iter().chain(renamed)
}

fn both(name: &str, (approved, current): (&Untrusted, &Untrusted)) -> Block {
    Block {
        name: name.to_owned(),
        text: format!(
            "{name}, as approved:\n\n{}\nand now:\n\n{}\n",
            approved.in_markdown_fence(),
            current.in_markdown_fence()
        ),
    }
}

/// Both sides, where both are at hand.
fn sides(change: &Change) -> Option<(Untrusted, Untrusted)> {
    match change {
        Change::Text(text) => Some((text.approved.clone()?, text.current.clone()?)),
        Change::Value(value) => Some((value.approved.laid_out(), value.current.laid_out())),
    }
}

/// What is shown already, in a fence.
pub(super) fn fenced(shown: &str) -> String {
    in_fence(shown.to_owned()).to_string()
}

/// The command by which a person approves what a lockfile's server offers now.
pub(super) fn approve(lockfile: &Untrusted) -> Untrusted {
    let word = shell(lockfile);
    Untrusted::new(format!("lockgate approve {word} --key agent"))
}

/// A path as one word of a shell, whatever it holds.
fn shell(path: &Untrusted) -> String {
    let path = path.as_arrived();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '-');
    let relative = match path.starts_with('-') {
        true => format!("./{path}"),
        false => path.to_owned(),
    };
    match relative.chars().all(is_plain) && !relative.is_empty() {
        true => relative,
        false => format!("'{}'", relative.replace('\'', "'\\''")),
    }
}

/// Did tools only come or go, and none change or take another name?
pub(super) fn only_comes_and_goes(evidence: &Evidence<'_>) -> bool {
    evidence.drifts.iter().all(|one| match &one.outcome {
        Outcome::Compared(comparison) => {
            comparison.modified.is_empty()
                && comparison.renamed.is_empty()
                && comparison.instructions.is_none()
        }
        Outcome::Unlisted(_) => false,
    })
}

/// What a person can do about a silence.
pub(super) fn what_to_do(reason: Reason) -> &'static str {
    match reason {
        Reason::AuthRequired => {
            "Credentials are missing, have ended, or are not accepted: renew the secret that the workflow hands over. A server that cannot be checked from here can be accepted for a while: an `[[accept]]` entry in the trust file."
        }
        Reason::HttpStatus | Reason::RateLimited | Reason::Redirect => {
            "A refusal that lasts may be meant for the addresses of hosted runners: try from another network, or with a runner of your own. If the server moved, lock it where it is now."
        }
        Reason::Dns | Reason::Connect | Reason::Tls | Reason::Timeout => {
            "Ask whoever runs the server. If it is gone for good, remove its lockfile and list it in `policy.removed` of the trust file."
        }
        Reason::PrivateAddress => {
            "The address is not public and was not opened: see where the name points now, and who changed that."
        }
        Reason::TooLarge | Reason::NotMcp | Reason::RpcError => {
            "Something answers, and it is no listing: ask whoever runs the server, and take it for changed until you know."
        }
        Reason::NotChecked
        | Reason::LockfileRefused
        | Reason::InternalError
        | Reason::MalformedListing
        | Reason::UnstableListing => "Read the report of the run.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        let check = |path: &str, expect: &str| assert_eq!(shell(&path.into()), expect);
        check("mcp/a.mcp-lock.json", "mcp/a.mcp-lock.json");
        check("-rf.json", "./-rf.json");
        check("$(rm -rf ~).json", "'$(rm -rf ~).json'");
        check("it's; `x`", "'it'\\''s; `x`'");
        check("a\nb\u{202e}", "'a\nb\u{202e}'");
        check("", "''");
    }
}
