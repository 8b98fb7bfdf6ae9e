//! Marker: the hidden first line of an issue of ours, by which it is found again.
//!
//! Obeys design §8. Read strictly: a line is a marker only if it is, to the letter, one
//! that we would write. Found anywhere but on the first line it means nothing.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

use crate::lock::Digest;

const OPEN: &str = "<!-- lockgate:v1";
const CLOSE: &str = " -->";

/// What an issue of ours is about, and what it told last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker {
    /// What it is about.
    pub subject: Subject,
    /// What it told last.
    pub state: State,
}

/// What an issue is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// One server.
    Server {
        /// Digest of its identity.
        key: Digest,
        /// Digest of its URL, by which one that was given up is known.
        url: Digest,
        /// Its newest approval when the issue was written.
        approved_at: Timestamp,
    },
    /// The servers that have no issue of their own: too many at once.
    Crowd,
    /// All servers: the memory.
    Tracker,
}

impl Subject {
    /// The key of the server that it is about.
    pub fn server(&self) -> Option<Digest> {
        match self {
            Subject::Server { key, .. } => Some(*key),
            Subject::Crowd | Subject::Tracker => None,
        }
    }
}

/// What an issue told last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The server is not what was approved; a digest of how.
    Drift(Digest),
    /// That drift went away by itself.
    DriftOver(Digest),
    /// The server gives no listing; a digest of this stretch of silence.
    Silence(Digest),
    /// That silence ended.
    SilenceOver(Digest),
    /// What was to be done is done.
    Settled,
    /// Nothing that changes.
    Standing,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Drift(_) => "drift",
            State::DriftOver(_) => "drift-over",
            State::Silence(_) => "silence",
            State::SilenceOver(_) => "silence-over",
            State::Settled => "settled",
            State::Standing => "standing",
        }
    }

    fn digest(self) -> Option<Digest> {
        match self {
            State::Drift(digest)
            | State::DriftOver(digest)
            | State::Silence(digest)
            | State::SilenceOver(digest) => Some(digest),
            State::Settled | State::Standing => None,
        }
    }

    fn read(word: &str, digest: Option<Digest>) -> Option<Self> {
        let state = match (word, digest) {
            ("drift", Some(digest)) => State::Drift(digest),
            ("drift-over", Some(digest)) => State::DriftOver(digest),
            ("silence", Some(digest)) => State::Silence(digest),
            ("silence-over", Some(digest)) => State::SilenceOver(digest),
            ("settled", None) => State::Settled,
            ("standing", None) => State::Standing,
            _ => return None,
        };
        Some(state)
    }
}

impl Marker {
    /// The marker on the first line of a body.
    pub fn of_body(body: &str) -> Option<Self> {
        body.lines().next()?.parse().ok()
    }
}

impl fmt::Display for Marker {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(OPEN)?;
        match self.subject {
            Subject::Server {
                key,
                url,
                approved_at,
            } => {
                let approved_at = approved_at.as_millisecond();
                write!(to, " key={key} url={url} approved={approved_at}")?;
            }
            Subject::Crowd => to.write_str(" crowd")?,
            Subject::Tracker => to.write_str(" tracker")?,
        }
        write!(to, " is={}", self.state.word())?;
        if let Some(digest) = self.state.digest() {
            write!(to, " state={digest}")?;
        }
        to.write_str(CLOSE)
    }
}

/// The line is no marker of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAMarker;

impl FromStr for Marker {
    type Err = NotAMarker;

    fn from_str(line: &str) -> Result<Self, NotAMarker> {
        let marker = read(line).ok_or(NotAMarker)?;
        // Read leniently, then held to the letter: there is one way to write a marker.
        (marker.to_string() == line)
            .then_some(marker)
            .ok_or(NotAMarker)
    }
}

fn read(line: &str) -> Option<Marker> {
    let fields = line.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    let value = |name: &str| {
        let named = |field: &'_ str| {
            field
                .strip_prefix(name)?
                .strip_prefix('=')
                .map(str::to_owned)
        };
        fields.split(' ').find_map(named)
    };
    let digest = |name: &str| value(name)?.parse().ok();
    let subject = match fields.split(' ').nth(1)? {
        "crowd" => Subject::Crowd,
        "tracker" => Subject::Tracker,
        _ => Subject::Server {
            key: digest("key")?,
            url: digest("url")?,
            approved_at: Timestamp::from_millisecond(value("approved")?.parse().ok()?).ok()?,
        },
    };
    let state = State::read(&value("is")?, digest("state"))?;
    Some(Marker { subject, state })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markers() -> Vec<Marker> {
        let server = Subject::Server {
            key: Digest::of("key"),
            url: Digest::of("url"),
            approved_at: Timestamp::from_millisecond(1_791_369_900_123).unwrap(),
        };
        let digest = Digest::of("how");
        let states = [
            State::Drift(digest),
            State::DriftOver(digest),
            State::Silence(digest),
            State::SilenceOver(digest),
            State::Settled,
            State::Standing,
        ];
        let subjects = [server, Subject::Crowd, Subject::Tracker];
        subjects
            .into_iter()
            .flat_map(|subject| states.map(|state| Marker { subject, state }))
            .collect()
    }

    #[test]
    fn what_is_written_is_read_again() {
        for marker in markers() {
            assert_eq!(marker.to_string().parse(), Ok(marker));
            let body = format!("{marker}\r\n> text\r\n");
            assert_eq!(
                Marker::of_body(&body),
                Some(marker),
                "as a browser sends it"
            );
        }
    }

    #[test]
    fn nothing_else_is_a_marker() {
        for marker in markers() {
            let line = marker.to_string();
            for wrong in [
                format!(" {line}"),
                format!("{line} "),
                format!("{line}{line}"),
                line.replace(" is=", "  is="),
                line.replace(" is=", " note=x is="),
                line.replace(" -->", " is=settled -->"),
                line.to_uppercase(),
                line.replace("v1", "v2"),
            ] {
                assert_eq!(wrong.parse::<Marker>(), Err(NotAMarker), "{wrong}");
            }
            assert_eq!(Marker::of_body(&format!("\n{line}")), None);
            assert_eq!(Marker::of_body(&format!("> {line}")), None);
        }
        assert_eq!(Marker::of_body(""), None);
    }
}
