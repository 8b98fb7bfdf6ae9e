//! `[[suppress]]`: a finding of the scan that a person has read and lives with.
//!
//! Obeys design §3 and §4: one rule in one text, by digest, with a reason and an end. A
//! text that changes has another digest, and its finding counts again.

use jiff::Timestamp;
use serde::Deserialize;
use toml::{Spanned, Value};

use super::place::Place;
use super::{TrustFault, TrustProblem};
use crate::lock::Digest;
use crate::scan::ScanRule;
use crate::untrusted::Untrusted;

/// A finding of the scan that counts no more until its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppress {
    /// The rule that makes it.
    pub rule: ScanRule,
    /// The digest of what it is found in, as the finding gives it.
    pub sha256: Digest,
    /// Why.
    pub reason: String,
    /// Until when.
    pub until: Timestamp,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SuppressText {
    rule: Spanned<String>,
    sha256: Spanned<String>,
    reason: Spanned<String>,
    until: Spanned<Value>,
}

impl Place<'_> {
    pub(super) fn suppress(&self, text: SuppressText) -> Result<Suppress, TrustFault> {
        let mut known = ScanRule::ALL.iter();
        let rule = known.find(|rule| rule.id() == text.rule.get_ref());
        let no_rule = || TrustProblem::NoScanRule(Untrusted::new(text.rule.get_ref()));
        let no_digest = || TrustProblem::NoDigest(Untrusted::new(text.sha256.get_ref()));
        let sha256 = text.sha256.get_ref().parse();
        Ok(Suppress {
            rule: *rule.ok_or_else(|| self.at(&text.rule, no_rule()))?,
            sha256: sha256.map_err(|_| self.at(&text.sha256, no_digest()))?,
            reason: self.said("suppress.reason", text.reason)?,
            until: self.date(&text.until)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::TrustFile;
    use crate::trust::read_file::tests::refuse;

    const DIGEST: &str = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";

    fn entry() -> String {
        format!(
            "[[suppress]]\nrule = \"must-run-first\"\nsha256 = \"{DIGEST}\"\nreason = \"the server says so of its own tools\"\nuntil = 2027-03-01\n"
        )
    }

    #[test]
    fn reads_an_entry() {
        let file = TrustFile::parse(entry().as_bytes()).unwrap();
        let expected = Suppress {
            rule: ScanRule::MustRunFirst,
            sha256: DIGEST.parse().unwrap(),
            reason: "the server says so of its own tools".into(),
            until: "2027-03-01T23:59:59.999Z".parse().unwrap(),
        };
        assert_eq!(file.suppresses, [expected]);
    }

    fn refuses(from: &str, to: &str, line: Option<usize>, say: &str) {
        let whole = entry();
        assert!(whole.contains(from), "{from}");
        refuse(whole.replacen(from, to, 1).as_bytes(), line, say);
    }

    #[test]
    fn refuses_one_that_is_not_whole() {
        refuses(
            "must-run-first",
            "secrecy",
            Some(2),
            "`secrecy` is no rule of the scan",
        );
        refuses("\"4f", "\"4F", Some(3), "is no digest");
        refuses(
            "\"the server says so of its own tools\"",
            "\" \"",
            Some(4),
            "`suppress.reason` says nothing",
        );
        refuses(
            "reason = \"the server says so of its own tools\"\n",
            "",
            Some(1),
            "missing field `reason`",
        );
        refuses("until = 2027-03-01\n", "", Some(1), "missing field `until`");
        refuses(
            "until =",
            "note = \"x\"\nuntil =",
            Some(5),
            "unknown field `note`",
        );
    }
}
