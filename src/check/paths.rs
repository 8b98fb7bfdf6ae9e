//! Two JSON values → the places where they differ, as JSON Pointers (RFC 6901).

use crate::json::{Object, Value};
use crate::lock::pointer_token;

/// A place where two values differ; `None` where one of them has nothing there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference<'a> {
    /// JSON Pointer from the member compared; `""` is the whole of it.
    pub(super) pointer: String,
    /// What was approved there.
    pub(super) approved: Option<&'a Value<'a>>,
    /// What is there now.
    pub(super) current: Option<&'a Value<'a>>,
}

/// The deepest places that differ, in the order of the canonical form.
///
/// Arrays of unequal length differ as a whole: which item left is a guess.
pub(super) fn differences<'a>(
    approved: &'a Value<'a>,
    current: &'a Value<'a>,
) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    collect(String::new(), Some(approved), Some(current), &mut found);
    found
}

fn collect<'a>(
    pointer: String,
    approved: Option<&'a Value<'a>>,
    current: Option<&'a Value<'a>>,
    found: &mut Vec<Difference<'a>>,
) {
    match (approved, current) {
        (Some(a), Some(c)) if a == c => {}
        (Some(Value::Object(a)), Some(Value::Object(c))) => {
            for name in names(a, c) {
                collect(
                    format!("{pointer}/{}", pointer_token(name)),
                    a.get(name),
                    c.get(name),
                    found,
                );
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(c))) if a.len() == c.len() => {
            for (index, (a, c)) in a.iter().zip(c).enumerate() {
                collect(format!("{pointer}/{index}"), Some(a), Some(c), found);
            }
        }
        _ => found.push(Difference {
            pointer,
            approved,
            current,
        }),
    }
}

/// The names of both objects, each once, in canonical order.
fn names<'a>(approved: &'a Object<'a>, current: &'a Object<'a>) -> Vec<&'a str> {
    let own = |object: &'a Object<'a>| object.iter().map(|member| member.name.as_str());
    let mut names: Vec<&str> = own(approved)
        .chain(own(current).filter(|name| approved.get(name).is_none()))
        .collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{canonical, read};

    fn check(approved: &str, current: &str, expect: &[(&str, Option<&str>, Option<&str>)]) {
        let (a, c) = (
            read(approved.as_bytes()).unwrap(),
            read(current.as_bytes()).unwrap(),
        );
        let spelled = |value: Option<&Value<'_>>| value.map(canonical);
        let found: Vec<_> = differences(&a.root, &c.root)
            .into_iter()
            .map(|d| (d.pointer, spelled(d.approved), spelled(d.current)))
            .collect();
        let expect: Vec<_> = expect
            .iter()
            .map(|(p, a, c)| (p.to_string(), a.map(str::to_owned), c.map(str::to_owned)))
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn rows() {
        check("{}", "{}", &[]);
        check("1", "2", &[("", Some("1"), Some("2"))]);
        check(
            r#"{"a":{"b":1}}"#,
            r#"{"a":{"b":2}}"#,
            &[("/a/b", Some("1"), Some("2"))],
        );
        check(r#"{"a":null}"#, "{}", &[("/a", Some("null"), None)]);
        check(
            "{}",
            r#"{"x/y":1,"~":2}"#,
            &[("/x~1y", None, Some("1")), ("/~0", None, Some("2"))],
        );
        check(
            r#"[1,[2]]"#,
            r#"[1,[3]]"#,
            &[("/1/0", Some("2"), Some("3"))],
        );
        check(
            r#"["a","b"]"#,
            r#"["b"]"#,
            &[("", Some(r#"["a","b"]"#), Some(r#"["b"]"#))],
        );
        check("null", "{}", &[("", Some("null"), Some("{}"))]);
    }
}
