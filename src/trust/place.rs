//! The values of a trust file → URLs, dates, names, numbers; each fault on its line.
//!
//! Obeys design §4: a day means its end, in UTC; secrets come from variables named
//! `LOCKGATE_…` and from nowhere else.

use jiff::Timestamp;
use jiff::civil::{self, DateTime};
use jiff::tz::Offset;
use toml::value::{self, Datetime};
use toml::{Spanned, Value};

use super::file::ACCEPTABLE;
use super::{TrustFault, TrustProblem};
use crate::json::Lines;
use crate::lock::ServerUrl;
use crate::untrusted::Untrusted;
use crate::visible::is_unseen;

const MAX_NAME: usize = 64;
const VARIABLE: &str = "LOCKGATE_";
/// Variables that lockgate and its action use, or keep for themselves.
const RESERVED: [&str; 5] = [
    "LOCKGATE_BIN",
    "LOCKGATE_BINARY",
    "LOCKGATE_DOWNLOAD_BASE",
    "LOCKGATE_KEY",
    "LOCKGATE_TOKEN",
];
/// And all that begin so.
const RESERVED_PREFIX: &str = "LOCKGATE_KEY_";

/// The text that is being read, so that a fault finds its line.
pub(super) struct Place<'a>(pub(super) &'a Lines);

impl Place<'_> {
    pub(super) fn fault(&self, at: usize, problem: TrustProblem) -> TrustFault {
        TrustFault {
            line: Some(self.0.line(at)),
            problem,
        }
    }

    pub(super) fn at<T>(&self, value: &Spanned<T>, problem: TrustProblem) -> TrustFault {
        self.fault(value.span().start, problem)
    }

    pub(super) fn shape(&self, error: &toml::de::Error) -> TrustFault {
        let problem = TrustProblem::Shape(Untrusted::new(error.message()));
        match error.span() {
            Some(span) => self.fault(span.start, problem),
            None => problem.somewhere(),
        }
    }

    pub(super) fn url(&self, text: &Spanned<String>) -> Result<ServerUrl, TrustFault> {
        let url = text.get_ref();
        ServerUrl::parse(url)
            .map_err(|bad| self.at(text, TrustProblem::Url(Untrusted::new(url), bad)))
    }

    /// A text that says something.
    pub(super) fn said(
        &self,
        member: &'static str,
        text: Spanned<String>,
    ) -> Result<String, TrustFault> {
        if text.get_ref().trim().is_empty() {
            return Err(self.at(&text, TrustProblem::Empty(member)));
        }
        Ok(text.into_inner())
    }

    /// A rule that an entry can accept.
    pub(super) fn acceptable(&self, text: Spanned<String>) -> Result<String, TrustFault> {
        if !ACCEPTABLE.contains(&text.get_ref().as_str()) {
            let problem = TrustProblem::NotAcceptable(Untrusted::new(text.get_ref()));
            return Err(self.at(&text, problem));
        }
        Ok(text.into_inner())
    }

    /// A pattern of paths that can match what its writer means.
    pub(super) fn pattern(&self, text: Spanned<String>) -> Result<String, TrustFault> {
        if let Some(why) = no_pattern(text.get_ref()) {
            let problem = TrustProblem::Pattern(Untrusted::new(text.get_ref()), why);
            return Err(self.at(&text, problem));
        }
        Ok(text.into_inner())
    }

    /// A number from 1 to `most`, or that problem.
    pub(super) fn number(
        &self,
        number: Option<&Spanned<i64>>,
        most: u16,
        problem: TrustProblem,
    ) -> Result<Option<u16>, TrustFault> {
        let Some(number) = number else {
            return Ok(None);
        };
        match u16::try_from(*number.get_ref()) {
            Ok(found) if (1..=most).contains(&found) => Ok(Some(found)),
            Ok(_) | Err(_) => Err(self.at(number, problem)),
        }
    }

    /// A day, which means its end, or a moment.
    pub(super) fn date(&self, value: &Spanned<Value>) -> Result<Timestamp, TrustFault> {
        let found = match value.get_ref() {
            Value::Datetime(found) => match moment(found) {
                Some(moment) => return Ok(moment),
                None => found.to_string(),
            },
            Value::String(text) => text.clone(),
            other @ (Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Array(_)
            | Value::Table(_)) => other.type_str().to_owned(),
        };
        Err(self.at(value, TrustProblem::Date(Untrusted::new(found))))
    }

    pub(super) fn date_or_none(
        &self,
        value: Option<&Spanned<Value>>,
    ) -> Result<Option<Timestamp>, TrustFault> {
        value.map(|value| self.date(value)).transpose()
    }
}

