//! What a word of an order stands for, the same in every language.

/// Declares the concepts once: the enum, and the names that the word lists use.
macro_rules! concepts {
    ($($name:ident = $written:literal),* $(,)?) => {
        /// What a word or phrase stands for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) enum Concept {
            $(
                #[doc = $written]
                $name,
            )*
        }

        impl Concept {
            /// The concept that a word list calls so.
            pub(super) fn named(written: &str) -> Option<Self> {
                match written {
                    $($written => Some(Concept::$name),)*
                    _ => None,
                }
            }
        }
    };
}

concepts!(
    Ignore = "ignore",
    Ignored = "ignored",
    Bypass = "bypass",
    Supersede = "supersede",
    Prior = "prior",
    PriorWeak = "priorweak",
    Own = "own",
    Told = "told",
    All = "all",
    Instr = "instr",
    InstrWeak = "instrweak",
    SysPrompt = "sysprompt",
    Safety = "safety",
    NewRole = "newrole",
    NewTask = "newtask",
    Trust = "trust",
    Reveal = "reveal",
    Display = "display",
    Telling = "telling",
    ToldOf = "told_of",
    Untold = "untold",
    Hide = "hide",
    HiddenFrom = "hidden_from",
    Secretly = "secretly",
    SecretOp = "secretop",
    User = "user",
    Not = "not",
    MustNot = "mustnot",
    This = "this",
    Harmless = "harmless",
    Read = "read",
    Pass = "pass",
    Send = "send",
    Conveyed = "conveyed",
    Want = "want",
    Passive = "passive",
    First = "first",
    Path = "path",
    Secret = "user_secret",
    Private = "private",
    Talk = "talk",
    WholeTalk = "wholetalk",
    UserMessage = "usermessage",
    Contents = "contents",
    Data = "data",
    Wide = "wide",
    Field = "field",
    ModelName = "modelname",
    Caller = "caller",
    ThisTool = "thistool",
    Other = "other",
    AnyTool = "anytool",
    Best = "best",
    OfAll = "ofall",
    Tool = "tool",
    Prefer = "prefer",
    Shun = "shun",
    Mention = "mention",
    Defence = "defence",
    When = "when",
    Alter = "alter",
    Address = "address",
    CopyTo = "copyto",
    Run = "run",
    Encoded = "encoded",
    Malice = "malice",
    Conflict = "conflict",
    Follow = "follow",
    Found = "found",
    Answer = "answer",
    Hush = "hush",
    Unbound = "unbound",
    Cover = "cover",
    Addressed = "addressed",
    Obey = "obey",
    AsIf = "asif",
    Despite = "despite",
    Usurp = "usurp",
    Also = "also",
);

impl Concept {
    /// Its bit in a set of concepts.
    pub(super) fn bit(self) -> u128 {
        1 << (self as u32)
    }

    /// Is it done, and so ordered, allowed, denied or only spoken of?
    pub(super) fn is_a_deed(self) -> bool {
        const DEEDS: [Concept; 14] = [
            Concept::Obey,
            Concept::Ignore,
            Concept::Ignored,
            Concept::Bypass,
            Concept::Supersede,
            Concept::NewRole,
            Concept::Hide,
            Concept::Read,
            Concept::Pass,
            Concept::Send,
            Concept::CopyTo,
            Concept::Alter,
            Concept::Run,
            Concept::Reveal,
        ];
        DEEDS.contains(&self)
    }

    /// A word that binds others together, and so counts only beside words of its own
    /// language; nouns and verbs are borrowed across languages.
    pub(super) fn binds(self) -> bool {
        const BINDING: u128 = (1 << Concept::Not as u32)
            | (1 << Concept::MustNot as u32)
            | (1 << Concept::Want as u32)
            | (1 << Concept::First as u32)
            | (1 << Concept::This as u32)
            | (1 << Concept::Mention as u32)
            | (1 << Concept::All as u32)
            | (1 << Concept::Own as u32)
            | (1 << Concept::Prior as u32)
            | (1 << Concept::PriorWeak as u32)
            | (1 << Concept::Wide as u32)
            | (1 << Concept::Defence as u32);
        BINDING & self.bit() != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_concept_has_its_bit() {
        assert!((Concept::Also as u32) < 128);
        assert!(Concept::Not.binds() && !Concept::Path.binds());
    }
}
