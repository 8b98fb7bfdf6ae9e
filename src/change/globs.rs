//! `policy.exclude` → which paths it leaves out: `*` within a name, `**` across folders, `?`.

/// Patterns of paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Globs(Vec<String>);

impl Globs {
    /// Takes patterns such as `tests/fixtures/**`.
    pub fn new(patterns: &[String]) -> Self {
        Globs(patterns.to_vec())
    }

    /// Does any of them match the whole path?
    pub fn matches(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').collect();
        self.0.iter().any(|glob| {
            let patterns: Vec<&str> = glob.split('/').collect();
            folders(&patterns, &parts)
        })
    }
}

fn folders(patterns: &[&str], parts: &[&str]) -> bool {
    match (patterns.split_first(), parts.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => (0..=parts.len())
            .any(|taken| parts.get(taken..).is_some_and(|left| folders(rest, left))),
        (Some((pattern, patterns)), Some((part, parts))) => {
            name(pattern.as_bytes(), part.as_bytes()) && folders(patterns, parts)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Walks back to the last `*` only, so that no pattern takes long.
fn name(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        match (pattern.get(p), text.get(t)) {
            (Some(b'*'), _) => {
                star = Some((p + 1, t));
                p += 1;
            }
            (Some(a), Some(b)) if *a == b'?' || a == b => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((after, from)) => {
                    star = Some((after, from + 1));
                    p = after;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        for (glob, path, expect) in [
            ("tests/fixtures/**", "tests/fixtures/a/b.json", true),
            ("tests/fixtures/**", "tests/other.json", false),
            ("**/fixtures/*.json", "a/b/fixtures/x.json", true),
            ("**/fixtures/*.json", "fixtures/x.json", true),
            ("*.json", "x.json", true),
            ("*.json", "a/x.json", false),
            ("a?c/*b*d", "abc/xbyd", true),
            ("a?c/*b*d", "abc/xby", false),
            ("**", "any/thing", true),
        ] {
            assert_eq!(
                Globs::new(&[glob.to_owned()]).matches(path),
                expect,
                "{glob} {path}"
            );
        }
    }
}
