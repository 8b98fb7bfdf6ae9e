//! What was typed to `approve`, `sign` and `keygen`.

use std::path::PathBuf;

use clap::Args;
use lockgate::Digest;

use super::Reach;

/// `lockgate approve`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  lockgate approve mcp/linear.mcp-lock.json --key ~/.ssh/id_ed25519
  lockgate approve mcp/linear.mcp-lock.json --key agent
  lockgate approve mcp/example.mcp-lock.json --key agent --header 'https://mcp.example.com Authorization: env:EXAMPLE_TOKEN'

It shows every difference from what was approved (the first time, all tools), asks for each on
the terminal, and then signs all lockfiles of that server in the repository. Without a
terminal nothing is signed. Exit codes: 0 signed · 1 declined or refused · 2 could not work.")]
pub(crate) struct Approve {
    /// Lockfiles to approve, as `lockgate lock` made them or as they are committed
    #[arg(required = true, value_name = "LOCKFILE")]
    pub(crate) lockfiles: Vec<PathBuf>,
    /// With which key.
    #[command(flatten)]
    pub(crate) key: Key,
    /// Refuse any list but the one with this listing digest; replaces no reading
    #[arg(long, value_name = "LISTING_DIGEST")]
    pub(crate) expect: Option<Digest>,
    /// How the server is reached.
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// A header for one origin; a secret stays in the environment variable VAR
    #[arg(long = "header", value_name = "ORIGIN NAME: env:VAR")]
    pub(crate) headers: Vec<String>,
}

/// `lockgate sign`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  lockgate sign mcp/linear.mcp-lock.json --key agent            a second person's approval
  lockgate sign mcp/linear.mcp-lock.json --key agent --offline  by the companion listing alone
  lockgate sign .github/lockgate.toml --key ~/.ssh/id_ed25519   a change of who may approve

Exit codes: 0 signed · 1 declined or refused · 2 could not work.")]
pub(crate) struct Sign {
    /// Lockfiles, or the trust file `.github/lockgate.toml`
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// With which key.
    #[command(flatten)]
    pub(crate) key: Key,
    /// Do not ask the server what it offers now
    #[arg(long)]
    pub(crate) offline: bool,
    /// How the server is reached.
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// A header for one origin; a secret stays in the environment variable VAR
    #[arg(long = "header", value_name = "ORIGIN NAME: env:VAR")]
    pub(crate) headers: Vec<String>,
}

/// With which key to sign.
#[derive(Debug, Args)]
pub(crate) struct Key {
    /// An Ed25519 key: a PEM or OpenSSH private key file, `agent` for the ssh-agent, or a
    /// public key file to choose among the agent's keys
    #[arg(long, value_name = "FILE|agent")]
    pub(crate) key: PathBuf,
}

/// `lockgate keygen`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  lockgate keygen --output ~/.config/lockgate/key.pem --name alice
  ssh-keygen -t ed25519        a key under a passphrase, which `--key` takes as well

The entry for `.github/lockgate.toml` goes to standard output.")]
pub(crate) struct Keygen {
    /// Where the private key goes; never over a file that is there
    #[arg(long, short, value_name = "FILE", default_value = "lockgate-key.pem")]
    pub(crate) output: PathBuf,
    /// Whose key it is, as it will stand in the trust file
    #[arg(long, default_value = "YOUR-NAME", value_parser = name)]
    pub(crate) name: String,
}

/// A name that needs no escapes in the trust file.
fn name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_alphanumeric() || " -_.@+".contains(c);
    if text.trim() == text && !text.is_empty() && text.chars().all(is_plain) {
        Ok(text.to_owned())
    } else {
        Err("a name has letters, digits, spaces and any of `-_.@+`".to_owned())
    }
}
