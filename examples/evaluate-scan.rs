//! Measures the scan on labelled tools: `cargo run --release --example evaluate-scan -- DIR`.
//!
//! DIR holds `*.jsonl`, a tool a line (`{"id", "label", "category", "tool"}`), and
//! `real-tools/*.json`, a listing a file; or `*.tsv`, a sentence a line: kind, language and
//! text of an attack, or language and text of a hard negative. `--half a` or `--half b` takes the rows whose id
//! (or the listings whose file name) has an even or odd SHA-256; `--show` names each row
//! that is not as its label says, `--show-all` each finding of it.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a program that prints what it measures"
)]

#[path = "../tests/scan/sentence.rs"]
mod sentence;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lockgate::Listing;
use lockgate::lock::Digest;
use lockgate::scan::{RULE_SET, Scan, Severity, scan_listing};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What was typed.
struct Typed {
    folder: PathBuf,
    half: Option<u8>,
    shows: u8,
}

/// How many rows of a group reached which severity.
#[derive(Default)]
struct Group {
    rows: usize,
    at: BTreeMap<Severity, usize>,
}

impl Group {
    fn add(&mut self, severity: Severity) {
        self.rows += 1;
        *self.at.entry(severity).or_insert(0) += 1;
    }

    fn at_least(&self, severity: Severity) -> usize {
        self.at.range(severity..).map(|(_, count)| count).sum()
    }
}

fn main() -> Outcome<()> {
    let typed = typed()?;
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    let mut spent = Duration::ZERO;
    let mut tools = 0;
    for path in files(&typed.folder, "jsonl")? {
        rows(&path, &typed, &mut groups)?;
    }
    for path in files(&typed.folder, "tsv")? {
        table_of_sentences(&path, &typed, &mut groups)?;
    }
    for path in files(&typed.folder.join("real-tools"), "json").unwrap_or_default() {
        if !is_taken(&name(&path), typed.half) {
            continue;
        }
        let listing = Listing::parse(&fs::read(&path)?)
            .map_err(|bad| format!("{}: {bad:?}", path.display()))?;
        let start = Instant::now();
        let scan = scan_listing(&listing);
        spent += start.elapsed();
        tools += listing.tools().len();
        listing_of(&listing, &scan, &name(&path), &typed, &mut groups);
    }
    table(&groups);
    println!(
        "\nrule set {RULE_SET}; {tools} tools of real servers scanned in {} ms",
        spent.as_millis()
    );
    Ok(())
}

fn typed() -> Outcome<Typed> {
    let mut typed = Typed {
        folder: PathBuf::new(),
        half: None,
        shows: 0,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--half" => typed.half = Some(u8::from(words.next().as_deref() == Some("b"))),
            "--show" => typed.shows = 1,
            "--show-all" => typed.shows = 2,
            _ => typed.folder = word.into(),
        }
    }
    match typed.folder.is_dir() {
        true => Ok(typed),
        false => Err("usage: evaluate-scan DIR [--half a|b] [--show|--show-all]".into()),
    }
}

fn files(folder: &Path, ending: &str) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths: Result<Vec<PathBuf>, _> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut paths = paths?;
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == ending)
    });
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Halves by chance that stay the same.
fn is_taken(id: &str, half: Option<u8>) -> bool {
    let digest = Digest::of(id).to_string();
    let bit = u8::from_str_radix(digest.get(..2).unwrap_or("0"), 16).unwrap_or_default() & 1;
    half.is_none_or(|half| half == bit)
}

