//! `lockgate check`: discover, verify, list, compare, judge, tell.

use std::process::ExitCode;

use anyhow::Result;
use jiff::Timestamp;
use lockgate::check::{Mode, Part, Report, Shard};
use lockgate::trust::ServerSecrets;
use lockgate::untrusted::Untrusted;
use lockgate::world::clock;
use lockgate::world::mcp::Settings;
use lockgate::world::signals::{Interruption, Signals};

use super::ask::{Asking, ask};
use super::asked::offline;
use super::conclude::{Ending, Issues, conclude};
use super::endpoint::Credentials;
use super::find::{Found, Typed, find};
use super::papers::Papers;
use crate::cli::Check;
use crate::header::HeaderSpec;
use crate::runner::{Runner, runner};
use crate::settings;

pub(super) async fn run(typed: Check) -> Result<ExitCode> {
    let now = clock::now();
    let headers = for_origins(&typed.headers)?;
    let papers = Papers::begin(&typed.telling)?;
    let runner = runner();
    let looked = Typed {
        paths: &typed.paths,
        judging: &typed.judging,
    };
    let found = find(looked, runner.as_ref(), now)?;
    let ending = Ending::of(&found, papers, (runner.as_ref(), &typed.telling));
    let looking = Looking {
        settings: settings::reach(&typed.reach),
        concurrency: typed.concurrency.into(),
        headers: &headers,
        now,
        part: typed.shard.map(|shard| part(shard, runner.as_ref())),
    };
    let mut signals = Signals::listen();
    let (report, interrupted) = look(found, looking, &mut signals).await;
    let issues = match interrupted {
        Some(signal) => Issues::Left(signal),
        None => Issues::Kept(&mut signals),
    };
    ending.tell(report, issues).await
}

fn part(shard: Shard, runner: Option<&Runner>) -> Part {
    let run = runner.and_then(|runner| runner.run.as_deref());
    Part {
        shard,
        run: run.map(Untrusted::from),
        servers: Vec::new(),
    }
}

/// How a run looks.
pub(super) struct Looking<'a> {
    pub(super) settings: Settings,
    pub(super) concurrency: usize,
    pub(super) headers: &'a [HeaderSpec],
    pub(super) now: Timestamp,
    /// The part of the servers that is asked, if not all are.
    pub(super) part: Option<Part>,
}

/// Lists and compares; says also which signal ended the run early.
pub(super) async fn look(
    mut found: Found,
    mut looking: Looking<'_>,
    signals: &mut Signals,
) -> (Report, Option<Interruption>) {
    let mut lockfiles = found.lockfiles();
    let part = looking.part.take();
    if let Some(part) = &part {
        lockfiles.retain(|one| part.shard.asks(one.lockfile.identity().digest()));
    }
    let asked = match found.mode {
        Mode::Offline => offline(lockfiles, part),
        Mode::Online => {
            let asking = looking.asking(&found.secrets);
            ask(lockfiles, asking, part, signals).await
        }
    };
    let interrupted = asked.interrupted;
    (conclude(found, asked, looking.now), interrupted)
}

impl Looking<'_> {
    fn asking<'a>(&'a self, secrets: &'a [ServerSecrets]) -> Asking<'a> {
        Asking {
            settings: self.settings.clone(),
            concurrency: self.concurrency,
            credentials: Credentials {
                typed: self.headers,
                trusted: secrets,
                opened: &self.settings.allow_private_hosts,
            },
        }
    }
}

/// Headers of a check name their origin: a lockfile's word does not draw a secret.
pub(super) fn for_origins(typed: &[String]) -> Result<Vec<HeaderSpec>> {
    let specs = settings::headers(typed)?;
    if let Some(spec) = specs.iter().find(|spec| spec.origin.is_none()) {
        anyhow::bail!(
            "`--header` does not say where `{}` may go\nhint: name the origin first: `--header 'https://mcp.example.com {}: env:VARIABLE'`",
            spec.name,
            spec.name
        );
    }
    Ok(specs)
}
