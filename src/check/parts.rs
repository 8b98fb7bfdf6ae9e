//! The reports of shards → [`Parts`]: what all servers of a run said, as far as it is known.
//!
//! Fails closed: a part that is missing, of another run, there twice or unreadable leaves
//! its servers unchecked, and a finding says which and why.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::part::Said;
use super::read_part::{PartReport, Stamp};
use super::{Finding, Part, Reason, Rule, Shard, Unlisted};
use crate::lock::Digest;
use crate::message::Message;
use crate::untrusted::Untrusted;

/// Older parts say nothing of now: whoever runs a merge again later runs the shards again.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(24);
/// Clocks of two machines differ.
const MAX_SKEW: SignedDuration = SignedDuration::from_mins(5);

/// A report of a shard: where it is, and what it holds or why it cannot be used.
pub type Read = (Untrusted, Result<PartReport, String>);

/// What all servers of a run said.
#[derive(Debug)]
pub struct Parts {
    /// Any of the shards, to know how many there are; `None` if no report can be used.
    any: Option<Shard>,
    parts: BTreeMap<Shard, BTreeMap<Digest, Said>>,
    /// When the first of them looked.
    pub looked_at: Option<Timestamp>,
    /// What is missing, and what cannot be used.
    pub findings: Vec<Finding>,
}

impl Parts {
    /// Puts together what belongs to the run of that stamp.
    pub fn gather(reports: Vec<Read>, ours: &Stamp, now: Timestamp) -> Self {
        let mut parts = Parts {
            any: None,
            parts: BTreeMap::new(),
            looked_at: None,
            findings: Vec::new(),
        };
        let usable = parts.of_this_run(reports, ours, now);
        for report in parts.apart(usable) {
            let first = parts.looked_at.unwrap_or(report.checked_at);
            parts.looked_at = Some(first.min(report.checked_at));
            let Part { shard, servers, .. } = report.part;
            parts.any = Some(shard);
            parts.parts.insert(shard, servers.into_iter().collect());
        }
        parts.tell_missing();
        parts
    }

    /// What a server said; if that is not known, it was not checked.
    ///
    /// # Errors
    /// [`Unlisted`] says why it is not known.
    pub fn said(&self, server: Digest) -> Result<&Said, Unlisted> {
        let shard = self
            .any
            .ok_or_else(|| not_checked("no shard has a report that can be used".to_owned()))?;
        let shard = shard.asking(server);
        let servers = self
            .parts
            .get(&shard)
            .ok_or_else(|| not_checked(format!("shard {shard} has no report that can be used")))?;
        let said = servers.get(&server);
        said.ok_or_else(|| not_checked(format!("the report of shard {shard} has no answer of it")))
    }

    fn of_this_run(
        &mut self,
        reports: Vec<Read>,
        ours: &Stamp,
        now: Timestamp,
    ) -> Vec<(Untrusted, PartReport)> {
        let mut usable = Vec::new();
        for (path, report) in reports {
            let judged = report
                .map_err(Message::new)
                .and_then(|report| is_of(&report, ours, now).map(|()| report));
            match judged {
                Ok(report) => usable.push((path, report)),
                Err(why) => self.refuse(&path, why),
            }
        }
        usable
    }

    /// Reports of as many shards, each of another one.
    fn apart(&mut self, usable: Vec<(Untrusted, PartReport)>) -> Vec<PartReport> {
        let shard = |report: &PartReport| report.part.shard;
        let all: Vec<Shard> = usable.iter().map(|(_, report)| shard(report)).collect();
        let sizes: BTreeSet<u16> = all.iter().map(|shard| shard.of()).collect();
        let agree = sizes.len() <= 1;
        let mut apart = Vec::new();
        for (path, report) in usable {
            let shard = shard(&report);
            let twins = all.iter().filter(|other| **other == shard).count();
            if !agree {
                let why = format!(
                    "it is of {} shards, and others are of more or less",
                    shard.of()
                );
                self.refuse(&path, Message::new(why));
            } else if twins > 1 {
                self.any = Some(shard);
                let why = format!(
                    "shard {shard} has {twins} reports, and any of them may be the wrong one"
                );
                self.refuse(&path, Message::new(why));
            } else {
                apart.push(report);
            }
        }
        apart
    }

    fn refuse(&mut self, path: &Untrusted, why: Message) {
        let message = Message::new("the report ").theirs(path);
        let message = message.ours(" is not used: ").then(why);
        self.findings.push(Finding::new(Rule::ShardReport, message));
    }

    fn tell_missing(&mut self) {
        let missing = match self.any {
            None => {
                vec!["no shard has a report that can be used: no server was checked".to_owned()]
            }
            Some(any) => any
                .all()
                .filter(|shard| !self.parts.contains_key(shard))
                .map(|shard| {
                    format!(
                        "shard {shard} has no report that can be used: its servers were not checked"
                    )
                })
                .collect(),
        };
        let finding =
            |message: String| Finding::new(Rule::ShardReport, Message::new(message)).hint(HINT);
        self.findings.extend(missing.into_iter().map(finding));
    }
}

const HINT: &str = "see why in the job of that shard; run it again with `lockgate check --shard` and `--report`, in the same workflow run and at the same commit, then merge again";

/// Is it of the run of that stamp, and of now?
fn is_of(report: &PartReport, ours: &Stamp, now: Timestamp) -> Result<(), Message> {
    if let Some((member, theirs)) = report.stamp.differs(ours) {
        let none = Untrusted::from("null");
        return Err(
            Message::new(format!("it is of another run: its `{member}` is "))
                .theirs(theirs.unwrap_or(&none)),
        );
    }
    let age = now.duration_since(report.checked_at);
    match () {
        () if age > MAX_AGE => Err(Message::new("it is older than a day")),
        () if age < -MAX_SKEW => Err(Message::new("it is from the future")),
        () => Ok(()),
    }
}

fn not_checked(detail: String) -> Unlisted {
    Unlisted {
        reason: Reason::NotChecked,
        detail,
        said: None,
        hint: None,
    }
}
