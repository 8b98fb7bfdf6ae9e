//! [`Run`] → what a workflow shows: commands for stdout, the job summary, the outputs.
//!
//! Obeys design §8. Every text from outside leaves by an encoder of its sink; whatever is
//! cut is counted. Writes nothing: whoever runs prints the commands and appends the rest.

mod commands;
mod outputs;
mod summary;

pub use commands::could_not_work;
pub use outputs::DelimiterTaken;
pub use summary::comparison_in_html;

use crate::check::{FailOn, Report};
use crate::lock::Lockfile;
use crate::trust::{Ledger, TrustedKey};
use crate::untrusted::Untrusted;

/// All that is told of one run.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// What it found, sorted.
    pub report: &'a Report,
    /// What makes it fail.
    pub fail_on: FailOn,
    /// Who may approve: the keys of base's trust file.
    pub keys: &'a [TrustedKey],
    /// How many approvals a change needs.
    pub approvals: usize,
    /// In a change, what it approves: each lockfile that it adds or changes, in order.
    pub approves: &'a [Approves],
    /// Where the report was written.
    pub report_file: Option<&'a Untrusted>,
    /// The issues that are open about what was found.
    pub issues: &'a [u64],
}

impl Run<'_> {
    /// Who signed each lockfile that is told of, every signature verified once.
    pub(super) fn ledger(&self) -> Ledger {
        let ledger = Ledger::new(self.keys);
        let changed = self.approves.iter().map(|one| &one.after);
        let checked = self.report.checked.iter();
        let checked = checked.filter_map(|one| one.lockfile.as_ref());
        ledger.verify(changed.chain(checked));
        ledger
    }
}

/// A lockfile that a change adds or changes: what merging it approves.
#[derive(Debug, Clone)]
pub struct Approves {
    /// Where it is, as it is told.
    pub path: Untrusted,
    /// The lockfile of that server on base, with its companion where there is one.
    pub before: Option<Lockfile>,
    /// What the change makes of it, with its companion where there is one.
    pub after: Lockfile,
}

/// What a workflow shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForGitHub {
    /// Workflow commands, each on a line of its own: for stdout.
    pub commands: String,
    /// Markdown: to append to `GITHUB_STEP_SUMMARY`.
    pub summary: String,
    /// `name<<delimiter` entries: to append to `GITHUB_OUTPUT`.
    pub outputs: Result<String, DelimiterTaken>,
}

/// Tells a run to GitHub; `random` is text that nobody could foresee, at least 128 bits in
/// hexadecimal.
pub fn github(run: &Run<'_>, random: &str) -> ForGitHub {
    ForGitHub {
        commands: commands::commands(run.report),
        summary: summary::summary(run),
        outputs: outputs::outputs(run, random),
    }
}
