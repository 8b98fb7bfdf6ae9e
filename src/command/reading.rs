//! What was approved and what is to be → the texts a person reads before they sign.
//!
//! Obeys design §4: shown whole, each difference by itself. What was approved must be the
//! same for every lockfile that one reading is for; else all of the list is shown.

use anyhow::Result;
use lockgate::Verdict;
use lockgate::check::{Comparison, compare};
use lockgate::lock::{Listing, Lockfile};
use lockgate::tell;

use super::base::Before;
use super::person::Person;

/// Why all of a list is shown where one reading is for several beginnings.
const NOT_ONE_LIST: &str =
    "the lockfiles of this server do not start from one approved list: all of it is shown";

/// What a person must read.
pub(super) struct Reading {
    told: String,
    /// Is it likely that a token's scopes made the difference?
    scopes: Scopes,
    /// Each difference by itself; `Err`: nothing differs, and this is the whole list.
    parts: Result<Vec<String>, String>,
}

/// Whether a difference looks like that of another token's scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scopes {
    /// Only whole tools came or went.
    Likely,
    /// Words moved, or nothing was approved before.
    Unlikely,
}

impl Scopes {
    /// Of two lists that differ.
    pub(super) fn of(comparison: &Comparison) -> Self {
        match comparison.modified.is_empty() && comparison.instructions.is_none() {
            true => Scopes::Likely,
            false => Scopes::Unlikely,
        }
    }
}

impl Reading {
    /// The reading that leads from what was approved to `listing`.
    pub(super) fn of(before: &[Before], listing: &Listing) -> Self {
        let told = before.first().map(|one| one.told.clone());
        let told = told.unwrap_or_default();
        let Some(approved) = agreed(before) else {
            let told = match before.iter().any(|one| one.lockfile.is_some()) {
                true => NOT_ONE_LIST.to_owned(),
                false => told,
            };
            let parts = Ok(everything(listing));
            return Reading::plain(told, parts);
        };
        let comparison = compare(approved, listing);
        if comparison.verdict() == Verdict::Unchanged {
            let told = format!("{told}: nothing differs, and this is the whole list");
            let parts = Err(tell::listing(listing));
            return Reading::plain(told, parts);
        }
        let parts = comparison.apart();
        let parts = Ok(parts.iter().map(tell::comparison).collect());
        Reading {
            scopes: Scopes::of(&comparison),
            ..Reading::plain(told, parts)
        }
    }

    fn plain(told: String, parts: Result<Vec<String>, String>) -> Self {
        let scopes = Scopes::Unlikely;
        Reading {
            told,
            scopes,
            parts,
        }
    }

    /// Is it likely that a token's scopes made the difference?
    pub(super) fn scopes(&self) -> Scopes {
        self.scopes
    }

    /// How it is compared.
    pub(super) fn told(&self) -> &str {
        &self.told
    }

    /// All of it at once.
    pub(super) fn whole(&self) -> String {
        match &self.parts {
            Ok(parts) => parts.concat(),
            Err(whole) => whole.clone(),
        }
    }

    /// Shows each difference and asks for it; `false` as soon as one is declined.
    pub(super) async fn is_approved_by(&self, person: &Person) -> Result<bool> {
        let parts = match &self.parts {
            Ok(parts) => parts,
            Err(whole) => {
                person.show(whole)?;
                return Ok(true);
            }
        };
        for (index, part) in parts.iter().enumerate() {
            person.show(&format!("\n{part}"))?;
            let question = format!("({} of {}) approve this?", index + 1, parts.len());
            if !person.says_yes(&question).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The lockfile whose pins all of them have.
pub(super) fn agreed(before: &[Before]) -> Option<&Lockfile> {
    let mut each = before.iter().map(|one| one.lockfile.as_ref());
    let first = each.next()??;
    let same = |other: Option<&Lockfile>| {
        other.is_some_and(|other| {
            other.tools_sha256() == first.tools_sha256()
                && other
                    .extended()
                    .map(|pins| (&pins.tools, pins.instructions_sha256))
                    == first
                        .extended()
                        .map(|pins| (&pins.tools, pins.instructions_sha256))
        })
    };
    each.all(same).then_some(first)
}

/// A list of which nothing was approved: each tool, and the instructions.
fn everything(listing: &Listing) -> Vec<String> {
    let tools = Comparison::with_nothing(listing).apart();
    let tools = tools.iter().filter(|part| part.instructions.is_none());
    tools
        .map(tell::comparison)
        .chain(listing.instructions().map(tell::instructions))
        .collect()
}
