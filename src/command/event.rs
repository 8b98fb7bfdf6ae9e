//! The event that started a run → the commits that are compared, found or brought.
//!
//! Obeys design §5 (Base): the merge of a pull request is compared with its first parent,
//! any other checkout with the tip of the branch; a branch that is not protected with the
//! default branch. Missing history is an error with the way out, never "no changes".

use anyhow::{Result, anyhow, bail};
use lockgate::change::{Branch, Compared, Event, Said};
use lockgate::trust::TrustFile;
use lockgate::untrusted::Untrusted;
use lockgate::world::files;
use lockgate::world::git::{Access, ObjectId, Repository};
use lockgate::world::terminal;

use super::commits::Commits;
use super::ground::{DEEPEN, own};
use super::input;
use crate::runner::Runner;

/// Reads what the runner says of its event.
pub(super) fn event(runner: &Runner) -> Result<Event> {
    let payload = runner.payload.as_ref().ok_or_else(|| {
        anyhow!("GITHUB_ACTIONS is set and GITHUB_EVENT_PATH is not\nhint: unset GITHUB_ACTIONS outside of a workflow; the runner sets both")
    })?;
    let bytes = files::read(payload).map_err(|unread| {
        anyhow!(
            "the event's payload {} cannot be read: {}\nhint: leave GITHUB_EVENT_PATH as the runner sets it",
            input::shown(payload),
            input::cause(&unread)
        )
    })?;
    Ok(Event::read(Said {
        name: &runner.event,
        payload: &bytes,
        git_ref: &runner.git_ref,
        actor: &runner.actor,
    })?)
}

/// Finds the commits that an event compares; what a shallow clone lacks is brought.
pub(super) fn commits(
    repository: &Repository,
    (event, runner): (&Event, &Runner),
    operator: Option<&TrustFile>,
) -> Result<Commits> {
    let head = repository.commit("HEAD").ok_or_else(|| {
        anyhow!("nothing is checked out here\nhint: run the checkout action first")
    })?;
    let seeking = Seeking {
        repository,
        event,
        runner,
        operator,
        head,
    };
    match &event.compared {
        Compared::Proposed { into, head } => match event.trigger.is_objects_only() {
            true => seeking.objects(into, head),
            false => seeking.proposed(into, head),
        },
        Compared::Merged(into) => {
            seeking.is_started_by_head("the merge group")?;
            seeking.with_tip(&seeking.guarded(into)?, "HEAD")
        }
        Compared::Pushed(branch, before) => seeking.pushed(branch, before.as_deref()),
        Compared::Standing(branch) => seeking.standing(branch.as_ref()),
    }
}

struct Seeking<'a> {
    repository: &'a Repository,
    event: &'a Event,
    runner: &'a Runner,
    operator: Option<&'a TrustFile>,
    head: ObjectId,
}

