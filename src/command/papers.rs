//! A report → standard output, and the files that a person named: each whole or not at all.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use lockgate::tell::{self, Run};
use lockgate::world::files::Pending;

use super::{input, output};
use crate::cli::{Format, Telling};

/// What a run that cannot write all of it has still said.
pub(super) const AS_TOLD: &str = "the verdicts stand as told above";

/// The files that will be written, begun before any work is done.
pub(super) struct Papers {
    report: Option<Paper>,
    sarif: Option<Paper>,
    html: Option<Paper>,
}

struct Paper {
    what: &'static str,
    path: PathBuf,
    pending: Pending,
}

impl Papers {
    /// Begins them: a place that cannot be written is told now.
    pub(super) fn begin(typed: &Telling) -> Result<Self> {
        let begin = |what, path: &Option<PathBuf>| {
            let path = path.as_deref();
            path.map(|path| Paper::begin(what, path)).transpose()
        };
        Ok(Papers {
            report: begin("report", &typed.report)?,
            sarif: begin("SARIF file", &typed.sarif)?,
            html: begin("page", &typed.html)?,
        })
    }

    /// Writes and prints what a run found, and gives what could not be written: what one
    /// place refuses, the others still get.
    pub(super) fn show(self, run: &Run<'_>, format: Format) -> Vec<anyhow::Error> {
        let report = run.report;
        let document = match (format, &self.report) {
            (Format::Text, None) => Ok(String::new()),
            (Format::Json, _) | (Format::Text, Some(_)) => report.document(),
        };
        let document = match document.context("the report cannot be made") {
            Ok(document) => document,
            Err(error) => return vec![error],
        };
        let printed = match format {
            Format::Text => output::text(&tell::report(report)),
            Format::Json => output::document(&document),
        };
        let written = self.report.map(|paper| paper.end(&document));
        let sarif = self.sarif.map(|paper| paper.end(&tell::sarif(report)));
        let html = self.html.map(|paper| {
            let page = tell::page(run).context("the page cannot be made");
            page.and_then(|page| paper.end(&page))
        });
        let all = [Some(printed), written, sarif, html].into_iter().flatten();
        all.filter_map(Result::err).collect()
    }
}

impl Paper {
    fn begin(what: &'static str, path: &Path) -> Result<Self> {
        let pending = Pending::begin(path).map_err(|error| {
            anyhow!(
                "the {what} {} cannot be written: {error}\nhint: name a file in a folder that is there and may be written; no server was asked",
                input::shown(path)
            )
        })?;
        Ok(Paper {
            what,
            path: path.to_owned(),
            pending,
        })
    }

    fn end(self, text: &str) -> Result<()> {
        let Paper {
            what,
            path,
            pending,
        } = self;
        pending.replace(text.as_bytes()).map_err(|error| {
            anyhow!(
                "the {what} {} cannot be written: {error}\nhint: {AS_TOLD}; make room, or name another place",
                input::shown(&path)
            )
        })
    }
}
