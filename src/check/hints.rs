//! A tool's annotations → what it says of itself now that it did not say before.
//!
//! Obeys the protocol's `ToolAnnotations`: a hint that is not given has a meaning too, and
//! `destructiveHint` and `idempotentHint` mean nothing where a tool only reads.

use crate::json::{Object, Value};

/// A hint of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hint {
    /// `readOnlyHint`
    ReadOnly,
    /// `destructiveHint`
    Destructive,
    /// `idempotentHint`
    Idempotent,
    /// `openWorldHint`
    OpenWorld,
}

impl Hint {
    const ALL: [Hint; 4] = [
        Hint::ReadOnly,
        Hint::Destructive,
        Hint::Idempotent,
        Hint::OpenWorld,
    ];

    /// The hint of that name.
    pub(super) fn of(name: &str) -> Option<Self> {
        Hint::ALL.into_iter().find(|hint| hint.name() == name)
    }

    /// As it stands in annotations.
    pub(super) fn name(self) -> &'static str {
        match self {
            Hint::ReadOnly => "readOnlyHint",
            Hint::Destructive => "destructiveHint",
            Hint::Idempotent => "idempotentHint",
            Hint::OpenWorld => "openWorldHint",
        }
    }

    /// What is assumed of a tool that does not give it.
    fn unsaid(self) -> Said {
        match self {
            Hint::ReadOnly | Hint::Idempotent => Said::No,
            Hint::Destructive | Hint::OpenWorld => Said::Yes,
        }
    }
}

/// What a tool says of itself by a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Yes,
    No,
    Nothing,
    Unclear,
}

/// What a changed hint means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HintMove {
    /// It said that it only reads, and says so no longer.
    NoLongerReadOnly,
    /// It said that it only reads, and now says outright that it may change things.
    MayChange,
    /// It says that it only reads.
    NowReadOnly,
    /// It said that it destroys nothing, and says so no longer.
    NoLongerHarmless,
    /// It says that it may destroy.
    MayDestroy,
    /// It says that it may destroy, as was assumed while it said nothing.
    MayDestroyOutright,
    /// As it no longer only reads, it is taken to destroy: nothing says otherwise.
    TakenToDestroy,
    /// It says that it destroys nothing.
    NowHarmless,
    /// It said that a call repeated does no more, and says so no longer.
    NoLongerIdempotent,
    /// It says that a call repeated does no more.
    NowIdempotent,
    /// It said that it keeps to a closed world, and says so no longer.
    NoLongerClosed,
    /// It says that it reaches out to the world.
    ReachesOut,
    /// It says that it keeps to a closed world.
    NowClosed,
    /// It says what is assumed where nothing is said, or no longer does.
    SameAsUnsaid,
    /// What stands there is neither `true` nor `false`.
    Unclear,
}

