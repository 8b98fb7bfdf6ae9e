//! Lockfiles that were named → each read, with all others of the same server.
//!
//! Obeys design §4: one reading approves every lockfile of a server in the repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use jiff::SignedDuration;
use lockgate::check::explain;
use lockgate::lock::{
    Approval, Candidate, Claim, HeaderPins, Identity, Listing, Lockfile, ScanRecord, asides,
    read_candidate,
};
use lockgate::trust::{PublicKey, Scheme, TRUST_FILE};
use lockgate::untrusted::Untrusted;
use lockgate::world::clock;
use lockgate::world::discover::{Found, discover};
use lockgate::world::files;
use lockgate::world::git::Repository;
use lockgate::{Verdict, compare};

use super::companion::{companion_path, with_companion};
use super::{diff_side, input};

/// How far another machine's clock may be ahead (design §5, `from-future`).
const LEEWAY: SignedDuration = SignedDuration::from_mins(10);
/// Where a lockfile holds what the scan said.
const SCAN: &str = "/scan_at_approval";
/// The way out for a lockfile that somebody made up.
const START_ANEW: &str =
    "move it away, lock the server again with `lockgate lock`, and approve that";

/// A lockfile as it stands in the work tree.
pub(super) struct Held {
    /// Where it is.
    pub(super) path: PathBuf,
    /// Where it is, as it is told.
    pub(super) shown: Untrusted,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// What it says, with its companion listing if that agrees.
    pub(super) lockfile: Lockfile,
}

/// All lockfiles of one server.
pub(super) struct Group {
    /// The server.
    pub(super) identity: Identity,
    /// Its lockfiles, those that were named first.
    pub(super) lockfiles: Vec<Held>,
}

impl Held {
    /// Reads a lockfile that a person named.
    pub(super) fn read(path: &Path) -> Result<Self> {
        if path.ends_with(TRUST_FILE) {
            bail!(
                "{} is no lockfile\nhint: a change of it is signed by `lockgate sign`",
                input::shown(path)
            );
        }
        let bytes = files::read_plain(path).map_err(|unread| {
            anyhow!(
                "{} cannot be read: {}\nhint: name a lockfile; `lockgate lock URL` makes the first one",
                input::shown(path),
                input::cause(&unread)
            )
        })?;
        match read_candidate(Claim::Lockfile, &bytes) {
            Candidate::Lockfile(lockfile) => Ok(Held::of(path, bytes, *lockfile)),
            Candidate::Refused(fault) => Err(diff_side::refused(&input::untrusted(path), &fault)),
            Candidate::Other => Err(anyhow!("{} is no lockfile", input::shown(path))),
        }
    }

    fn of(path: &Path, bytes: Vec<u8>, lockfile: Lockfile) -> Self {
        // A companion that does not agree is told by `check`, and written anew.
        let lockfile = with_companion(lockfile.clone(), &companion_path(path)).unwrap_or(lockfile);
        Held {
            path: path.to_owned(),
            shown: input::untrusted(path),
            bytes,
            lockfile,
        }
    }

    /// What the companion listing holds, if it is exactly what the lockfile pins.
    pub(super) fn listing(&self) -> Option<Listing> {
        let bytes = files::read_plain(&companion_path(&self.path)).ok()?;
        let listing = Listing::parse(&bytes).ok()?;
        (compare(&self.lockfile, &listing).verdict() == Verdict::Unchanged).then_some(listing)
    }

    /// Has that key signed it?
    pub(super) fn is_signed_by(&self, key: &PublicKey) -> bool {
        let message = Scheme::Dsse.message(self.lockfile.sealed());
        let signatures = self.lockfile.signatures();
        signatures
            .iter()
            .any(|signature| key.verifies(&message, &signature.bytes))
    }

