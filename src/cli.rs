//! What was typed: flags and arguments, as close to the command line as can be.
//!
//! Needs nothing but the arguments; what they mean here is for `settings`.

mod gate;
mod signing;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lockgate::trust::FailsFrom;

pub(crate) use self::gate::{Check, Judging, Merge, Telling};
pub(crate) use self::signing::{Approve, Keygen, Sign};

/// Lets an AI agent connect to an MCP server only while its tools are exactly what a
/// person approved.
#[derive(Debug, Parser)]
#[command(
    name = "lockgate",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
#[command(
    after_help = "Exit codes: 0 all connect · 1 at least one block or error · 2 could not work · 3 a fault of lockgate.\nSee the whole story on this machine: lockgate demo"
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the lockfiles, ask every server what it offers now, and say what may connect
    Check(Check),
    /// Make one report of the reports that all shards of a run wrote, and say what may connect
    Merge(Merge),
    /// List a server and write an unsigned lockfile and its companion listing
    Lock(Lock),
    /// Read what a server offers, tool by tool, and sign what you approve
    Approve(Approve),
    /// Read what a lockfile or the trust file says, and add your signature
    Sign(Sign),
    /// Make a signing key
    Keygen(Keygen),
    /// Print the digests of a listing; needs no server and no key
    Hash(Hash),
    /// Compare two listings or lockfiles and show which words moved
    Diff(Diff),
    /// Say what of a listing reads like an attack, or hides what it says
    Scan(Scan),
    /// Watch the whole story on an embedded server: lock, check, a rug pull, the block
    Demo(Demo),
}

/// `lockgate lock`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  lockgate lock https://mcp.example.com/mcp
  lockgate lock https://mcp.example.com/mcp -o mcp/example.mcp-lock.json --header 'Authorization: env:EXAMPLE_TOKEN'
  lockgate lock http://127.0.0.1:3001/mcp --allow-private-host 127.0.0.1 --dry-run
  lockgate lock --tools tools.json --url https://mcp.example.com/mcp

It never signs and never overwrites: approving a changed list is a person's act.")]
pub(crate) struct Lock {
    /// The server's endpoint
    #[arg(
        required_unless_present = "tools",
        conflicts_with = "tools",
        value_name = "URL"
    )]
    pub(crate) server: Option<String>,
    /// Take the tools from this file (`-` is standard input) and ask no server
    #[arg(long, value_name = "FILE", requires = "url")]
    pub(crate) tools: Option<PathBuf>,
    /// The endpoint that the tools of --tools came from
    #[arg(long, value_name = "URL", requires = "tools")]
    pub(crate) url: Option<String>,
    /// Where the lockfile goes [default: HOST.mcp-lock.json]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print the lockfile and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How the server is reached.
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// A header to send; a secret stays in the environment variable VAR
    #[arg(long = "header", value_name = "NAME: env:VAR")]
    pub(crate) headers: Vec<String>,
}

/// How servers are reached.
#[derive(Debug, Args)]
pub(crate) struct Reach {
    /// Most seconds one server may take
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub(crate) timeout: u64,
    /// Open this loopback or private host, plain http included
    #[arg(long = "allow-private-host", value_name = "HOST")]
    pub(crate) allow_private_hosts: Vec<String>,
}

/// `lockgate hash`
#[derive(Debug, Args)]
#[command(
    after_help = "FILE holds a `tools/list` result, a JSON-RPC answer with one, or a bare array of tools.

Examples:
  lockgate hash tools.json
  curl … | lockgate hash --format json"
)]
pub(crate) struct Hash {
    /// The listing; `-` is standard input
    #[arg(default_value = "-", value_name = "FILE")]
    pub(crate) listing: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// `lockgate diff`
#[derive(Debug, Args)]
#[command(
    after_help = "Each side is a lockfile (its companion listing is found beside it), a companion listing, a listing as for `lockgate hash`, or the endpoint of a server, which is asked what it offers now.

Examples:
  lockgate diff mcp/linear.mcp-lock.json https://mcp.linear.app/mcp
  lockgate diff approved.json current.json --format json
  lockgate diff https://staging.example.com/mcp https://mcp.example.com/mcp

Exit codes: 0 nothing differs · 1 something does · 2 could not work."
)]
pub(crate) struct Diff {
    /// The approved side, a file or a URL; `-` is standard input
    #[arg(value_name = "APPROVED")]
    pub(crate) approved: PathBuf,
    /// The current side, a file or a URL; `-` is standard input
    #[arg(value_name = "CURRENT")]
    pub(crate) current: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// How servers are reached.
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// A header for one origin; a secret stays in the environment variable VAR
    #[arg(long = "header", value_name = "ORIGIN NAME: env:VAR")]
    pub(crate) headers: Vec<String>,
}

/// `lockgate scan`
#[derive(Debug, Args)]
#[command(
    after_help = "Each FILE|URL is a listing as for `lockgate hash`, a lockfile with its companion listing beside it, or the endpoint of a server, which is asked what it offers now. Of several, names that two of them have are told too.

Examples:
  lockgate scan https://mcp.example.com/mcp
  lockgate scan tools.json --format json
  lockgate scan mcp/*.mcp-lock.json --fail-on medium

It ranks what to read first and proves nothing: read the texts, and pin them with `lockgate approve`.

Exit codes: 0 nothing at or above --fail-on · 1 something is · 2 could not work."
)]
pub(crate) struct Scan {
    /// What to scan, files or URLs; `-` is standard input
    #[arg(value_name = "FILE|URL", required = true)]
    pub(crate) listings: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// From which severity on a finding makes the run fail
    #[arg(long, value_enum, default_value_t = ScanFailOn::High)]
    pub(crate) fail_on: ScanFailOn,
    /// How servers are reached.
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// A header for one origin; a secret stays in the environment variable VAR
    #[arg(long = "header", value_name = "ORIGIN NAME: env:VAR")]
    pub(crate) headers: Vec<String>,
}

/// From which severity on a finding of the scan makes a run fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScanFailOn {
    /// Every finding
    Low,
    /// What is worth reading before anybody approves
    Medium,
    /// What reads like an attack
    High,
    /// Nothing: findings are told only
    Never,
}

impl From<ScanFailOn> for FailsFrom {
    fn from(typed: ScanFailOn) -> Self {
        match typed {
            ScanFailOn::Low => FailsFrom::Low,
            ScanFailOn::Medium => FailsFrom::Medium,
            ScanFailOn::High => FailsFrom::High,
            ScanFailOn::Never => FailsFrom::Never,
        }
    }
}

/// `lockgate demo`
#[derive(Debug, Args)]
pub(crate) struct Demo {}

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON document
    Json,
}

/// What makes a run fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A block, or a finding that is an error
    Error,
    /// A warning too
    Warning,
    /// Nothing: the outcome is told only
    Never,
}
