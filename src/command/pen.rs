//! `--key` → the [`Pen`] to sign with: a key file, or a key of the ssh-agent.
//!
//! Obeys design §4: approvers sign with what they have. A key that will not do is named,
//! with one that would.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use lockgate::lock::LockfileSignature;
use lockgate::trust::{AgentKey, LockedKey, PrivateKey, PublicKey, SigningKey, TRUST_FILE};
use lockgate::untrusted::Untrusted;
use lockgate::world::agent::Agent;
use lockgate::world::{keys, terminal};
use zeroize::Zeroizing;

use super::input;
use super::known::Known;
use super::person::{Person, blocking, refuse};
use crate::settings;

/// How often a passphrase may be typed.
const TRIES: usize = 3;
/// What to do about an agent that holds no key for us.
const MAKE_ONE: &str = "make one and add it: `ssh-keygen -t ed25519`, then `ssh-add`";

/// What a person signs with.
pub(super) struct Pen {
    public: PublicKey,
    /// As it is told: the file, or the agent's comment.
    shown: String,
    ink: Ink,
}

enum Ink {
    Open(SigningKey),
    Locked(LockedKey),
    Agent(Agent),
}

impl Pen {
    /// Takes the key that was typed.
    pub(super) fn take(typed: &Path) -> Result<Self> {
        if typed == Path::new("agent") {
            return Pen::of_agent(None);
        }
        let shown = input::shown(typed).to_string();
        let bytes = input::read(typed).map_err(|error| {
            anyhow!("{error}\nhint: name a private key file, or `--key agent`; `ssh-keygen -t ed25519` makes one, and `lockgate keygen` too")
        })?;
        let bytes = Zeroizing::new(bytes);
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        let key = PrivateKey::parse(text)
            .map_err(|bad| anyhow!("{shown} cannot sign: {bad}\nhint: {}", bad.hint()))?;
        let Some(public) = key.public() else {
            bail!("{shown} cannot sign: a weak key, for which anybody can sign");
        };
        let ink = match key {
            PrivateKey::PublicOnly(key) => return Pen::of_agent(Some(key)),
            PrivateKey::Open(key) => Ink::Open(key),
            PrivateKey::Locked(key) => Ink::Locked(key),
        };
        warn_if_open(typed, &shown);
        Ok(Pen { public, shown, ink })
    }

    /// A key of the agent: the one that was named, or the only one that will do.
    fn of_agent(named: Option<PublicKey>) -> Result<Self> {
        let Some(socket) = settings::agent_socket() else {
            bail!(
                "there is no ssh-agent: the environment variable `SSH_AUTH_SOCK` is not set\nhint: start one (`eval $(ssh-agent)`, `ssh-add`), or name a private key file with `--key FILE`"
            );
        };
        let agent = Agent { socket };
        let held = agent
            .keys()
            .map_err(|error| anyhow!("the ssh-agent gives no keys: {error}\nhint: name a private key file with `--key FILE`"))?;
        let usable = |one: &AgentKey| Some((one.key?, one.comment.clone()));
        let mut usable: Vec<_> = held.iter().filter_map(usable).collect();
        usable.retain(|(key, _)| named.is_none_or(|named| named == *key));
        match &usable[..] {
            [(public, comment)] => Ok(Pen {
                public: *public,
                shown: format!("`{}` of the ssh-agent", comment.in_terminal()),
                ink: Ink::Agent(agent),
            }),
            [] if named.is_some() => {
                bail!(
                    "the ssh-agent does not hold the key of that public key file\nhint: add it (`ssh-add FILE`), or give the private key file"
                )
            }
            [] => bail!("{}", none_will_do(&held)),
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|(_, comment)| format!("`{}`", comment.in_terminal()))
                    .collect();
                bail!(
                    "the ssh-agent holds {} keys that would do: {}\nhint: say which by its public key file: `--key ~/.ssh/id_ed25519.pub`",
                    several.len(),
                    names.join(", ")
                )
            }
        }
    }

    /// The public half.
    pub(super) fn public(&self) -> &PublicKey {
        &self.public
    }

    /// As it is told.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// As it is told where trust is known: whose key it is, or that it counts for nothing.
    pub(super) fn told(&self, known: Option<&Known>) -> String {
        let shown = &self.shown;
        match known.map(|known| known.name(&self.public)) {
            None => format!("with {shown}"),
            Some(Some(name)) => {
                let name = Untrusted::new(name);
                format!("with {shown}, as {}", name.in_terminal())
            }
            Some(None) => format!(
                "with {shown}: no approver's key in `{TRUST_FILE}` on base, so the signature counts once it is there"
            ),
        }
    }

    /// Asks for the passphrase, where there is one.
    pub(super) async fn unlock(&mut self, person: &Person) -> Result<()> {
        let Ink::Locked(locked) = &self.ink else {
            return Ok(());
        };
        for _ in 0..TRIES {
            let passphrase = person
                .secret(&format!("passphrase of {}: ", self.shown))
                .await?;
            if let Some(key) = locked.unlock(&passphrase) {
                self.ink = Ink::Open(key);
                return Ok(());
            }
            person.show("that is not its passphrase\n")?;
        }
        Err(refuse(&format!(
            "the passphrase of {} was not given: nothing was signed",
            self.shown
        )))
    }

    /// The signature of `message`.
    pub(super) async fn sign(&self, message: Vec<u8>) -> Result<LockfileSignature> {
        let bytes = match &self.ink {
            Ink::Open(key) => key.sign(&message),
            Ink::Locked(_) => bail!("{} is still locked", self.shown),
            Ink::Agent(agent) => {
                let (agent, public) = (agent.clone(), self.public);
                let signed = blocking(move || agent.sign(&public, &message)).await?;
                signed.map_err(|error| {
                    anyhow!(
                        "the ssh-agent did not sign, so nothing was written: {error}\nhint: try again, or name the private key file with `--key FILE`"
                    )
                })?
            }
        };
        let key_id = Some(self.public.id());
        Ok(LockfileSignature { key_id, bytes })
    }
}

/// OpenSSH refuses such a file; a signature is asked for on the terminal, so we say it.
fn warn_if_open(path: &Path, shown: &str) {
    if let Some(mode) = keys::open_to_others(path) {
        let path = input::untrusted(path);
        terminal::tell(&format!(
            "warning: {shown} is open to others (mode {mode:04o}): whoever reads it can sign as you\nhint: `chmod 600 {}`\n",
            path.in_terminal()
        ));
    }
}

fn none_will_do(held: &[AgentKey]) -> String {
    if held.is_empty() {
        return format!("the ssh-agent holds no key\nhint: {MAKE_ONE}");
    }
    let tell = |one: &AgentKey| {
        let why = if one.kind.as_arrived().starts_with("sk-") {
            "a security key signs a counter along with the message, which is no plain Ed25519 signature"
        } else {
            "only `ssh-ed25519` signs lockfiles"
        };
        format!(
            "\n  `{}` ({}): {why}",
            one.comment.in_terminal(),
            one.kind.in_terminal()
        )
    };
    let each: String = held.iter().map(tell).collect();
    format!("the ssh-agent holds no key that would do:{each}\nhint: {MAKE_ONE}")
}