    /// Refuses a lockfile that pins `listing` and says something else of it: what is signed
    /// is all that is sealed.
    pub(super) fn demand_honest(&self, listing: &Listing) -> Result<()> {
        let shown = self.shown.in_terminal();
        let approval = Approval {
            url: &self.lockfile.server().url,
            listing,
            headers: HeaderPins::default(),
            approved_at: self.lockfile.approved_at(),
            scan: None,
        };
        let held = self.lockfile.clone();
        if let Err(fault) = held.with_companion(approval.companion().as_bytes()) {
            let (sentence, _) = explain(&fault);
            bail!(
                "`{shown}` pins these tools and says otherwise: {}, so it cannot be signed\nhint: {START_ANEW}",
                sentence.in_terminal()
            );
        }
        if self.lockfile.approved_at() > clock::now() + LEEWAY {
            bail!(
                "`{shown}` says that it was approved at {}, which is yet to come, so it cannot be signed\nhint: {START_ANEW}",
                self.lockfile.approved_at()
            );
        }
        Ok(())
    }

    /// What it seals beside the list, for whoever signs it as it stands: of the scan only
    /// that it is another one than `scan`, which was shown.
    pub(super) fn asides(&self, scan: &ScanRecord) -> String {
        let audience = self.lockfile.extended();
        let audience = audience.and_then(|pins| pins.audience.as_ref());
        let mut told: String = audience
            .map(|it| format!("  for the audience `{}`\n", it.in_terminal()))
            .unwrap_or_default();
        let is_told = self.lockfile.scan_at_approval() == Some(scan);
        let others = asides(&self.bytes).unwrap_or_default();
        for aside in others
            .iter()
            .filter(|aside| !(is_told && aside.pointer.as_arrived() == SCAN))
        {
            let known = if aside.is_known {
                ""
            } else {
                ", which this version does not know"
            };
            told.push_str(&format!(
                "  also signed: `{}`{known}: {}\n",
                aside.pointer.in_terminal(),
                aside.value.in_terminal()
            ));
        }
        told
    }

    /// Does it stand in its place as it was read?
    pub(super) fn is_as_read(&self) -> bool {
        files::read_plain(&self.path).is_ok_and(|now| now == self.bytes)
    }
}

/// The servers of the lockfiles that were named, each with all its lockfiles.
pub(super) fn groups(typed: &[PathBuf]) -> Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut tops: BTreeMap<PathBuf, ()> = BTreeMap::new();
    for path in typed {
        take(&mut groups, Held::read(path)?);
        let repository = Repository::of(folder_of(path));
        tops.extend(repository.map(|one| (one.top().to_owned(), ())));
    }
    let here = Path::new(".").canonicalize().unwrap_or_default();
    for top in tops.into_keys() {
        let found = discover(std::slice::from_ref(&top));
        let found = found.map_err(|(path, error)| {
            anyhow!("{} cannot be searched: {error}", input::shown(&path))
        })?;
        for one in found {
            join(&mut groups, one, &here);
        }
    }
    Ok(groups)
}

fn take(groups: &mut Vec<Group>, held: Held) {
    let identity = held.lockfile.identity();
    match groups.iter_mut().find(|group| group.identity == identity) {
        Some(group) if group.holds(&held.path) => {}
        Some(group) => group.lockfiles.push(held),
        None => groups.push(Group {
            identity,
            lockfiles: vec![held],
        }),
    }
}

/// Puts a lockfile of the repository to those of its server, if that server was named.
fn join(groups: &mut [Group], found: Found, here: &Path) {
    let Ok(bytes) = found.bytes else { return };
    let Candidate::Lockfile(lockfile) = read_candidate(found.claim, &bytes) else {
        return;
    };
    let identity = lockfile.identity();
    let path = found.path.strip_prefix(here).unwrap_or(&found.path);
    if let Some(group) = groups.iter_mut().find(|group| group.identity == identity)
        && !group.holds(path)
    {
        group.lockfiles.push(Held::of(path, bytes, *lockfile));
    }
}

impl Group {
    fn holds(&self, path: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        self.lockfiles
            .iter()
            .any(|held| real(&held.path) == real(path))
    }
}

/// The folder a file stands in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}