/// The last millisecond of a day in UTC, or the moment that date, time and offset name.
fn moment(found: &Datetime) -> Option<Timestamp> {
    let date = day(found.date?)?;
    let (time, offset) = match (found.time, found.offset) {
        (None, None) => (civil::Time::new(23, 59, 59, 999_000_000).ok()?, Offset::UTC),
        (Some(time), Some(offset)) => (time_of_day(time)?, offset_from_utc(offset)?),
        (None, Some(_)) | (Some(_), None) => return None,
    };
    offset.to_timestamp(DateTime::from_parts(date, time)).ok()
}

fn day(found: value::Date) -> Option<civil::Date> {
    let year = i16::try_from(found.year).ok()?;
    let month = i8::try_from(found.month).ok()?;
    civil::Date::new(year, month, i8::try_from(found.day).ok()?).ok()
}

fn time_of_day(found: value::Time) -> Option<civil::Time> {
    let hour = i8::try_from(found.hour).ok()?;
    let minute = i8::try_from(found.minute).ok()?;
    let second = i8::try_from(found.second.unwrap_or(0)).ok()?;
    let nanosecond = i32::try_from(found.nanosecond.unwrap_or(0)).ok()?;
    civil::Time::new(hour, minute, second, nanosecond).ok()
}

fn offset_from_utc(found: value::Offset) -> Option<Offset> {
    match found {
        value::Offset::Z => Some(Offset::UTC),
        value::Offset::Custom { minutes } => Offset::from_seconds(i32::from(minutes) * 60).ok(),
    }
}

/// Can it stand for a person or a service, in every output and unlike any other name: no
/// sign that cannot be seen or that a sink would obey, no combining marks?
pub(super) fn is_name(text: &str) -> bool {
    let may_stand = |c: char| (c.is_alphanumeric() && !is_unseen(c)) || " ._-+@".contains(c);
    text.trim() == text
        && (1..=MAX_NAME).contains(&text.chars().count())
        && text.chars().all(may_stand)
}

/// The environment variable that a header takes its value from.
pub(super) fn variable(source: &str) -> Option<&str> {
    let variable = source.strip_prefix("env:")?;
    let rest = variable.strip_prefix(VARIABLE)?;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (!rest.is_empty() && rest.bytes().all(is_part)).then_some(variable)
}

/// Is the variable one of lockgate's own? Some systems do not tell letter cases apart.
pub(super) fn is_reserved(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    RESERVED.contains(&name.as_str()) || name.starts_with(RESERVED_PREFIX)
}

/// Why a pattern would match no path, or others than it seems to.
fn no_pattern(pattern: &str) -> Option<&'static str> {
    let mut parts = pattern.split('/');
    if pattern.starts_with('/') {
        Some("paths do not begin with `/`")
    } else if pattern.contains('\\') {
        Some("`/` parts folders, and nothing else does")
    } else if pattern.starts_with('!') || pattern.contains(['[', ']', '{', '}']) {
        Some("only `*`, `**` and `?` stand for anything else")
    } else if parts.any(|part| matches!(part, "" | "." | "..")) {
        Some("no path has an empty part, `.` or `..`")
    } else if pattern
        .split('/')
        .any(|part| part.contains("**") && part != "**")
    {
        Some("`**` stands alone between two `/`")
    } else {
        None
    }
}

/// A `token` of RFC 9110 §5.6.2.
pub(super) fn is_header_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_part)
}