impl HintMove {
    /// As it stands in an answer.
    pub fn name(self) -> &'static str {
        match self {
            HintMove::NoLongerReadOnly => "no-longer-read-only",
            HintMove::MayChange => "may-change",
            HintMove::NowReadOnly => "now-read-only",
            HintMove::NoLongerHarmless => "no-longer-harmless",
            HintMove::MayDestroy => "may-destroy",
            HintMove::MayDestroyOutright => "may-destroy-outright",
            HintMove::TakenToDestroy => "taken-to-destroy",
            HintMove::NowHarmless => "now-harmless",
            HintMove::NoLongerIdempotent => "no-longer-idempotent",
            HintMove::NowIdempotent => "now-idempotent",
            HintMove::NoLongerClosed => "no-longer-closed",
            HintMove::ReachesOut => "reaches-out",
            HintMove::NowClosed => "now-closed",
            HintMove::SameAsUnsaid => "same-as-unsaid",
            HintMove::Unclear => "unclear",
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            HintMove::NoLongerReadOnly => "no longer says it only reads",
            HintMove::MayChange => "no longer says it only reads: now says it may change things",
            HintMove::NowReadOnly => "now says it only reads",
            HintMove::NoLongerHarmless => {
                "no longer says it destroys nothing: where nothing is said, it may"
            }
            HintMove::MayDestroy => "now says it may destroy",
            HintMove::MayDestroyOutright => {
                "now says it may destroy, as was assumed while it said nothing"
            }
            HintMove::TakenToDestroy => "so it may destroy: nothing says that it does not",
            HintMove::NowHarmless => "now says it destroys nothing",
            HintMove::NoLongerIdempotent => "no longer says that a call repeated does no more",
            HintMove::NowIdempotent => "now says that a call repeated does no more",
            HintMove::NoLongerClosed => {
                "no longer says it keeps to a closed world: where nothing is said, it reaches out"
            }
            HintMove::ReachesOut => "now says it reaches out to the world",
            HintMove::NowClosed => "now says it keeps to a closed world",
            HintMove::SameAsUnsaid => "says the same as where nothing is said",
            HintMove::Unclear => {
                "neither `true` nor `false`: clients differ in what they make of it"
            }
        }
    }

    /// Does it take back a promise?
    pub fn takes_back(self) -> bool {
        match self {
            HintMove::NoLongerReadOnly
            | HintMove::MayChange
            | HintMove::NoLongerHarmless
            | HintMove::MayDestroy
            | HintMove::MayDestroyOutright
            | HintMove::TakenToDestroy
            | HintMove::NoLongerIdempotent
            | HintMove::NoLongerClosed
            | HintMove::ReachesOut
            | HintMove::Unclear => true,
            HintMove::NowReadOnly
            | HintMove::NowHarmless
            | HintMove::NowIdempotent
            | HintMove::NowClosed
            | HintMove::SameAsUnsaid => false,
        }
    }
}

/// The annotations of both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Annotations<'a> {
    pub(super) approved: Option<&'a Object<'a>>,
    pub(super) current: Option<&'a Object<'a>>,
}

impl Annotations<'_> {
    /// What a hint that differs means.
    pub(super) fn moves(self, hint: Hint) -> Vec<HintMove> {
        let (was, is) = (said(self.approved, hint), said(self.current, hint));
        let mut told = told(hint, was, is);
        // Of a tool that only reads nothing of the kind was assumed.
        let only_read = said(self.approved, Hint::ReadOnly) == Said::Yes;
        if only_read && told == HintMove::MayDestroyOutright {
            told = HintMove::MayDestroy;
        }
        let lost = matches!(told, HintMove::NoLongerReadOnly | HintMove::MayChange);
        let destroys = taken(Hint::Destructive, said(self.current, Hint::Destructive));
        let untold =
            said(self.approved, Hint::Destructive) == said(self.current, Hint::Destructive);
        match lost && untold && destroys == Said::Yes {
            true => vec![told, HintMove::TakenToDestroy],
            false => vec![told],
        }
    }
}

fn said(annotations: Option<&Object<'_>>, hint: Hint) -> Said {
    match annotations.and_then(|annotations| annotations.get(hint.name())) {
        None => Said::Nothing,
        Some(Value::Bool(true)) => Said::Yes,
        Some(Value::Bool(false)) => Said::No,
        Some(
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_),
        ) => Said::Unclear,
    }
}

fn taken(hint: Hint, said: Said) -> Said {
    match said {
        Said::Nothing => hint.unsaid(),
        Said::Yes | Said::No | Said::Unclear => said,
    }
}

