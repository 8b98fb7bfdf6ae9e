//! `WWW-Authenticate` → the scope that a server demands.
//!
//! Obeys RFC 6750 §3 as far as a message to a person needs it. The addresses in a challenge
//! are not looked at: nothing that a server names is ever fetched.

/// The `scope` of a challenge, as the server wrote it.
pub fn scope(challenge: &str) -> Option<&str> {
    let mut rest = challenge;
    loop {
        let (before, after) = rest.split_once('=')?;
        let name = before.trim_end().rsplit([' ', ',', '\t']).next()?;
        let (value, tail) = value(after.trim_start());
        if name.eq_ignore_ascii_case("scope") {
            return Some(value).filter(|value| !value.is_empty());
        }
        rest = tail;
    }
}

/// A quoted string or a token, and what follows it.
fn value(text: &str) -> (&str, &str) {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => text.split_at(text.find([',', ' ']).unwrap_or(text.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(challenge: &str, expect: Option<&str>) {
        assert_eq!(scope(challenge), expect, "{challenge}");
    }

    #[test]
    fn finds_the_scope() {
        check(
            r#"Bearer resource_metadata="https://a/b?scope=x", scope="a b""#,
            Some("a b"),
        );
        check("Bearer scope=tools:read, error=x", Some("tools:read"));
        check(r#"Bearer SCOPE = "s""#, Some("s"));
        check(r#"Bearer realm="scope=no""#, None);
        check(r#"Bearer scope="""#, None);
        check(r#"Bearer scope="open"#, Some("open"));
        check("Bearer", None);
        check("", None);
        check("===", None);
    }
}
