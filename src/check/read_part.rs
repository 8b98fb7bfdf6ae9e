//! bytes → [`PartReport`]: what `merge` takes from the report of a shard, and no more.
//!
//! A report is a file that anybody may have written. Its texts stay untrusted or are spelled
//! out, its words are looked up in ours, and of a server's verdict it has no say: that is
//! judged anew.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

use super::detail::text_or_null;
use super::part::{Listed, Part, Said};
use super::surface::notice;
use super::{Mode, REPORT_KIND, Reason, Shard, Surface, Trigger, Unlisted};
use crate::json::{self, NoticeKind, ReadError, Value};
use crate::lock::{Digest, ScanRecord, ServerInfo};
use crate::scan::Scan;
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
                run: text_at(shard, "run").ok_or(PartFault::Shape("shard.run"))?,
                servers: servers(shard).ok_or(PartFault::Shape("shard.servers"))?,
            },
        })
    }
}

fn stamp(root: &Value<'_>, shard: &Value<'_>) -> Result<Stamp, PartFault> {
    let of = |value, name| Ok((name, text_at(value, name).ok_or(PartFault::Shape(name))?));
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
fn text_at(value: &Value<'_>, name: &str) -> Option<Option<Untrusted>> {
    text_or_null(value.member(name)?)
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
    let listing = text_at(listed, "listing")?;
    Some(Listed {
        unchanged: unchanged.map(digest).collect::<Option<_>>()?,
        surface: surface(listed.member("surface")?)?,
        scan: Arc::new(Scan::read(&ScanRecord::read(listed.member("scan")?)?)?),
        listing: listing.map(|text| text.as_arrived().to_owned()),
    })
}

fn surface(surface: &Value<'_>) -> Option<Surface> {
    let count = |name| usize::try_from(surface.member(name)?.as_u64()?).ok();
    let info = surface.member("server_info")?;
    let server_info = match info.is_null() {
        true => None,
        false => Some(ServerInfo {
            name: text_at(info, "name")??,
            version: text_at(info, "version")??,
        }),
    };
    let notices = surface.member("notices")?.as_array()?;
    let notices: Option<Vec<NoticeKind>> =
        notices.iter().map(|name| notice(name.as_str()?)).collect();
    Some(Surface {
        titles: count("titles")?,
        output_schemas: count("output_schemas")?,
        instructions: count("instructions")?,
        protocol_version: text_at(surface, "protocol_version")?,
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
        detail: text_at(unlisted, "detail")?.map(spelled)?,
        said: text_at(unlisted, "said")?,
        hint: text_at(unlisted, "hint")?.map(spelled),
    })
}

fn digest(value: &Value<'_>) -> Option<Digest> {
    value.as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Report, SignatureCheck};
    use crate::lock::Listing;
    use crate::scan::scan_listing;

    fn report(servers: Vec<(Digest, Said)>) -> Report {
        Report {
            checked_at: "2026-12-02T03:04:05.678Z".parse().unwrap(),
            trigger: Trigger::Schedule,
            base: Some("b".into()),
            commit: None,
            mode: Mode::Online,
            signatures: SignatureCheck::NotChecked,
            approvals: None,
            checked: Vec::new(),
            findings: Vec::new(),
            shard: Some(Part {
                shard: Shard::new(2, 3).unwrap(),
                run: Some("12".into()),
                servers,
            }),
        }
    }

    fn read(report: &Report) -> PartReport {
        PartReport::read(report.document().unwrap().as_bytes()).unwrap()
    }

    fn unlisted(reason: Reason, text: &str) -> Said {
        Said::Unlisted(Unlisted {
            reason,
            detail: text.to_owned(),
            said: Some(text.into()),
            hint: Some(text.to_owned()),
        })
    }

    #[test]
    fn what_is_written_is_read_back() {
        let listing = Listing::parse(
            "\u{feff}[{\"name\": \"a\u{202e}\", \"title\": \"T\", \"inputSchema\": {\"tools\": [{}], \"n\": [1.0, 1e30, -0.0, 0.12345678901234567890]}}]"
                .as_bytes(),
        )
        .unwrap()
        .with_instructions(Some("##[x]\n"))
        .with_server_info(Some(ServerInfo {
            name: "n".into(),
            version: "".into(),
        }));
        let surface = Surface::of(&listing, []);
        assert_eq!(surface.notices.len(), 2);
        let mut servers = vec![(
            Digest::of(""),
            Said::Listed(Listed {
                unchanged: vec![Digest::of("x")],
                surface,
                scan: Arc::new(scan_listing(&listing)),
                listing: Some(listing.text()),
            }),
        )];
        for reason in Reason::ALL {
            let server = Digest::of(reason.name());
            servers.push((server, unlisted(reason, "HTTP 503: `x`")));
        }
        servers.sort_by_key(|(server, _)| *server);
        let report = report(servers);
        let back = read(&report);
        assert_eq!(Some(&back.part), report.shard.as_ref());
        assert_eq!(back.checked_at, report.checked_at);
        let ours = |run| Stamp::new(Trigger::Schedule, Mode::Online, [Some("b"), None, run]);
        assert_eq!(back.stamp.differs(&ours(Some("12"))), None);
        assert!(back.stamp.differs(&ours(None)).is_some());
        let again = Listing::parse(listing.text().as_bytes()).unwrap();
        assert_eq!(again.tools(), listing.tools());
        assert_eq!(again.instructions(), listing.instructions());
    }

    #[test]
    fn a_file_s_text_is_spelled_out_where_ours_would_stand() {
        let server = Digest::of("");
        let text = "\u{1b}[2J\n::error::x\n##[error]y";
        let back = read(&report(vec![(server, unlisted(Reason::Dns, text))]));
        let spelled = "⟨U+001B⟩[2J⏎⟨U+003A⟩:error::x⏎⟨U+0023⟩#[error]y".to_owned();
        let expected = Said::Unlisted(Unlisted {
            reason: Reason::Dns,
            detail: spelled.clone(),
            said: Some(text.into()),
            hint: Some(spelled),
        });
        assert_eq!(back.part.servers, [(server, expected)]);
    }

    #[test]
    fn no_server_is_told_of_twice() {
        let said = || (Digest::of(""), unlisted(Reason::Dns, ""));
        let text = report(vec![said(), said()]).document().unwrap();
        let fault = PartReport::read(text.as_bytes()).unwrap_err();
        assert_eq!(fault, PartFault::Shape("shard.servers"));
    }
}