fn told(hint: Hint, was: Said, is: Said) -> HintMove {
    let (before, after) = (taken(hint, was), taken(hint, is));
    match (hint, after) {
        (_, Said::Unclear) => HintMove::Unclear,
        (Hint::Destructive, Said::Yes) if before == after && is == Said::Yes => {
            HintMove::MayDestroyOutright
        }
        _ if before == after => HintMove::SameAsUnsaid,
        _ if before == Said::Unclear && is == Said::Nothing => HintMove::SameAsUnsaid,
        (Hint::ReadOnly, Said::Yes) => HintMove::NowReadOnly,
        (Hint::ReadOnly, Said::No | Said::Nothing) if is == Said::Nothing => {
            HintMove::NoLongerReadOnly
        }
        (Hint::ReadOnly, Said::No | Said::Nothing) => HintMove::MayChange,
        (Hint::Destructive, Said::Yes) if is == Said::Nothing => HintMove::NoLongerHarmless,
        (Hint::Destructive, Said::Yes) => HintMove::MayDestroy,
        (Hint::Destructive, Said::No | Said::Nothing) => HintMove::NowHarmless,
        (Hint::Idempotent, Said::Yes) => HintMove::NowIdempotent,
        (Hint::Idempotent, Said::No | Said::Nothing) => HintMove::NoLongerIdempotent,
        (Hint::OpenWorld, Said::Yes) if is == Said::Nothing => HintMove::NoLongerClosed,
        (Hint::OpenWorld, Said::Yes) => HintMove::ReachesOut,
        (Hint::OpenWorld, Said::No | Said::Nothing) => HintMove::NowClosed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;

    fn check(hint: Hint, approved: &str, current: &str, expect: &[HintMove]) {
        let (a, c) = (
            read(approved.as_bytes()).unwrap(),
            read(current.as_bytes()).unwrap(),
        );
        let annotations = Annotations {
            approved: a.root.as_object(),
            current: c.root.as_object(),
        };
        assert_eq!(annotations.moves(hint), expect, "{approved} {current}");
    }

    #[test]
    fn what_is_not_said_has_a_meaning_too() {
        use HintMove::*;
        let (read, destroy) = (Hint::ReadOnly, Hint::Destructive);
        let only_reads = r#"{"readOnlyHint":true}"#;
        check(
            read,
            only_reads,
            "null",
            &[NoLongerReadOnly, TakenToDestroy],
        );
        check(
            read,
            only_reads,
            r#"{"readOnlyHint":false}"#,
            &[MayChange, TakenToDestroy],
        );
        check(
            read,
            only_reads,
            r#"{"destructiveHint":true}"#,
            &[NoLongerReadOnly],
        );
        check(
            read,
            r#"{"destructiveHint":false,"readOnlyHint":true}"#,
            r#"{"destructiveHint":false}"#,
            &[NoLongerReadOnly],
        );
        check(read, "{}", r#"{"readOnlyHint":false}"#, &[SameAsUnsaid]);
        check(read, "{}", only_reads, &[NowReadOnly]);
        check(read, only_reads, r#"{"readOnlyHint":"yes"}"#, &[Unclear]);
        check(read, r#"{"readOnlyHint":"yes"}"#, "{}", &[SameAsUnsaid]);
        let (destroys, harmless) = (
            r#"{"destructiveHint":true}"#,
            r#"{"destructiveHint":false}"#,
        );
        check(destroy, "null", destroys, &[MayDestroyOutright]);
        check(destroy, only_reads, destroys, &[MayDestroy]);
        check(destroy, harmless, destroys, &[MayDestroy]);
        check(destroy, harmless, "{}", &[NoLongerHarmless]);
        check(destroy, destroys, "{}", &[SameAsUnsaid]);
        check(destroy, "{}", harmless, &[NowHarmless]);
        let closed = r#"{"openWorldHint":false}"#;
        check(Hint::OpenWorld, closed, "{}", &[NoLongerClosed]);
        check(
            Hint::OpenWorld,
            closed,
            r#"{"openWorldHint":true}"#,
            &[ReachesOut],
        );
        check(Hint::OpenWorld, "{}", closed, &[NowClosed]);
        let idempotent = r#"{"idempotentHint":true}"#;
        check(Hint::Idempotent, idempotent, "{}", &[NoLongerIdempotent]);
        check(Hint::Idempotent, "{}", idempotent, &[NowIdempotent]);
    }
}
