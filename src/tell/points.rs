//! [`Report`] → [`Point`]s: each thing to tell at a line of a file, worst first.
//!
//! Obeys design §8 (annotations) and §5 (what does not fail the run is told by a finding).
//! The first thing of every server comes before the second of any.

use super::excerpt::{field_excerpt, text_excerpt};
use super::notes::renamed;
use super::way_out::next_step;
use crate::check::{
    Bearing, Cause, Checked, Comparison, Finding, Level, Mode, Modified, Outcome, Renamed, Report,
    Rule, Verdict,
};
use crate::lock::Lockfile;
use crate::message::Message;
use crate::untrusted::Untrusted;

/// One thing to tell at a place.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// How much it weighs.
    pub(super) level: Level,
    /// What it is an instance of.
    pub(super) kind: Kind,
    /// The file.
    pub(super) path: Option<Untrusted>,
    /// The line, counted from 1.
    pub(super) line: Option<usize>,
    /// The tool it is about.
    pub(super) tool: Option<Untrusted>,
    /// What it is, in words of ours.
    pub(super) title: &'static str,
    /// What is to be told, one sentence a line.
    sentences: Vec<Message>,
    /// How many of the same file come before it.
    turn: usize,
}

/// What a point is an instance of: a rule, or a verdict that blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// What the server offers is not what was approved.
    Verdict(Verdict),
    /// A rule was broken.
    Rule(Rule),
}

impl Point {
    /// What is to be told, as it is shown, one sentence a line.
    pub(super) fn text(&self) -> String {
        let sentences = self.sentences.iter();
        let shown: Vec<String> = sentences.map(|one| one.in_terminal().to_string()).collect();
        shown.join("\n")
    }
}

impl Kind {
    /// The id, as it stands in reports.
    pub(super) fn id(self) -> &'static str {
        match self {
            Kind::Verdict(verdict) => verdict.name(),
            Kind::Rule(rule) => rule.id(),
        }
    }

    /// Drift is worse than a broken rule, which is worse than silence.
    fn rank(self) -> u8 {
        match self {
            Kind::Verdict(Verdict::Changed) => 0,
            Kind::Rule(_) => 1,
            Kind::Verdict(Verdict::Unreachable | Verdict::Unchanged) => 2,
        }
    }
}

/// Everything that is to be told at a place, worst first.
pub(super) fn points(report: &Report) -> Vec<Point> {
    let mut points: Vec<Point> = report
        .checked
        .iter()
        .filter(|one| is_told_here(one, report.mode))
        .flat_map(of_check)
        .chain(report.findings.iter().map(of_finding))
        .collect();
    points.sort_by_key(|point| {
        (
            std::cmp::Reverse(point.level),
            point.kind.rank(),
            point.turn,
        )
    });
    points
}

/// Blocks that fail the run, and that no finding tells already.
fn is_told_here(one: &Checked, mode: Mode) -> bool {
    if one.verdict() == Verdict::Unchanged || one.bearing == Bearing::Told {
        return false;
    }
    match &one.outcome {
        Outcome::Compared(_) => true,
        Outcome::Unlisted(unlisted) => {
            unlisted.reason.cause() != Cause::Lockfile && mode == Mode::Online
        }
    }
}

fn of_finding(finding: &Finding) -> Point {
    Point {
        level: finding.level,
        kind: Kind::Rule(finding.rule),
        path: finding.path.clone(),
        line: finding.line,
        tool: None,
        title: finding.rule.id(),
        sentences: [Some(finding.message.clone()), finding.hint.clone()]
            .into_iter()
            .flatten()
            .collect(),
        turn: 0,
    }
}

fn of_check(one: &Checked) -> Vec<Point> {
    let mut points = match (&one.outcome, &one.lockfile) {
        (Outcome::Compared(comparison), Some(lockfile)) => of_comparison(comparison, lockfile),
        (Outcome::Compared(comparison), None) => {
            vec![drift("MCP tools changed", counts(comparison))]
        }
        (Outcome::Unlisted(unlisted), lockfile) => {
            let kind = unlisted.reason.verdict();
            let title = match unlisted.reason.cause() {
                Cause::Drift => "MCP server gives no sure listing",
                Cause::Credentials => "MCP server needs credentials",
                Cause::NotAsked => "MCP server was not asked",
                Cause::Silence | Cause::Lockfile | Cause::Ours => "MCP server could not be checked",
            };
            let sentence = Message::new(format!("{}: ", unlisted.reason)).then(unlisted.message());
            vec![Point {
                kind: Kind::Verdict(kind),
                line: lockfile.as_ref().map(|lockfile| lockfile.lines().url),
                ..drift(title, sentence)
            }]
        }
    };
    for (turn, point) in points.iter_mut().enumerate() {
        point.path = Some(one.path.clone());
        point.sentences.extend(next_step(one));
        point.turn = turn;
    }
    points
}

fn of_comparison(comparison: &Comparison, lockfile: &Lockfile) -> Vec<Point> {
    let mut points: Vec<Point> = comparison.modified.iter().map(of_modified).collect();
    points.extend(comparison.instructions.iter().map(|change| Point {
        line: lockfile.lines().instructions,
        ..drift(
            "MCP server instructions changed",
            Message::new("instructions: ").then(text_excerpt(change)),
        )
    }));
    points.extend(comparison.renamed.iter().map(of_renamed));
    points.extend(comparison.only_added().map(|tool| Point {
        tool: Some(tool.name().clone()),
        line: Some(line_before(lockfile, tool.name())),
        ..drift(
            "new MCP tool that nobody approved",
            Message::new("the server offers a new tool ").theirs(tool.name()),
        )
    }));
    points.extend(comparison.only_removed().map(|tool| Point {
        tool: Some(tool.name.clone()),
        line: Some(tool.line),
        ..drift(
            "approved MCP tool is gone",
            Message::new("the server no longer offers ").theirs(&tool.name),
        )
    }));
    points
}

fn of_renamed(pair: &Renamed) -> Point {
    let head = Message::new("")
        .theirs(&pair.from)
        .ours(" is gone, and ")
        .theirs(&pair.to)
        .ours(format!(" is new: {}", renamed(pair.sameness)));
    let point = drift("approved MCP tool has likely another name", head);
    with_detail(point, &pair.to, &pair.detail)
}

fn of_modified(tool: &Modified) -> Point {
    let head = Message::new("")
        .theirs(&tool.name)
        .ours(" is not the tool that was approved");
    with_detail(drift("MCP tool changed", head), &tool.name, tool)
}

/// On the line of the approved tool, with what changed in it.
fn with_detail(mut point: Point, name: &Untrusted, detail: &Modified) -> Point {
    let changes = detail.changes.iter().map(field_excerpt);
    point.sentences.extend(changes);
    point.tool = Some(name.clone());
    point.line = Some(detail.line);
    point
}

fn drift(title: &'static str, sentence: Message) -> Point {
    Point {
        level: Level::Error,
        kind: Kind::Verdict(Verdict::Changed),
        path: None,
        line: None,
        tool: None,
        title,
        sentences: vec![sentence],
        turn: 0,
    }
}

fn counts(comparison: &Comparison) -> Message {
    Message::new(super::way_out::counts(comparison))
}

/// A new tool has no line: the one it would stand behind has.
fn line_before(lockfile: &Lockfile, name: &Untrusted) -> usize {
    let before = lockfile.tools().iter().rev().find(|tool| tool.name < *name);
    before.map_or(lockfile.lines().tools, |tool| tool.line)
}
