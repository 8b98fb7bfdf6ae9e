//! What a run found → where a workflow shows it: workflow commands, job summary, outputs.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use lockgate::change::Branch;
use lockgate::issue::Scope;
use lockgate::tell::{Approves, Run, github};
use lockgate::trust::TrustFile;
use lockgate::world::append::append;
use lockgate::world::{keys, terminal};

use super::find::Found;
use super::papers::AS_TOLD;
use super::{input, output};
use crate::cli::Format;
use crate::runner::Runner;

/// What a workflow is told of a run, beside its report.
pub(super) struct About {
    /// Who may approve.
    pub(super) trust: TrustFile,
    /// In a change, what it approves.
    pub(super) approves: Vec<Approves>,
    /// The default branch, if what stands on it was looked at.
    pub(super) default_branch: Option<Branch>,
    /// The lockfiles that were looked for.
    pub(super) scope: Scope,
}

impl About {
    /// What is known before any server is asked.
    pub(super) fn of(found: &Found) -> Self {
        About {
            trust: found.root.file.clone(),
            approves: found.approves.clone(),
            default_branch: found.default_branch.clone(),
            scope: found.scope.clone(),
        }
    }
}

/// Shows a run in its workflow, and gives what could not be written: what one place refuses,
/// the others still get.
pub(super) fn publish(run: &Run<'_>, runner: &Runner, format: Format) -> Vec<anyhow::Error> {
    let random = match keys::fresh_secret().context("the system gives no random bytes") {
        Ok(secret) => secret.iter().map(|byte| format!("{byte:02x}")).collect(),
        Err(error) => return vec![error],
    };
    let random: String = random;
    let told = github(run, &random);
    let printed = match format {
        Format::Text => output::document(&told.commands),
        // Standard output is one document; the runner reads commands from both.
        Format::Json => {
            terminal::tell(&told.commands);
            Ok(())
        }
    };
    let Runner {
        summary, output, ..
    } = runner;
    let summary = add(SUMMARY, summary.as_deref(), &told.summary);
    let outputs = told.outputs.map_err(anyhow::Error::from);
    let outputs = outputs.and_then(|outputs| add(OUTPUTS, output.as_deref(), &outputs));
    let all = [printed, summary, outputs].into_iter();
    all.filter_map(Result::err).collect()
}

/// A place of the runner's, and the variable that names it.
type Place = (&'static str, &'static str);
const SUMMARY: Place = ("job summary", "GITHUB_STEP_SUMMARY");
const OUTPUTS: Place = ("step outputs", "GITHUB_OUTPUT");

fn add((what, variable): Place, path: Option<&Path>, text: &str) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    append(path, text).map_err(|error| {
        anyhow!(
            "the {what} {} cannot be written: {error}\nhint: {AS_TOLD}; leave {variable} as the runner sets it, and room on its disk",
            input::shown(path)
        )
    })
}
