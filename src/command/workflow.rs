//! What a run found → where a workflow shows it: workflow commands, job summary, outputs.

use std::path::Path;

use anyhow::{Context, Result};
use lockgate::check::{FailOn, Report};
use lockgate::tell::{Approves, Run, github};
use lockgate::trust::TrustFile;
use lockgate::world::append::append;
use lockgate::world::{keys, terminal};

use super::{input, output};
use crate::cli::Format;
use crate::runner::Runner;

/// What is published of a run, beside its report.
pub(super) struct Publishing<'a> {
    pub(super) runner: &'a Runner,
    pub(super) trust: &'a TrustFile,
    pub(super) approves: &'a [Approves],
    pub(super) fail_on: FailOn,
    pub(super) report_file: Option<&'a Path>,
    pub(super) issues: &'a [u64],
    pub(super) format: Format,
}

/// Shows a run in its workflow; what one place refuses, the others still get.
pub(super) fn publish(report: &Report, publishing: &Publishing<'_>) -> Result<()> {
    let secret = keys::fresh_secret().context("the system gives no random bytes")?;
    let random: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let report_file = publishing.report_file.map(input::untrusted);
    let told = github(&Run {
        report,
        fail_on: publishing.fail_on,
        keys: &publishing.trust.keys,
        approvals: publishing.trust.policy.approvals,
        approves: publishing.approves,
        report_file: report_file.as_ref(),
        issues: publishing.issues,
        random: &random,
    });
    match publishing.format {
        Format::Text => output::document(&told.commands)?,
        // Standard output is one document; the runner reads commands from both.
        Format::Json => terminal::tell(&told.commands),
    }
    let Runner {
        summary, output, ..
    } = publishing.runner;
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
