//! [`Run`] → the job summary: what was found, what a change approves, the table, the detail.
//!
//! Obeys design §8. All of it is HTML blocks of Markdown, in which nothing is read as
//! Markdown: text from outside stands in `<code>`, on one line, and can only be text.

mod approves;
mod detail;
mod findings;
mod head;
mod page;
mod rows;

pub use detail::comparison_in_html;

use self::page::{LAST_WORDS, MOST, Page};
use super::Run;
use crate::check::{Checked, Comparison, Outcome, SignatureCheck, Verdict};
use crate::lock::spelled;
use crate::tell::counted;
use crate::tell::order::by_weight;
use crate::tell::way_out::counts;
use crate::trust::Ledger;
use crate::untrusted::in_html_code;

/// Most bytes of the table of what blocks, and of the one of what does not.
const MOST_ROWS: usize = 250 * 1024;
const MOST_UNCHANGED: usize = 150 * 1024;
/// More unchanged servers than that are folded where others block.
const FEW: usize = 5;

/// The summary, as Markdown.
pub(super) fn summary(run: &Run<'_>) -> String {
    let ledger = run.ledger();
    let mut page = Page::of(MOST - LAST_WORDS);
    let mut left_out = page.take_each([head::head(run), approves::approves(run, &ledger)]);
    left_out += tables((&run.report.checked, &ledger), &mut page);
    left_out += page.take_each([findings::findings(run), findings::notes(run)]);
    left_out += details(run, &mut page);
    page.text() + &last_words(run, left_out)
}

/// What blocks, then what does not; how many rows found no room.
fn tables((checked, ledger): (&[Checked], &Ledger), page: &mut Page) -> usize {
    let sorted = by_weight(checked);
    let is_unchanged = |one: &&Checked| one.verdict() == Verdict::Unchanged;
    let (unchanged, blocked): (Vec<&Checked>, Vec<&Checked>) =
        sorted.iter().copied().partition(is_unchanged);
    if sorted.is_empty() {
        return 0;
    }
    let folds = !blocked.is_empty() && unchanged.len() > FEW;
    let (open, folded) = if folds {
        (blocked, unchanged)
    } else {
        (sorted.clone(), Vec::new())
    };
    let mut table = Page::of(MOST_ROWS);
    let mut left_out = rows::table(&open, ledger, &mut table);
    left_out += page.take_each([table.text()]);
    if !folded.is_empty() {
        let mut table = Page::of(MOST_UNCHANGED);
        left_out += rows::table(&folded, ledger, &mut table);
        left_out += page.take_each([format!(
            "<details>\n<summary>{} unchanged</summary>\n{}</details>\n\n",
            folded.len(),
            table.text().trim_end().to_owned() + "\n"
        )]);
    }
    left_out
}

/// What moved, whole, folded by server; how many differences found no room.
fn details(run: &Run<'_>, page: &mut Page) -> usize {
    let sorted = by_weight(&run.report.checked);
    let changed: Vec<(&Checked, &Comparison)> = sorted
        .into_iter()
        .filter_map(|one| match &one.outcome {
            Outcome::Compared(comparison) if comparison.verdict() == Verdict::Changed => {
                Some((one, comparison))
            }
            Outcome::Compared(_) | Outcome::Unlisted(_) => None,
        })
        .collect();
    if changed.is_empty() {
        return 0;
    }
    let head = "<h3>What moved, whole</h3>\n\n".to_owned();
    let mut left_out = page.take_each([head]);
    for (index, (one, comparison)) in changed.iter().enumerate() {
        let share = page.share(changed.len() - index);
        let (block, here) = detail_of(one, comparison, share);
        left_out += here + page.take_each([block]);
    }
    left_out
}

/// One server's block, and how many differences found no room in it.
fn detail_of(one: &Checked, comparison: &Comparison, share: usize) -> (String, usize) {
    let server = one.url().map(|url| rows::name(&url.untrusted()));
    let head = format!(
        "<details>\n<summary>{} {} <b>{}</b></summary>\n",
        server.unwrap_or_default(),
        rows::name(&one.path),
        counts(comparison)
    );
    let mut body = Page::of(share.saturating_sub(head.len() + 512));
    let left_out = body.take_each(detail::parts(comparison));
    let note = match left_out {
        0 => String::new(),
        many => format!(
            "<p><b>{} found no room here: the report has them</b></p>\n",
            counted(many, "difference")
        ),
    };
    (
        format!("{head}{}{note}</details>\n\n", body.text()),
        left_out,
    )
}

fn last_words(run: &Run<'_>, left_out: usize) -> String {
    let report = run.report;
    let mut words = Vec::new();
    if left_out > 0 {
        words.push(format!(
            "<b>{left_out} of the rows and differences left out of this page, which a runner limits</b>"
        ));
    }
    match report.signatures {
        SignatureCheck::Required => {}
        SignatureCheck::Off => words.push("signatures are off: only drift is checked".to_owned()),
        SignatureCheck::NotChecked => {
            words.push("no trust file: signatures are not checked".to_owned());
        }
    }
    if !run.issues.is_empty() {
        let numbers = run
            .issues
            .iter()
            .take(20)
            .map(|number| format!("#{number}"));
        words.push(format!("issues: {}", Vec::from_iter(numbers).join(", ")));
    }
    if let Some(path) = run.report_file {
        words.push(format!("whole report: {}", rows::name(path)));
    }
    let commit = report
        .commit
        .as_deref()
        .map(|id| format!(" of commit {}", in_html_code(id)));
    words.push(format!(
        "lockgate {}{} at {}",
        env!("CARGO_PKG_VERSION"),
        commit.unwrap_or_default(),
        spelled(report.checked_at)
    ));
    format!("<p><sub>{}</sub></p>\n", words.join("<br>"))
}
