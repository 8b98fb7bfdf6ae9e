//! Members that differ from the protocol's in nothing but letter case.
//!
//! Some readers ignore letter case: for them `Tools` is `tools`. Where both could be meant,
//! nobody can be sure of what an agent would take (design §1).

use crate::json::Object;
use crate::lock::Malformed;

/// Refuses an object with a member that is one of `names` but for letter case.
///
/// # Errors
/// [`Malformed::Protocol`].
pub(super) fn refuse_twins(members: &Object<'_>, names: &[&str]) -> Result<(), Malformed> {
    let is_twin = |name: &str| {
        names
            .iter()
            .any(|of| *of != name && of.eq_ignore_ascii_case(name))
    };
    match members.iter().any(|member| is_twin(member.name.as_str())) {
        true => Err(Malformed::Protocol(
            "a member that equals one of the protocol's but for letter case",
        )),
        false => Ok(()),
    }
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
        check("{}", false);
    }
}
