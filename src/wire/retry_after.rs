//! `Retry-After` → how long a server asks us to wait.
//!
//! Obeys RFC 9110 §10.2.3: seconds, or a date. The time of day comes in as an argument.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;

/// What a `Retry-After` header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// Wait this long.
    Wait(Duration),
    /// Nothing that can be understood.
    Unclear,
}

/// Reads the header's value; a moment that has passed is no wait.
pub fn retry_after(value: &[u8], now: Timestamp) -> RetryAfter {
    let Ok(text) = std::str::from_utf8(value) else {
        return RetryAfter::Unclear;
    };
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit()) {
        let seconds = text.parse().unwrap_or(u64::from(u32::MAX));
        return RetryAfter::Wait(Duration::from_secs(seconds.min(u32::MAX.into())));
    }
    match rfc2822::DateTimeParser::new().parse_timestamp(text) {
        Ok(moment) => RetryAfter::Wait(moment.duration_since(now).try_into().unwrap_or_default()),
        Err(_) => RetryAfter::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, expect: Option<u64>) {
        let now = Timestamp::from_second(784_111_770).expect("a moment");
        let expect = expect.map_or(RetryAfter::Unclear, |seconds| {
            RetryAfter::Wait(Duration::from_secs(seconds))
        });
        assert_eq!(retry_after(value.as_bytes(), now), expect, "{value}");
    }

    #[test]
    fn reads_seconds_and_dates() {
        check("0", Some(0));
        check(" 120 ", Some(120));
        check("99999999999999999999999", Some(u32::MAX.into()));
        check("Sun, 06 Nov 1994 08:49:37 GMT", Some(7));
        check("Sun, 06 Nov 1994 08:49:00 GMT", Some(0));
        for unclear in ["", "-1", "1.5", "soon", "Sun, 06 Nov", "1 2"] {
            check(unclear, None);
        }
    }
}
