//! Approved lists → lockfiles and companions, signed and in their places: all or none.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use jiff::{Timestamp, ToSpan};
use lockgate::lock::{Approval, Listing, Lockfile, LockfileSignature, append_signature, asides};
use lockgate::tell;
use lockgate::trust::{PublicKey, Scheme};
use lockgate::world::clock;
use lockgate::world::files::{Pending, sweep};
use lockgate::world::together::replace_together;
use lockgate::{Verdict, compare};

use super::candidate::Candidate;
use super::companion::companion_path;
use super::group::{Group, Held, folder_of};
use super::input;
use super::pen::Pen;

/// What is to be done to a lockfile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// It pins another list: it is approved anew.
    Renew,
    /// It pins this list: a signature is added, and nothing sealed changes.
    Append,
    /// It pins this list, and this key has signed it; its companion listing does not hold it.
    Mend,
    /// It pins this list, and this key has signed it.
    Nothing,
}

impl Deed {
    /// As it is told before it is done.
    pub(super) fn told(self) -> &'static str {
        match self {
            Deed::Renew => "will be approved anew",
            Deed::Append => "holds this list: your signature is added",
            Deed::Mend => "is signed already with this key: its companion listing is written anew",
            Deed::Nothing => "is signed already with this key",
        }
    }
}

/// What is to be done to each lockfile of a server.
pub(super) fn deeds(group: &Group, listing: &Listing, key: &PublicKey) -> Result<Vec<Deed>> {
    let deed = |held: &Held| {
        let is_same = compare(&held.lockfile, listing).verdict() == Verdict::Unchanged;
        Ok(match (is_same, held.is_signed_by(key)) {
            (true, true) if held.listing().is_none() => Deed::Mend,
            (true, true) => Deed::Nothing,
            (true, false) => {
                held.demand_honest(listing)?;
                Deed::Append
            }
            (false, _) => {
                demand_known(held)?;
                Deed::Renew
            }
        })
    };
    group.lockfiles.iter().map(deed).collect()
}

/// A new approval would drop what nobody here understands.
fn demand_known(held: &Held) -> Result<()> {
    let asides = asides(&held.bytes).unwrap_or_default();
    let unknown = asides.iter().filter(|aside| !aside.is_known);
    let names: Vec<String> = unknown
        .map(|aside| format!("`{}`", aside.pointer.in_terminal()))
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    bail!(
        "`{}` cannot be approved anew: this version does not know its {}, and a new approval would drop it\nhint: approve with the version of lockgate that made it, or a newer one",
        held.shown.in_terminal(),
        names.join(", ")
    )
}

/// Signs and writes all of them, or none; says what was done.
pub(super) async fn write(approved: &[Candidate], pen: &Pen) -> Result<String> {
    let mut ink = Signatures::with(pen);
    let (mut companions, mut lockfiles) = (Vec::new(), Vec::new());
    let mut told = String::new();
    for candidate in approved {
        told.push_str(&format!(
            "approved {} of {}\n",
            tell::counted(candidate.listing.tools().len(), "tool"),
            candidate.url()
        ));
        let at = approved_at(candidate);
        let mut names = Vec::new();
        for ((held, deed), before) in candidate.each() {
            companions.extend(companion(candidate, held, *deed));
            let text = match deed {
                Deed::Nothing | Deed::Mend => continue,
                Deed::Renew => renewed(candidate, held, at)?,
                Deed::Append => held.bytes.clone(),
            };
            let text = ink.signed(&text).await?;
            let signed = read_back(text.as_bytes())?;
            told.push_str(&format!(
                "  {}  {}\n",
                input::shown(&held.path),
                tell::counted(signed.signatures().len(), "signature")
            ));
            names.push((&held.shown, candidate.counted.signers(&signed, before)));
            lockfiles.push((held.path.clone(), text));
        }
        told.push_str(&candidate.counted.each("", names.into_iter()));
    }
    // A run that is killed leaves no lockfile newer than the texts that explain it.
    companions.extend(lockfiles);
    put(companions)?;
    told.push_str("next: commit these files, and open a pull request\n");
    Ok(told)
}

fn cannot_write(path: &Path) -> String {
    format!(
        "{} cannot be written: no file was changed",
        input::shown(path)
    )
}