fn rows(path: &Path, typed: &Typed, groups: &mut BTreeMap<String, Group>) -> Outcome<()> {
    for line in fs::read_to_string(path)?.lines() {
        let row: Value = serde_json::from_str(line)?;
        let text = |member: &str| row[member].as_str().unwrap_or_default().to_owned();
        let (id, label, category) = (text("id"), text("label"), text("category"));
        if !is_taken(&id, typed.half) {
            continue;
        }
        let listing = Listing::parse(format!("[{}]", row["tool"]).as_bytes())
            .map_err(|bad| format!("{id}: {bad:?}"))?;
        let scan = scan_listing(&listing);
        let file = name(path);
        groups
            .entry(format!("{file} {label}"))
            .or_default()
            .add(scan.severity());
        if label == "poisoned" {
            groups
                .entry(format!("{file} {label}: {category}"))
                .or_default()
                .add(scan.severity());
        }
        let is_amiss = match label.as_str() {
            "poisoned" => scan.severity() < Severity::High,
            _ => scan.severity() > Severity::Low && label.starts_with("benign"),
        };
        if is_amiss || typed.shows > 2 {
            show(&format!("{label}/{category} {id}"), &scan, typed);
        }
    }
    Ok(())
}

/// Rows of three are attacks, by kind and by language; rows of two are hard negatives.
fn table_of_sentences(
    path: &Path,
    typed: &Typed,
    groups: &mut BTreeMap<String, Group>,
) -> Outcome<()> {
    let (table, file) = (fs::read_to_string(path)?, name(path));
    for row in sentence::rows(&table) {
        let (said, under) = match row.as_slice() {
            [kind, language, said] => (*said, vec![(*kind).to_owned(), format!("in {language}")]),
            [_, said] => (*said, vec![]),
            _ => return Err(format!("{file}: {row:?}").into()),
        };
        let scan = sentence::scan(said);
        let groups_of_row = under.iter().map(|under| format!("{file}: {under}"));
        for group in groups_of_row.chain([file.clone()]) {
            groups.entry(group).or_default().add(scan.severity());
        }
        let is_amiss = match under.is_empty() {
            true => scan.severity() > Severity::Low,
            false => scan.severity() < Severity::High,
        };
        if is_amiss {
            show(&format!("{file} {}", row.join(" | ")), &scan, typed);
        }
    }
    Ok(())
}

/// Each tool of a real server by itself.
fn listing_of(
    listing: &Listing,
    scan: &Scan,
    file: &str,
    typed: &Typed,
    groups: &mut BTreeMap<String, Group>,
) {
    for tool in listing.tools() {
        let of_tool = scan
            .findings()
            .iter()
            .filter(|finding| finding.tool.as_ref() == Some(tool.name()));
        let severity = of_tool
            .map(|finding| finding.severity)
            .max()
            .unwrap_or_default();
        groups
            .entry("real-tools tools".to_owned())
            .or_default()
            .add(severity);
    }
    groups
        .entry("real-tools servers".to_owned())
        .or_default()
        .add(scan.severity());
    if scan.severity() > Severity::Low || typed.shows > 1 {
        show(file, scan, typed);
    }
}

fn show(what: &str, scan: &Scan, typed: &Typed) {
    if typed.shows == 0 {
        return;
    }
    println!("{} {what}", scan.severity().name());
    let lowest = if typed.shows > 1 {
        Severity::Low
    } else {
        Severity::Medium
    };
    for finding in scan
        .findings()
        .iter()
        .filter(|finding| finding.severity >= lowest)
    {
        let (pointer, excerpt) = (finding.pointer.in_terminal(), finding.excerpt.in_terminal());
        println!(
            "    {} {} {pointer}: {excerpt}",
            finding.severity.name(),
            finding.rule.id()
        );
    }
}

fn table(groups: &BTreeMap<String, Group>) {
    println!("| set | rows | ≥ low | ≥ medium | high |\n|---|---|---|---|---|");
    for (name, group) in groups {
        let cell = |severity| {
            let count = group.at_least(severity);
            let tenths = (count * 1000 + group.rows / 2) / group.rows.max(1);
            format!("{count} ({}.{} %)", tenths / 10, tenths % 10)
        };
        println!(
            "| {name} | {} | {} | {} | {} |",
            group.rows,
            cell(Severity::Low),
            cell(Severity::Medium),
            cell(Severity::High)
        );
    }
}
