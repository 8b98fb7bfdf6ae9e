//! `Content-Type` and `Content-Encoding` → how a body is to be read.
//!
//! Obeys MCP, Streamable HTTP (JSON or an event stream, both UTF-8) and RFC 9110 §8.3.
//! Encoded bodies are never asked for and never decoded.

/// How a body is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// One JSON text.
    Json,
    /// A stream of events.
    EventStream,
    /// Said to be plain text, or said to be nothing: JSON if it reads as an answer.
    Unsaid,
}

/// What the headers say of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// It can be read.
    Readable(Media),
    /// A web page: as a rule a login or an error.
    WebPage,
    /// Another media type.
    OtherType,
    /// Another character set than UTF-8.
    OtherCharset,
    /// Compressed, or encoded otherwise.
    Encoded,
}

/// Judges the headers of a body; `None` for a header that is not there.
pub fn body_kind(content_type: Option<&[u8]>, content_encoding: Option<&[u8]>) -> Body {
    let encoding = content_encoding.unwrap_or_default().trim_ascii();
    if !(encoding.is_empty() || encoding.eq_ignore_ascii_case(b"identity")) {
        return Body::Encoded;
    }
    let Ok(content_type) = std::str::from_utf8(content_type.unwrap_or_default()) else {
        return Body::OtherType;
    };
    let mut parts = content_type.split(';').map(str::trim);
    let media_type = parts.next().unwrap_or_default().to_ascii_lowercase();
    let readable = match media_type.as_str() {
        "application/json" => Media::Json,
        "text/event-stream" => Media::EventStream,
        "" | "text/plain" => Media::Unsaid,
        "text/html" | "application/xhtml+xml" => return Body::WebPage,
        _ => return Body::OtherType,
    };
    if parts.all(is_no_foreign_charset) {
        Body::Readable(readable)
    } else {
        Body::OtherCharset
    }
}

fn is_no_foreign_charset(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else {
        return true;
    };
    let value = value.trim().trim_matches('"');
    !name.trim().eq_ignore_ascii_case("charset")
        || ["utf-8", "utf8", "us-ascii"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content_type: &str, expect: Body) {
        let found = body_kind(Some(content_type.as_bytes()), None);
        assert_eq!(found, expect, "{content_type}");
    }

    #[test]
    fn reads_types_and_charsets() {
        check("application/json", Body::Readable(Media::Json));
        check(
            "Application/JSON; charset=\"UTF-8\"",
            Body::Readable(Media::Json),
        );
        check(
            "application/json;charset=utf8; x=y; z",
            Body::Readable(Media::Json),
        );
        check(
            "text/event-stream; charset=utf-8",
            Body::Readable(Media::EventStream),
        );
        check("text/plain", Body::Readable(Media::Unsaid));
        check("", Body::Readable(Media::Unsaid));
        check("application/json; charset=latin1", Body::OtherCharset);
        check("text/event-stream;Charset = utf-16", Body::OtherCharset);
        check("text/html; charset=utf-8", Body::WebPage);
        check("application/octet-stream", Body::OtherType);
        check("application/jsonx", Body::OtherType);
        assert_eq!(body_kind(Some(b"\xff"), None), Body::OtherType);
        assert_eq!(body_kind(None, None), Body::Readable(Media::Unsaid));
    }

    #[test]
    fn encoded_bodies_are_not_read() {
        for (encoding, expect) in [
            ("identity", Body::Readable(Media::Unsaid)),
            ("", Body::Readable(Media::Unsaid)),
            ("gzip", Body::Encoded),
            ("identity, gzip", Body::Encoded),
        ] {
            assert_eq!(
                body_kind(None, Some(encoding.as_bytes())),
                expect,
                "{encoding}"
            );
        }
    }
}
