//! `lockgate demo`: the whole story on an embedded server, in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use lockgate::Verdict;
use lockgate::check::Report;
use lockgate::lock::{Approval, HeaderPins, ServerUrl};
use lockgate::tell;
use lockgate::world::clock;
use lockgate::world::demo::DemoServer;
use lockgate::world::files::Pending;
use lockgate::world::mcp::{Endpoint, Mcp, Settings};

use super::check::{Looking, look};
use super::companion::companion_path;
use super::find::standing;
use super::{input, output};

pub(super) async fn run() -> Result<ExitCode> {
    let folder = tempfile::Builder::new()
        .prefix("lockgate-demo-")
        .tempdir()
        .context("no temporary folder can be made")?;
    let folder = folder.keep();
    let server = DemoServer::start()
        .await
        .context("nothing can listen on loopback")?;
    let lockfile = folder.join("notebook.mcp-lock.json");

    output::text(&format!(
        "1. A server offers three tools at {}. Somebody reads them, and locks them:\n\n   $ lockgate lock {} -o notebook.mcp-lock.json --allow-private-host 127.0.0.1\n\n",
        server.url(),
        server.url()
    ))?;
    lock(&server, &lockfile).await?;
    output::text(&format!(
        "   {}  the digests of what was read\n   {}  the words, to show later what moved\n\n",
        input::shown(&lockfile),
        input::shown(&companion_path(&lockfile))
    ))?;

    output::text(
        "2. Every night, and in every pull request, the server is asked again:\n\n   $ lockgate check --allow-private-host 127.0.0.1\n\n",
    )?;
    let before = check(&lockfile).await?;
    output::text(&tell::report(&before))?;

    server.pull_the_rug();
    output::text(
        "\n3. One night the server changes what it tells the model. No release, no diff, no mail:\n\n   $ lockgate check --allow-private-host 127.0.0.1\n\n",
    )?;
    let after = check(&lockfile).await?;
    output::text(&tell::report(&after))?;
    conclude(&before, &after, &folder)
}

fn conclude(before: &Report, after: &Report, folder: &Path) -> Result<ExitCode> {
    if (before.verdict(), after.verdict()) != (Some(Verdict::Unchanged), Some(Verdict::Changed)) {
        return Err(anyhow!(
            "the demo did not go as told\nhint: please report it, with the text above"
        ));
    }
    output::text(&format!(
        "\nThe agent does not connect: `lockgate check` exits with 1. A hidden order, a flipped annotation and a new tool are what a person reads before saying yes or no.\n\nThe files are in {}. Yours next: lockgate lock https://…\n",
        input::shown(folder)
    ))?;
    Ok(ExitCode::SUCCESS)
}

async fn lock(server: &DemoServer, lockfile: &Path) -> Result<()> {
    let url = ServerUrl::parse(&server.url()).map_err(|bad| anyhow!("{bad}"))?;
    let endpoint = Endpoint {
        url: url.url().clone(),
        headers: Vec::new(),
        protocol_version: None,
    };
    let listing = Mcp::new(loopback()).list_tools(&endpoint).await;
    let listing = listing
        .map_err(|unlisted| anyhow!("{}: {}", unlisted.reason, unlisted.message().in_terminal()))?;
    let approval = Approval {
        url: &url,
        listing: &listing,
        headers: HeaderPins::default(),
        approved_at: clock::now(),
        scan: None,
    };
    write(lockfile, &approval.lockfile()?)?;
    write(&companion_path(lockfile), &approval.companion())
}

fn write(path: &Path, text: &str) -> Result<()> {
    let written = Pending::begin(path).and_then(|pending| pending.create(text.as_bytes()));
    written.with_context(|| format!("{} cannot be written", input::shown(path)))
}

async fn check(lockfile: &Path) -> Result<Report> {
    let paths: [PathBuf; 1] = [lockfile.to_owned()];
    let now = clock::now();
    let looking = Looking {
        settings: loopback(),
        concurrency: 1,
        headers: &[],
        now,
        part: None,
    };
    let (report, _) = look(standing(&paths, None, now)?, looking).await;
    Ok(report)
}

/// Plain http to this machine, and to nothing else.
fn loopback() -> Settings {
    Settings {
        allow_private_hosts: vec!["127.0.0.1".to_owned()],
        ..Settings::default()
    }
}
