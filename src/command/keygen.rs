//! `lockgate keygen`: a new signing key, and its entry for the trust file.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use lockgate::trust::{SigningKey, TRUST_FILE};
use lockgate::world::files::Pending;
use lockgate::world::git::Repository;
use lockgate::world::{keys, terminal};

use super::{input, output};
use crate::cli::Keygen;

pub(super) fn run(typed: &Keygen) -> Result<ExitCode> {
    let path = &typed.output;
    let shown = input::shown(path).to_string();
    if path.symlink_metadata().is_ok() {
        bail!(
            "{shown} is there already, and a key is never overwritten\nhint: give another file with `--output`"
        );
    }
    let cannot = || format!("{shown} cannot be written");
    let pending = Pending::begin_secret(path).with_context(cannot)?;
    let secret = keys::fresh_secret().context("the system gives no randomness")?;
    let key = SigningKey::of_secret(&secret);
    let public = key.public().context("a weak key: run this again")?;
    pending.create(key.pem().as_bytes()).with_context(cannot)?;
    terminal::tell(&format!(
        "made a signing key: {shown}\n  only you can read it, and no passphrase protects it: keep it on this machine and out of every repository\n{}\nthe entry for `{TRUST_FILE}`:\n\n",
        in_a_repository(path)
    ));
    output::document(&format!(
        "[[key]]\nname = \"{}\"\nrole = \"approver\"\npublic = \"{}\"\n",
        typed.name,
        public.ssh_line()
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn in_a_repository(path: &Path) -> String {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    match Repository::of(folder) {
        Some(_) => "warning: it stands inside a git repository: move it away before you commit\n"
            .to_owned(),
        None => String::new(),
    }
}
