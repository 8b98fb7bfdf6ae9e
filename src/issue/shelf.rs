//! What GitHub lists → the issues of ours: by author, label and marker, all three.
//!
//! Obeys design §8. In a public repository anybody may open an issue that holds our marker;
//! nobody can write as us, and a label needs a right that strangers lack.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::marker::{Marker, State, Subject};
use super::posted::{LABEL, Openness, Posted, is_by};
use crate::lock::Digest;
use crate::untrusted::Untrusted;

/// The issues of ours.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    servers: BTreeMap<Digest, Known>,
    crowd: Option<Known>,
    tracker: Option<Known>,
    doubles: Vec<Double>,
}

/// An issue of ours.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its number.
    pub number: u64,
    /// Open or closed.
    pub openness: Openness,
    /// What its first line says.
    pub marker: Marker,
    /// All of it.
    pub body: Untrusted,
}

/// A second issue about one thing, which two runs at the same time can leave behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Double {
    pub(super) number: u64,
    pub(super) of: u64,
}

impl Shelf {
    /// Takes the issues of ours, written by one of `authors`; of two about one thing the
    /// older one counts.
    pub fn of(listed: impl IntoIterator<Item = Posted>, authors: &[String]) -> Self {
        let mut ours: Vec<Known> = listed
            .into_iter()
            .filter_map(|posted| known(posted, authors))
            .collect();
        ours.sort_by_key(|known| known.number);
        ours.dedup_by_key(|known| known.number);
        let mut shelf = Shelf::default();
        ours.into_iter().for_each(|known| shelf.put(known));
        shelf
    }

    fn put(&mut self, known: Known) {
        match self.about(&known.marker.subject) {
            None => self.keep(known),
            Some(first) if known.openness == Openness::Open => self.doubles.push(Double {
                number: known.number,
                of: first.number,
            }),
            Some(_) => {}
        }
    }

    fn keep(&mut self, known: Known) {
        match known.marker.subject {
            Subject::Server { key, .. } => drop(self.servers.insert(key, known)),
            Subject::Crowd => self.crowd = Some(known),
            Subject::Tracker => self.tracker = Some(known),
        }
    }

    /// The issue about it.
    pub fn about(&self, subject: &Subject) -> Option<&Known> {
        match subject {
            Subject::Server { key, .. } => self.server(*key),
            Subject::Crowd => self.crowd(),
            Subject::Tracker => self.tracker(),
        }
    }

    /// The issue about a server.
    pub fn server(&self, key: Digest) -> Option<&Known> {
        self.servers.get(&key)
    }

    /// Every issue about a server, with the server's key.
    pub fn servers(&self) -> impl Iterator<Item = (Digest, &Known)> {
        self.servers.iter().map(|(key, known)| (*key, known))
    }

    /// The issue about the servers that have none of their own.
    pub fn crowd(&self) -> Option<&Known> {
        self.crowd.as_ref()
    }

    /// The tracker.
    pub fn tracker(&self) -> Option<&Known> {
        self.tracker.as_ref()
    }

    pub(super) fn doubles(&self) -> &[Double] {
        &self.doubles
    }
}

impl Known {
    /// What it told last.
    pub fn state(&self) -> State {
        self.marker.state
    }

    pub(super) fn approved_at(&self) -> Option<Timestamp> {
        match self.marker.subject {
            Subject::Server { approved_at, .. } => Some(approved_at),
            Subject::Crowd | Subject::Tracker => None,
        }
    }

    pub(super) fn url(&self) -> Option<Digest> {
        match self.marker.subject {
            Subject::Server { url, .. } => Some(url),
            Subject::Crowd | Subject::Tracker => None,
        }
    }
}

fn known(posted: Posted, authors: &[String]) -> Option<Known> {
    // GitHub compares labels without regard to letter case.
    let is_label = |label: &Untrusted| label.as_arrived().eq_ignore_ascii_case(LABEL);
    if !is_by(posted.author.as_ref(), authors) || !posted.labels.iter().any(is_label) {
        return None;
    }
    Some(Known {
        number: posted.number,
        openness: posted.openness,
        marker: Marker::of_body(posted.body.as_arrived())?,
        body: posted.body,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posted(number: u64, author: &str, label: &str, body: &str) -> Posted {
        Posted {
            number,
            openness: Openness::Open,
            author: Some(author.into()),
            labels: vec![label.into()],
            body: body.into(),
        }
    }

    fn marker(key: &str) -> String {
        let subject = Subject::Server {
            key: Digest::of(key),
            url: Digest::of("url"),
            approved_at: Timestamp::UNIX_EPOCH,
        };
        let state = State::Settled;
        Marker { subject, state }.to_string()
    }

    #[test]
    fn an_issue_is_ours_by_author_label_and_marker() {
        let bot = "github-actions[bot]";
        let ours = [bot.to_owned()];
        let check = |author: &str, label: &str, body: &str, expect: bool| {
            let shelf = Shelf::of([posted(7, author, label, body)], &ours);
            assert_eq!(
                shelf.server(Digest::of("a")).is_some(),
                expect,
                "{author} {label} {body}"
            );
        };
        let line = marker("a");
        check(bot, LABEL, &line, true);
        check(bot, LABEL, &format!("{line}\ntext"), true);
        check("mallory", LABEL, &line, false);
        check("github-actions", LABEL, &line, false);
        check(bot, "bug", &line, false);
        check(bot, LABEL, &format!("text\n{line}"), false);
        check(bot, LABEL, "", false);
        let ghost = Posted {
            author: None,
            ..posted(7, bot, LABEL, &line)
        };
        assert!(Shelf::of([ghost], &ours).server(Digest::of("a")).is_none());
    }

    #[test]
    fn of_two_issues_the_older_counts() {
        let ours = ["me".to_owned()];
        let listed = [9, 3, 5].map(|number| posted(number, "me", LABEL, &marker("a")));
        let shelf = Shelf::of(listed, &ours);
        assert_eq!(
            shelf.server(Digest::of("a")).map(|known| known.number),
            Some(3)
        );
        let doubles = [Double { number: 5, of: 3 }, Double { number: 9, of: 3 }];
        assert_eq!(shelf.doubles(), doubles);
    }
}
