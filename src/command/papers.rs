//! A report → standard output, and the files that a person named: each whole or not at all.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lockgate::tell::{self, Run};
use lockgate::world::files::Pending;

use super::{input, output};
use crate::cli::{Format, Telling};

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

    /// Writes and prints what a run found. What one place refuses, the others still get.
    pub(super) fn show(self, run: &Run<'_>, format: Format) -> Result<()> {
        let report = run.report;
        let document = match (format, &self.report) {
            (Format::Text, None) => String::new(),
            (Format::Json, _) | (Format::Text, Some(_)) => {
                report.document().context("the report cannot be made")?
            }
        };
        let written = self.report.map(|paper| paper.end(&document));
        let sarif = self.sarif.map(|paper| paper.end(&tell::sarif(report)));
        let html = self.html.map(|paper| {
            let page = tell::page(run).context("the page cannot be made");
            page.and_then(|page| paper.end(&page))
        });
        match format {
            Format::Text => output::text(&tell::report(report))?,
            Format::Json => output::document(&document)?,
        }
        written.into_iter().chain(sarif).chain(html).collect()
    }
}

impl Paper {
    fn begin(what: &'static str, path: &Path) -> Result<Self> {
        let pending = Pending::begin(path).with_context(|| cannot_write(what, path))?;
        Ok(Paper {
            what,
            path: path.to_owned(),
            pending,
        })
    }

    fn end(self, text: &str) -> Result<()> {
        let written = self.pending.replace(text.as_bytes());
        written.with_context(|| cannot_write(self.what, &self.path))
    }
}

fn cannot_write(what: &str, path: &Path) -> String {
    format!("the {what} {} cannot be written", input::shown(path))
}