impl Seeking<'_> {
    fn proposed(&self, into: &Branch, proposed: &str) -> Result<Commits> {
        let target = self.guarded(into)?;
        if target == *into
            && self.is_at_start()
            && let [base, second] = self.repository.parents(&self.head).as_slice()
            && second.as_str() == proposed
        {
            return Ok(Commits::onto(base, &self.head));
        }
        if !self.is_at_start() && self.head.as_str() != proposed {
            bail!(
                "what is checked out is neither the merge of this pull request nor its head\nhint: leave out `ref` of the checkout action"
            );
        }
        self.with_tip(&target, "HEAD")
    }

    /// Base is checked out, and the pull request is there as objects.
    fn objects(&self, into: &Branch, proposed: &str) -> Result<Commits> {
        if !self.is_at_start() {
            bail!(
                "`pull_request_target` may hold secrets, so nothing of the pull request may be checked out in it\nhint: leave out `ref` of the checkout action; lockgate reads the pull request as git objects"
            );
        }
        let target = self.guarded(into)?;
        if target != *into {
            return self.with_tip(&target, proposed);
        }
        self.meet(self.head.as_str(), proposed, &[proposed.to_owned()])
    }

    fn pushed(&self, branch: &Branch, before: Option<&str>) -> Result<Commits> {
        self.is_started_by_head("the push")?;
        let target = self.guarded(branch)?;
        if target != *branch {
            return self.with_tip(&target, "HEAD");
        }
        let Some(before) = before else {
            bail!(
                "the branch is new, so there is nothing that it can be compared with\nhint: start the workflow once by hand (`workflow_dispatch`); the next push has a base"
            );
        };
        self.meet(before, "HEAD", &[before.to_owned()])
    }

    /// The default branch as it stands is compared with itself: nothing is changed, and all
    /// of it is judged.
    fn standing(&self, branch: Option<&Branch>) -> Result<Commits> {
        if branch == Some(&self.event.default_branch) && self.is_at_start() {
            return Ok(Commits::onto(&self.head, &self.head));
        }
        self.with_tip(&self.event.default_branch, "HEAD")
    }

    fn with_tip(&self, branch: &Branch, head: &str) -> Result<Commits> {
        let base = branch.of_origin();
        let mut wanted = vec![refspec(branch)];
        wanted.extend((head != "HEAD").then(|| head.to_owned()));
        self.meet(&base, head, &wanted)
    }

    /// Finds both and where they parted, if need be with what `origin` has.
    fn meet(&self, base: &str, head: &str, wanted: &[String]) -> Result<Commits> {
        let find = || Commits::find(self.repository, base, head);
        if let Ok(commits) = find() {
            return Ok(commits);
        }
        self.bring(wanted)?;
        find().map_err(|_| {
            anyhow!(
                "`{base}` and what is checked out have no common commit, also with their whole history\nhint: after a force-push, start the workflow by hand (`workflow_dispatch`)"
            )
        })
    }

    fn bring(&self, wanted: &[String]) -> Result<()> {
        let names = wanted.join("`, `");
        terminal::tell(&format!(
            "note: the clone lacks `{names}`: fetching it with its history\n"
        ));
        let access = self.runner.token.clone().map(|token| Access {
            server: self.runner.server.clone(),
            token,
        });
        let brought = self.repository.fetch(wanted, access.as_ref());
        brought.map_err(|error| anyhow!("`{names}` is not in this clone and cannot be fetched: {}\nhint: {DEEPEN}; after a force-push it may be gone from the server too", Untrusted::new(error.to_string()).in_terminal()))
    }

    /// The branch whose trust counts: a protected one's own, else the default branch's.
    fn guarded(&self, branch: &Branch) -> Result<Branch> {
        let default = &self.event.default_branch;
        if branch == default {
            return Ok(default.clone());
        }
        let name = default.of_origin();
        if self.repository.commit(&name).is_none() {
            self.bring(&[refspec(default)])?;
        }
        let tip = self.repository.commit(&name);
        let tip = tip.ok_or_else(|| anyhow!("`{name}` is not in this clone\nhint: {DEEPEN}"))?;
        let own = own(self.repository, &tip)?;
        let mut files = self.operator.into_iter().chain(own.as_ref());
        let is_protected = files.any(|file| {
            file.policy
                .protected
                .iter()
                .any(|name| name == branch.name())
        });
        Ok(if is_protected { branch } else { default }.clone())
    }

    /// Is the commit that the event is about checked out?
    fn is_at_start(&self) -> bool {
        self.head.as_str() == self.runner.sha
    }

    fn is_started_by_head(&self, what: &str) -> Result<()> {
        match self.is_at_start() {
            true => Ok(()),
            false => bail!(
                "what is checked out is not what {what} is about (GITHUB_SHA)\nhint: leave out `ref` of the checkout action, or name the commit to compare with: `--base REV`"
            ),
        }
    }
}

fn refspec(branch: &Branch) -> String {
    format!("+refs/heads/{}:{}", branch.name(), branch.of_origin())
}
