//! What a run found → where a workflow shows it: workflow commands, job summary, outputs.

use std::path::Path;

use anyhow::{Context, Result};
use lockgate::change::Branch;
use lockgate::issue::Scope;
use lockgate::tell::{Approves, Run, github};
use lockgate::trust::TrustFile;
use lockgate::world::append::append;
use lockgate::world::{keys, terminal};

use super::find::Found;
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

/// Shows a run in its workflow; what one place refuses, the others still get.
pub(super) fn publish(run: &Run<'_>, runner: &Runner, format: Format) -> Result<()> {
    let secret = keys::fresh_secret().context("the system gives no random bytes")?;
    let random: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let told = github(run, &random);
    match format {
        Format::Text => output::document(&told.commands)?,
        // Standard output is one document; the runner reads commands from both.
        Format::Json => terminal::tell(&told.commands),
    }
    let Runner {
        summary, output, ..
    } = runner;
    let summary = add("job summary", summary.as_deref(), &told.summary);
    let outputs = add("step outputs", output.as_deref(), &told.outputs?);
    summary.and(outputs)
}

fn add(what: &str, place: Option<&Path>, text: &str) -> Result<()> {
    let Some(path) = place else { return Ok(()) };
    append(path, text).with_context(|| {
        format!(
            "the {what} {} cannot be written; the verdicts stand as told",
            input::shown(path)
        )
    })
}
