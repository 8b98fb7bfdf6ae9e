//! Members that differ from known ones in nothing but letter case.
//!
//! Some readers ignore letter case: for them `Tools` is `tools`. Where both could be meant,
//! nobody can be sure of what an agent would take (design §1).

use super::Malformed;
use crate::json::Object;

/// Refuses an object with a member that is one of `names` but for letter case.
///
/// # Errors
/// [`Malformed::Protocol`].
pub(crate) fn refuse_twins(members: &Object<'_>, names: &[&str]) -> Result<(), Malformed> {
    match members
        .iter()
        .any(|member| is_twin(member.name.as_str(), names))
    {
        true => Err(Malformed::Protocol(
            "a member that equals one of the protocol's but for letter case",
        )),
        false => Ok(()),
    }
}

/// Would a reader that ignores letter case take `name` for one of `names` that it is not?
pub(super) fn is_twin(name: &str, names: &[&str]) -> bool {
    names
        .iter()
        .any(|of| *of != name && is_equal_but_for_case(of, name))
}

fn is_equal_but_for_case(ascii: &str, name: &str) -> bool {
    if name.is_ascii() {
        ascii.eq_ignore_ascii_case(name)
    } else {
        fold(ascii) == fold(name)
    }
}

/// Folds letter case as lenient readers do: through upper case, so that `ſ` is `s` and
/// the Kelvin sign is `k`.
fn fold(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, refused: bool) {
        let document = crate::json::read(text.as_bytes()).expect("a test's own JSON");
        let members = document.root.as_object().expect("an object");
        let found = refuse_twins(members, &["tools", "nextCursor"]);
        assert_eq!(found.is_err(), refused, "{text}");
    }

    #[test]
    fn a_twin_is_refused_with_or_without_its_original() {
        check(r#"{"tools":1,"nextCursor":2,"other":3,"Other":4}"#, false);
        check(r#"{"tools":1,"Tools":2}"#, true);
        check(r#"{"nextcursor":1}"#, true);
        check("{\"tool\u{17f}\":1}", true);
        check("{}", false);
    }
}
