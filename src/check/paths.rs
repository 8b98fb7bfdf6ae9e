//! Two JSON values → the places where they differ, as JSON Pointers (RFC 6901).

use crate::json::{Object, Value};
use crate::lock::pointer_token;

use super::ends::between_ends;
use super::keyword::Position;

/// A place where two values differ; `None` where one of them has nothing there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference<'a> {
    /// JSON Pointer from the member compared; `""` is the whole of it.
    pub(super) pointer: String,
    /// The last name of it.
    pub(super) name: &'a str,
    /// Where in a schema that is.
    pub(super) position: Position,
    /// What was approved there.
    pub(super) approved: Option<&'a Value<'a>>,
    /// What is there now.
    pub(super) current: Option<&'a Value<'a>>,
}

/// The deepest places that differ, in the order of the canonical form.
///
/// An item that came or went stands by itself where all others stayed; else arrays of
/// unequal length differ as a whole, as which item left would be a guess. What a schema
/// lists in no order (`required`, `enum`, `type`) is one place.
pub(super) fn differences<'a>(
    approved: Option<&'a Value<'a>>,
    current: Option<&'a Value<'a>>,
    root: Position,
) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    let whole = Difference {
        pointer: String::new(),
        name: "",
        position: root,
        approved,
        current,
    };
    collect(whole, &mut found);
    found
}

/// The differences member by member, also where one of two objects is not there.
pub(super) fn member_differences<'a>(
    approved: Option<&'a Object<'a>>,
    current: Option<&'a Object<'a>>,
) -> Vec<Difference<'a>> {
    let whole = Difference {
        pointer: String::new(),
        name: "",
        position: Position::Data,
        approved: None,
        current: None,
    };
    let mut found = Vec::new();
    for name in names(approved, current) {
        let member = |side: Option<&'a Object<'a>>| side.and_then(|object| object.get(name));
        collect(
            whole.at(name, member(approved), member(current)),
            &mut found,
        );
    }
    found
}

fn collect<'a>(here: Difference<'a>, found: &mut Vec<Difference<'a>>) {
    match (here.approved, here.current) {
        (Some(a), Some(c)) if a == c => {}
        (Some(Value::Object(a)), Some(Value::Object(c))) => {
            for name in names(Some(a), Some(c)) {
                collect(here.at(name, a.get(name), c.get(name)), found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(c))) if !here.position.is_unordered() => {
            items(&here, (a, c), found);
        }
        _ => found.push(here),
    }
}

/// Pairs the items that stand between those that are the same at both ends.
fn items<'a>(
    here: &Difference<'a>,
    (approved, current): (&'a [Value<'a>], &'a [Value<'a>]),
    found: &mut Vec<Difference<'a>>,
) {
    let between = between_ends(approved, current);
    let (a, c) = (between.approved, between.current);
    if a.len() != c.len() && !a.is_empty() && !c.is_empty() {
        found.push(here.clone());
        return;
    }
    for index in 0..a.len().max(c.len()) {
        collect(
            here.item(between.before + index, a.get(index), c.get(index)),
            found,
        );
    }
}

impl<'a> Difference<'a> {
    /// Is it the member `name` itself, and nothing within it?
    pub(super) fn is_member(&self, name: &str) -> bool {
        self.pointer.strip_prefix('/') == Some(name)
    }

    fn at(
        &self,
        name: &'a str,
        approved: Option<&'a Value<'a>>,
        current: Option<&'a Value<'a>>,
    ) -> Self {
        Difference {
            pointer: format!("{}/{}", self.pointer, pointer_token(name)),
            name,
            position: self.position.member(name),
            approved,
            current,
        }
    }

    fn item(
        &self,
        index: usize,
        approved: Option<&'a Value<'a>>,
        current: Option<&'a Value<'a>>,
    ) -> Self {
        Difference {
            pointer: format!("{}/{index}", self.pointer),
            name: "",
            position: self.position.item(),
            approved,
            current,
        }
    }
}

/// The names of both objects, each once, in canonical order.
fn names<'a>(approved: Option<&'a Object<'a>>, current: Option<&'a Object<'a>>) -> Vec<&'a str> {
    let own = |side: Option<&'a Object<'a>>| side.into_iter().flat_map(Object::iter);
    let mut names: Vec<&str> = own(approved)
        .chain(own(current))
        .map(|member| member.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
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
        let found: Vec<_> = differences(Some(&a.root), Some(&c.root), Position::Schema)
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
    fn items_are_paired_wherever_they_stand() {
        check(
            r#"[{"a":1},{"b":1}]"#,
            r#"[{"a":22},{"x":0},{"b":1}]"#,
            &[(
                "",
                Some(r#"[{"a":1},{"b":1}]"#),
                Some(r#"[{"a":22},{"x":0},{"b":1}]"#),
            )],
        );
        check(
            r#"{"0":"long","l":[{"a":1},{"b":1}]}"#,
            r#"{"0":"longer","l":[{"a":1},{"x":0},{"b":1}]}"#,
            &[
                ("/0", Some(r#""long""#), Some(r#""longer""#)),
                ("/l/1", None, Some(r#"{"x":0}"#)),
            ],
        );
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
        check(r#"["a","b"]"#, r#"["b"]"#, &[("/0", Some(r#""a""#), None)]);
        check(
            r#"["a","c"]"#,
            r#"["a","b","c"]"#,
            &[("/1", None, Some(r#""b""#))],
        );
        check(
            r#"["a","b"]"#,
            r#"["c"]"#,
            &[("", Some(r#"["a","b"]"#), Some(r#"["c"]"#))],
        );
        check(
            r#"{"enum":["a","b"],"properties":{"enum":["a","b"]}}"#,
            r#"{"enum":["a","c"],"properties":{"enum":["a","c"]}}"#,
            &[
                ("/enum", Some(r#"["a","b"]"#), Some(r#"["a","c"]"#)),
                ("/properties/enum/1", Some(r#""b""#), Some(r#""c""#)),
            ],
        );
        check("null", "{}", &[("", Some("null"), Some("{}"))]);
    }
}
