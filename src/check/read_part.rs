//! bytes → [`PartReport`]: what `merge` takes from the report of a shard, and no more.
//!
//! A report is a file that anybody may have written. Its texts stay untrusted or are spelled
//! out, its words are looked up in ours, and of a server's verdict it has no say: that is
//! judged anew.

use std::fmt;

use jiff::Timestamp;

use super::part::{Listed, Part, Said};
use super::surface::notice;
use super::{Mode, REPORT_KIND, Reason, Shard, Surface, Trigger, Unlisted};
use crate::json::{self, NoticeKind, ReadError, Value};
use crate::lock::{Digest, ServerInfo};
use crate::untrusted::Untrusted;

/// The report of a shard, as far as it is needed to join it to the others.
#[derive(Debug, Clone, PartialEq)]
pub struct PartReport {
    /// Of which run it is.
    pub stamp: Stamp,
    /// When it looked.
    pub checked_at: Timestamp,
    /// What its servers said.
    pub part: Part,
}

/// What all shards of a run have in common with its merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Each member by its name, in the order in which they are compared.
    members: [(&'static str, Option<Untrusted>); 6],
}

impl Stamp {
    /// The stamp of a run of this lockgate.
    pub fn new(trigger: Trigger, mode: Mode, [base, commit, run]: [Option<&str>; 3]) -> Self {
        let text = |text: &str| Some(Untrusted::new(text));
        Stamp {
            members: [
                ("lockgate", text(env!("CARGO_PKG_VERSION"))),
                ("commit", commit.and_then(text)),
                ("base", base.and_then(text)),
                ("trigger", text(trigger.name())),
                ("mode", text(mode.name())),
                ("run", run.and_then(text)),
            ],
        }
    }

    /// The first member that is another one, and what it is here.
    pub fn differs(&self, ours: &Stamp) -> Option<(&'static str, Option<&Untrusted>)> {
        let pairs = self.members.iter().zip(&ours.members);
        let (found, _) = pairs.into_iter().find(|(theirs, ours)| theirs != ours)?;
        Some((found.0, found.1.as_ref()))
    }
}

/// Why a file is no report of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartFault {
    /// It is not JSON.
    Json(ReadError),
    /// Another document than a report, or another version of it.
    NotAReport,
    /// The report of a run that was not divided.
    Whole,
    /// A member of it has not the shape that it is written in.
    Shape(&'static str),
}

impl fmt::Display for PartFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartFault::Json(error) => write!(f, "it is not JSON: {error}"),
            PartFault::NotAReport => f.write_str("it is no report that this lockgate writes"),
            PartFault::Whole => f.write_str("it is the report of a run without `--shard`"),
            PartFault::Shape(member) => write!(f, "its `{member}` is not as lockgate writes it"),
        }
    }
}

impl PartReport {
    /// Reads the report of a shard.
    ///
    /// # Errors
    /// [`PartFault`] says why it is none; nothing of it is used then.
    pub fn read(bytes: &[u8]) -> Result<Self, PartFault> {
        let document = json::read_own(bytes).map_err(PartFault::Json)?;
        let root = &document.root;
        let kind = root.member("kind").and_then(Value::as_str);
        let version = root.member("v").and_then(Value::as_u64);
        if (kind, version) != (Some(REPORT_KIND), Some(1)) {
            return Err(PartFault::NotAReport);
        }
        let shard = match root.member("shard") {
            Some(shard) if !shard.is_null() => shard,
            Some(_) | None => return Err(PartFault::Whole),
        };
        let checked_at = root.member("checked_at").and_then(Value::as_str);
        Ok(PartReport {
            stamp: stamp(root, shard)?,
            checked_at: checked_at
                .and_then(|text| text.parse().ok())
                .ok_or(PartFault::Shape("checked_at"))?,
            part: Part {
                shard: which(shard).ok_or(PartFault::Shape("shard"))?,
                run: text_or_null(shard, "run").ok_or(PartFault::Shape("shard.run"))?,
                servers: servers(shard).ok_or(PartFault::Shape("shard.servers"))?,
            },
        })
    }
}

