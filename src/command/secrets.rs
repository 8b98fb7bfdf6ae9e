//! Trust files, the command line and a person → the secret headers that one server is sent.
//!
//! Obeys design §4 (Where it is read; Secrets): base's `[[server]]` entries are used for
//! their very URL; one that only the work tree has is used after a question on the
//! terminal, and not used where anything but yes is the answer.

use std::cell::RefCell;
use std::collections::BTreeMap;

use anyhow::Result;
use lockgate::change::Contact;
use lockgate::lock::{Identity, Lockfile, ServerUrl};
use lockgate::trust::{ServerSecrets, TRUST_FILE};
use lockgate::untrusted::Untrusted;

use super::base::Base;
use super::endpoint::Credentials;
use super::person::Person;
use crate::header::{HeaderSpec, Source};
use crate::settings;

/// What may be sent by a run that a person sits at.
pub(super) struct Purse<'a> {
    /// Headers that they typed, for one origin each.
    pub(super) typed: &'a [HeaderSpec],
    /// Hosts that they opened, plain http included.
    pub(super) opened: &'a [String],
    /// What they said about headers that base does not name: each is asked for once a run.
    answers: RefCell<Vec<(ServerSecrets, bool)>>,
}

/// The headers for one server.
pub(super) struct Handful<'a> {
    purse: &'a Purse<'a>,
    trusted: Vec<ServerSecrets>,
}

impl<'a> Purse<'a> {
    /// Of these headers and hosts.
    pub(super) fn of(typed: &'a [HeaderSpec], opened: &'a [String]) -> Self {
        Purse {
            typed,
            opened,
            answers: RefCell::default(),
        }
    }

    /// What the server of a lockfile is sent; asks for what base does not know.
    pub(super) async fn open(
        &'a self,
        lockfile: &Lockfile,
        base: Option<&Base>,
        person: &Person,
    ) -> Result<Handful<'a>> {
        let Identity { url, headers } = lockfile.identity();
        let trusted = base.and_then(Base::known);
        let trusted = trusted.and_then(|known| known.file().secrets(&url));
        let mut handful = Handful {
            purse: self,
            trusted: trusted.into_iter().cloned().collect(),
        };
        let next = base.and_then(Base::next);
        let Some(next) = next.and_then(|next| next.file().secrets(&url)) else {
            return Ok(handful);
        };
        let is_plain = lockfile.extended().is_none();
        for (name, variable) in &next.headers {
            let is_wanted = is_plain || headers.secret_headers.contains(name);
            let one = ServerSecrets {
                url: url.clone(),
                headers: BTreeMap::from([(name.clone(), variable.clone())]),
            };
            if is_wanted && handful.would_gain(&one) && self.may_use(&one, person).await? {
                handful.trusted.push(one);
            }
        }
        Ok(handful)
    }

    async fn may_use(&self, one: &ServerSecrets, person: &Person) -> Result<bool> {
        let of_it = |(known, answer): &(_, bool)| (known == one).then_some(*answer);
        let known = self.answers.borrow().iter().find_map(of_it);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = is_agreed(one, person).await?;
        self.answers.borrow_mut().push((one.clone(), answer));
        Ok(answer)
    }
}

impl Handful<'_> {
    /// As an endpoint is made with them.
    pub(super) fn credentials(&self) -> Credentials<'_> {
        Credentials {
            typed: self.purse.typed,
            trusted: &self.trusted,
            opened: self.purse.opened,
        }
    }

    /// The headers themselves.
    pub(super) fn headers(&self, url: &ServerUrl) -> Vec<HeaderSpec> {
        self.credentials().for_server(url, Contact::WithSecrets)
    }

    /// Would that header be sent, and is not yet?
    fn would_gain(&self, one: &ServerSecrets) -> bool {
        let alone = Credentials {
            trusted: std::slice::from_ref(one),
            ..self.credentials()
        };
        let with = alone.for_server(&one.url, Contact::WithSecrets);
        let has = self.headers(&one.url);
        with.iter()
            .any(|spec| !has.iter().any(|known| known.name == spec.name))
    }
}

/// Asks; a variable that holds nothing needs no question, and is told as missing later.
async fn is_agreed(one: &ServerSecrets, person: &Person) -> Result<bool> {
    let url = one.url.untrusted();
    let origin = Untrusted::new(one.url.origin());
    for (name, variable) in &one.headers {
        if !settings::is_set(variable) {
            continue;
        }
        let (name, variable) = (
            Untrusted::new(name.as_str()),
            Untrusted::new(variable.as_str()),
        );
        let question = format!(
            "\n`{TRUST_FILE}` of the work tree names a secret for {}, and base's does not:\n  origin    {}\n  header    {}\n  variable  {}\nsend what this variable holds to this origin?",
            url.in_terminal(),
            origin.in_terminal(),
            name.in_terminal(),
            variable.in_terminal()
        );
        if !person.says_yes(&question).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Says once for each secret header what CI will need, and what its lack looks like.
pub(super) fn told(sent: &[HeaderSpec], pinned: &[String]) -> String {
    let line = |name: &String| {
        let spec = sent.iter().find(|spec| spec.name.as_str() == name)?;
        let Source::Env(variable) = &spec.value else {
            return None;
        };
        Some(format!(
            "  listed with the secret header `{name}`: CI will list with its own {variable}: make sure it has the same scopes\n"
        ))
    };
    pinned.iter().filter_map(line).collect()
}

/// What is told where only whole tools came or went and a secret header was sent.
pub(super) const SCOPES: &str =
    "only whole tools came or went: a token with other scopes is a likely cause";