/// Puts texts in their places together, in this order.
pub(super) fn put(files: Vec<(PathBuf, String)>) -> Result<()> {
    let mut pending = Vec::new();
    for (path, _) in &files {
        sweep(folder_of(path));
    }
    for (path, text) in files {
        let begun = Pending::begin(&path).with_context(|| cannot_write(&path))?;
        pending.push((begun, text));
    }
    replace_together(pending).map_err(|(path, error)| anyhow!(error).context(cannot_write(&path)))
}

/// Later than now or what stood there, whichever is later (design §2).
fn approved_at(candidate: &Candidate) -> Timestamp {
    let held = candidate.group.lockfiles.iter().map(|held| &held.lockfile);
    let before = candidate.before.iter();
    let before = before.filter_map(|one| one.lockfile.as_ref());
    let after = held
        .chain(before)
        .filter_map(|one| one.approved_at().checked_add(1.millisecond()).ok());
    after.fold(clock::now(), Timestamp::max)
}

/// Writes the companion listings anew that do not hold what their lockfiles pin; no
/// signature is due for that. Says which.
pub(super) fn mend(candidate: &Candidate) -> Result<String> {
    let each = candidate.each();
    let files: Vec<_> = each
        .filter_map(|((held, deed), _)| companion(candidate, held, *deed))
        .collect();
    let line = |(path, _): &(PathBuf, String)| format!("  {}  written anew\n", input::shown(path));
    let told = files.iter().map(line).collect();
    put(files)?;
    Ok(told)
}

/// Refuses before anything is asked where the files could not be written at last.
pub(super) fn demand_writable(candidate: &Candidate) -> Result<()> {
    for ((held, deed), _) in candidate.each() {
        if *deed != Deed::Nothing {
            for path in [companion_path(&held.path), held.path.clone()] {
                Pending::begin(&path).with_context(|| cannot_write(&path))?;
            }
        }
    }
    Ok(())
}

/// A new lockfile.
fn renewed(candidate: &Candidate, held: &Held, at: Timestamp) -> Result<Vec<u8>> {
    let audience = held
        .lockfile
        .extended()
        .and_then(|pins| pins.audience.as_ref());
    let text = approval(candidate, at)
        .lockfile_for(audience)
        .context("the lockfile cannot be made")?;
    Ok(text.into_bytes())
}

/// The companion listing that is due: a new list's, or one that does not hold its list.
fn companion(candidate: &Candidate, held: &Held, deed: Deed) -> Option<(PathBuf, String)> {
    let is_due = match deed {
        Deed::Renew | Deed::Mend => true,
        Deed::Append => held.listing().is_none(),
        Deed::Nothing => false,
    };
    let text = || approval(candidate, held.lockfile.approved_at()).companion();
    is_due.then(|| (companion_path(&held.path), text()))
}

fn approval(candidate: &Candidate, approved_at: Timestamp) -> Approval<'_> {
    Approval {
        url: &candidate.group.identity.url,
        listing: &candidate.listing,
        headers: candidate.headers.clone(),
        approved_at,
        scan: Some(candidate.scanned.record.clone()),
    }
}

/// What we are about to write is read as anybody will read it.
pub(super) fn read_back(text: &[u8]) -> Result<Lockfile> {
    Lockfile::parse(text)
        .map_err(|fault| anyhow!("what was made is no lockfile: {:?}", fault.problem))
}

/// The signatures of one run: what is sealed alike is signed once.
pub(super) struct Signatures<'p> {
    pen: &'p Pen,
    made: HashMap<String, LockfileSignature>,
}

impl<'p> Signatures<'p> {
    /// None yet.
    pub(super) fn with(pen: &'p Pen) -> Self {
        let made = HashMap::new();
        Signatures { pen, made }
    }

    /// The lockfile's text with one more signature.
    pub(super) async fn signed(&mut self, text: &[u8]) -> Result<String> {
        let lockfile = read_back(text)?;
        let sealed = lockfile.sealed();
        let signature = match self.made.get(sealed) {
            Some(made) => made.clone(),
            None => self.pen.sign(Scheme::Dsse.message(sealed)).await?,
        };
        self.made.insert(sealed.to_owned(), signature.clone());
        append_signature(text, &signature).context("the signature cannot be added")
    }
}