fn stamp(root: &Value<'_>, shard: &Value<'_>) -> Result<Stamp, PartFault> {
    let of = |value, name| {
        Ok((
            name,
            text_or_null(value, name).ok_or(PartFault::Shape(name))?,
        ))
    };
    Ok(Stamp {
        members: [
            of(root, "lockgate")?,
            of(root, "commit")?,
            of(root, "base")?,
            of(root, "trigger")?,
            of(root, "mode")?,
            of(shard, "run")?,
        ],
    })
}

/// A member that is text or `null`; `None` if it is anything else or not there.
fn text_or_null(value: &Value<'_>, name: &str) -> Option<Option<Untrusted>> {
    match value.member(name)? {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(Untrusted::new(text.as_str()))),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn which(shard: &Value<'_>) -> Option<Shard> {
    let number = |name| u16::try_from(shard.member(name)?.as_u64()?).ok();
    Shard::new(number("index")?, number("of")?).ok()
}

/// What each server said; no server is told of twice.
fn servers(shard: &Value<'_>) -> Option<Vec<(Digest, Said)>> {
    let servers = shard.member("servers")?.as_array()?.iter();
    let mut servers: Vec<(Digest, Said)> = servers.map(server).collect::<Option<_>>()?;
    servers.sort_by_key(|(server, _)| *server);
    let are_apart = servers.windows(2).all(|pair| match pair {
        [(first, _), (second, _)] => first != second,
        _ => true,
    });
    are_apart.then_some(servers)
}

fn server(server: &Value<'_>) -> Option<(Digest, Said)> {
    let said = match (server.member("listed"), server.member("unlisted")) {
        (Some(value), None) => Said::Listed(listed(value)?),
        (None, Some(value)) => Said::Unlisted(unlisted(value)?),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    Some((digest(server.member("server")?)?, said))
}

fn listed(listed: &Value<'_>) -> Option<Listed> {
    let unchanged = listed.member("unchanged")?.as_array()?.iter();
    let listing = text_or_null(listed, "listing")?;
    Some(Listed {
        unchanged: unchanged.map(digest).collect::<Option<_>>()?,
        surface: surface(listed.member("surface")?)?,
        listing: listing.map(|text| text.as_arrived().to_owned()),
    })
}

fn surface(surface: &Value<'_>) -> Option<Surface> {
    let count = |name| usize::try_from(surface.member(name)?.as_u64()?).ok();
    let info = surface.member("server_info")?;
    let server_info = match info.is_null() {
        true => None,
        false => Some(ServerInfo {
            name: text_or_null(info, "name")??,
            version: text_or_null(info, "version")??,
        }),
    };
    let notices = surface.member("notices")?.as_array()?;
    let notices: Option<Vec<NoticeKind>> =
        notices.iter().map(|name| notice(name.as_str()?)).collect();
    Some(Surface {
        titles: count("titles")?,
        output_schemas: count("output_schemas")?,
        instructions: count("instructions")?,
        protocol_version: text_or_null(surface, "protocol_version")?,
        server_info,
        notices: notices.filter(|kinds| kinds.len() <= 2)?,
    })
}

/// Texts that would be words of ours are spelled out: these are a file's.
fn unlisted(unlisted: &Value<'_>) -> Option<Unlisted> {
    let spelled = |text: Untrusted| text.in_terminal().to_string();
    let reason = unlisted.member("reason")?.as_str()?;
    Some(Unlisted {
        reason: *Reason::ALL.iter().find(|known| known.name() == reason)?,
        detail: text_or_null(unlisted, "detail")?.map(spelled)?,
        said: text_or_null(unlisted, "said")?,
        hint: text_or_null(unlisted, "hint")?.map(spelled),
    })
}

fn digest(value: &Value<'_>) -> Option<Digest> {
    value.as_str()?.parse().ok()
}
