//! `lockgate sign .github/lockgate.toml`: a change of who may approve, read and signed.
//!
//! Obeys design §4 (Change of the file): signatures are over the step from base's file to
//! this one, and stand in `.github/lockgate.toml.sig`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use lockgate::json;
use lockgate::lock::LockfileSignature;
use lockgate::tell;
use lockgate::trust::{ChangeFault, PublicKey, TrustSignature, TrustStep};
use lockgate::world::{clock, files};

use super::base::Base;
use super::counted::Counted;
use super::known::Known;
use super::pen::Pen;
use super::person::{Person, refuse};
use super::{ground, input, output};

/// A change of the trust file that somebody is about to sign.
pub(super) struct TrustChange {
    path: PathBuf,
    base: String,
    previous: Vec<u8>,
    next: Vec<u8>,
    step: TrustStep,
    kept: TrustSignature,
}

/// The changes of trust files that this key has not signed yet.
pub(super) fn changes(paths: &[&PathBuf], pen: &Pen) -> Result<Vec<TrustChange>> {
    let mut changes = Vec::new();
    for path in paths {
        let change = TrustChange::read(path)?;
        let shown = input::shown(path);
        if change.step.previous == change.step.next {
            output::text(&format!(
                "{shown} is what it is at {}: there is nothing to sign\n",
                change.base
            ))?;
        } else if change.is_signed_by(pen.public()) {
            output::text(&format!(
                "{shown} is signed already with {}: nothing was changed\n",
                pen.shown()
            ))?;
        } else {
            changes.push(change);
        }
    }
    Ok(changes)
}

impl TrustChange {
    fn read(path: &Path) -> Result<Self> {
        let shown = input::shown(path).to_string();
        let next = files::read_plain(path)
            .map_err(|unread| anyhow!("{shown} cannot be read: {}", input::cause(&unread)))?;
        // What the gate would not read, nobody should sign.
        ground::parse(&shown, &next)?;
        if next.contains(&b'\r') {
            bail!(
                "{shown} has line ends of Windows, which git may store otherwise than they are signed\nhint: save it with plain line feeds"
            );
        }
        let Some(base) = Base::of(path)? else {
            bail!("{shown} stands in no git repository, so there is nothing it follows on");
        };
        let name = base
            .name()
            .map_err(|why| anyhow!("it is not known what {shown} follows on: {why}"))?
            .to_owned();
        let Some(previous) = base.blob(path) else {
            bail!(
                "{shown} does not exist at {name}: the first trust file follows on none, and needs no signature\nhint: whoever may merge begins the trust; read it and merge it"
            );
        };
        let step = TrustStep::between(&previous, &next);
        Ok(TrustChange {
            kept: kept(path, &step, &[&previous, &next]),
            path: path.to_owned(),
            base: name,
            previous,
            next,
            step,
        })
    }

    fn is_signed_by(&self, key: &PublicKey) -> bool {
        let signatures = &self.kept.signatures;
        signatures.iter().any(|one| self.step.is_signed(key, one))
    }

    /// Shows both texts, line by line, and asks.
    pub(super) async fn ask(&self, person: &Person, pen: &Pen) -> Result<()> {
        let text = |bytes| String::from_utf8_lossy(bytes);
        person.show(&format!(
            "{}: who may approve, compared with {}\n{}\n{}\n",
            input::shown(&self.path),
            self.base,
            self.counted().standing(pen),
            tell::lines(&text(&self.previous), &text(&self.next))
        ))?;
        let question = format!(
            "previous {}\nnext     {}\n  {} so far\n  with this signature: {}\n  {}\nsign this change of trust?",
            self.step.previous,
            self.step.next,
            tell::counted(self.kept.signatures.len(), "signature"),
            self.approvals(pen),
            pen.told(Some(&Known::of(&self.previous)))
        );
        person.confirms(&question).await
    }

    /// What was done, and who must still sign.
    pub(super) fn told(&self, pen: &Pen) -> String {
        let shown = input::shown(&beside(&self.path)).to_string();
        format!("signed: {shown}\n  {}\n", self.approvals(pen))
    }

    fn counted(&self) -> Counted {
        Counted::ByBase {
            known: Arc::new(Known::of(&self.previous)),
            at: self.base.clone(),
            next: Some(Arc::new(Known::of(&self.next))),
        }
    }

    /// How many of base's approvers have signed the step once this pen has.
    fn approvals(&self, pen: &Pen) -> String {
        let (counted, known) = (self.counted(), Known::of(&self.previous));
        let signed = self.kept.verify(self.step, known.file(), clock::now());
        let names = match signed {
            Ok(names)
            | Err(ChangeFault::TooFew {
                approvers: names, ..
            }) => names,
            Err(
                ChangeFault::TooLarge
                | ChangeFault::Json { .. }
                | ChangeFault::Shape { .. }
                | ChangeFault::OtherBase { .. },
            ) => BTreeSet::new(),
        };
        let names = counted.with(names, pen.public());
        let shown = input::untrusted(&self.path);
        let command = format!("lockgate sign {} --key agent", shown.in_terminal());
        counted.told(&names, &command)
    }

    /// The place and the text of the signatures, with one more.
    pub(super) async fn signed(&self, pen: &Pen) -> Result<(PathBuf, String)> {
        if files::read_plain(&self.path).ok().as_ref() != Some(&self.next) {
            let shown = input::shown(&self.path);
            return Err(refuse(&format!(
                "{shown} changed while it was read: nothing was signed\nhint: run this again"
            )));
        }
        let mut signatures = self.kept.clone();
        signatures
            .signatures
            .push(pen.sign(self.step.message()).await?);
        Ok((beside(&self.path), json::print(&signatures)))
    }
}

/// The signatures of this very step that stand beside the file already; those of an
/// earlier text are left out.
fn kept(path: &Path, step: &TrustStep, texts: &[&[u8]]) -> TrustSignature {
    let mut kept = TrustSignature {
        previous: step.previous,
        signatures: Vec::new(),
    };
    let there = files::read_plain(&beside(path)).ok();
    let there = there.and_then(|bytes| TrustSignature::parse(&bytes).ok());
    let known: Vec<Known> = texts.iter().map(|text| Known::of(text)).collect();
    let keys: Vec<&PublicKey> = known.iter().flat_map(Known::keys).collect();
    let holds = |one: &LockfileSignature| keys.iter().any(|key| step.is_signed(key, one));
    let signatures = there.map(|there| there.signatures).unwrap_or_default();
    kept.signatures = signatures.into_iter().filter(holds).collect();
    kept
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".sig");
    name.into()
}
