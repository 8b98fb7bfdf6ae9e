//! `check` and `merge`: what is judged, and where it is told.

use std::path::PathBuf;

use clap::Args;
use lockgate::check::Shard;

use super::{FailOn, Format, Reach};

/// `lockgate check`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  lockgate check                               every lockfile of this repository
  lockgate check mcp/linear.mcp-lock.json      one of them
  lockgate check --base origin/main            a pull request, before any server is asked
  lockgate check --format json --report lockgate-report.json
  lockgate check --header 'https://mcp.example.com Authorization: env:EXAMPLE_TOKEN'
  lockgate check --allow-private-host 127.0.0.1
  lockgate check --shard 2/4 --report 2.json   a quarter of the servers; then `lockgate merge`")]
pub(crate) struct Check {
    /// Lockfiles, or folders to find them in
    #[arg(default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// What is judged.
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Where it is told.
    #[command(flatten)]
    pub(crate) telling: Telling,
    /// How many servers to ask at once
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) concurrency: u16,
    /// How servers are reached.
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// A header for one origin; a secret stays in the environment variable VAR
    #[arg(long = "header", value_name = "ORIGIN NAME: env:VAR")]
    pub(crate) headers: Vec<String>,
    /// Ask only the I-th of N parts of the servers; every rule runs in each shard
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
}

/// `lockgate merge`
#[derive(Debug, Args)]
#[command(
    after_help = "It runs in the same checkout, by the same event and with the same flags as the shards, judges every
rule itself, asks no server, and takes from the reports only what the servers said. What it cannot
take is `not-checked`, and blocks.

Examples:
  lockgate merge shards                        every *.json below a folder
  lockgate merge 1.json 2.json --format json --report lockgate-report.json"
)]
pub(crate) struct Merge {
    /// The reports of all shards, or folders that hold them (`*.json`)
    #[arg(required = true, value_name = "REPORT")]
    pub(crate) reports: Vec<PathBuf>,
    /// Lockfiles, or folders to find them in, as the shards were given
    #[arg(long = "path", value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// What is judged.
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Where it is told.
    #[command(flatten)]
    pub(crate) telling: Telling,
}

/// What is judged: the same for all shards of a run and their merge.
#[derive(Debug, Args)]
pub(crate) struct Judging {
    /// Verify the lockfiles and ask no server [default in pull requests of forks and Dependabot: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) offline: Option<bool>,
    /// Judge a change: what differs from this commit, by the keys that it trusts
    #[arg(long, value_name = "REV", conflicts_with = "paths")]
    pub(crate) base: Option<String>,
    /// The change's head, read as git objects [default: the work tree]
    #[arg(long, value_name = "REV", requires = "base")]
    pub(crate) head: Option<String>,
    /// An operator's trust file, from outside of the work tree; it stands above the repository's
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Succeed where no lockfile is found
    #[arg(long)]
    pub(crate) allow_empty: bool,
}

/// Where it is told, and what fails the run.
#[derive(Debug, Args)]
pub(crate) struct Telling {
    /// Also write the report, a JSON document, to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Also write what was found as SARIF 2.1.0, for code scanning, to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Also write what was found as one page for a browser, which fetches nothing, to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// What makes the run fail
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    pub(crate) fail_on: FailOn,
}
