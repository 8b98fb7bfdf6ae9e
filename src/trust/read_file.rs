//! bytes → the parts of a [`TrustFile`]: TOML, read strictly, each fault on its line.
//!
//! Obeys design §4. Two spellings of one name, one key in two entries or one header in two
//! letter cases would each be counted by somebody as two, so they are refused.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

use super::file::{Accept, Drift, FailsFrom, Policy, ServerSecrets, Signatures, TrustFile};
use super::place::{Place, is_header_name, is_name, is_reserved, variable};
use super::suppress::SuppressText;
use super::{KeyState, PublicKey, Role, Scheme, TrustFault, TrustProblem, TrustedKey};
use crate::json::Lines;
use crate::untrusted::Untrusted;

const MAX_BYTES: usize = 512 * 1024;
const MAX_KEYS: usize = 256;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct FileText {
    policy: PolicyText,
    key: Vec<KeyText>,
    server: Vec<ServerText>,
    accept: Vec<AcceptText>,
    suppress: Vec<SuppressText>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct PolicyText {
    signatures: Option<Signatures>,
    approvals: Option<Spanned<i64>>,
    unsigned_until: Option<Spanned<Value>>,
    max_age_days: Option<Spanned<i64>>,
    scan: Option<FailsFrom>,
    drift_in_pull_requests: Option<Drift>,
    protected: Vec<String>,
    removed: Vec<Spanned<String>>,
    exclude: Vec<Spanned<String>>,
    audience: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyText {
    name: Spanned<String>,
    role: Role,
    public: Spanned<String>,
    #[serde(default)]
    scheme: Scheme,
    #[serde(default)]
    state: KeyState,
    not_after: Option<Spanned<Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ServerText {
    url: Spanned<String>,
    headers: BTreeMap<String, Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptText {
    server: Spanned<String>,
    rule: Spanned<String>,
    reason: Spanned<String>,
    until: Spanned<Value>,
}

/// Reads a trust file.
pub(super) fn read_file(bytes: &[u8]) -> Result<TrustFile, TrustFault> {
    let lines = Lines::of(bytes);
    let place = Place(&lines);
    if bytes.len() > MAX_BYTES {
        return Err(TrustProblem::TooLarge.somewhere());
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| place.fault(error.valid_up_to(), TrustProblem::NotUtf8))?;
    let file: FileText = toml::from_str(text).map_err(|error| place.shape(&error))?;
    if file.key.len() > MAX_KEYS {
        return Err(TrustProblem::TooManyKeys.somewhere());
    }
    let accepts = file.accept.into_iter();
    let suppresses = file.suppress.into_iter();
    Ok(TrustFile {
        policy: place.policy(file.policy)?,
        keys: place.keys(file.key)?,
        servers: place.servers(file.server)?,
        accepts: accepts
            .map(|entry| place.accept(entry))
            .collect::<Result<_, _>>()?,
        suppresses: suppresses
            .map(|entry| place.suppress(entry))
            .collect::<Result<_, _>>()?,
    })
}

impl TrustProblem {
    pub(super) fn somewhere(self) -> TrustFault {
        TrustFault {
            line: None,
            problem: self,
        }
    }
}

impl Place<'_> {
    fn policy(&self, text: PolicyText) -> Result<Policy, TrustFault> {
        let range = TrustProblem::Range("policy.approvals", "from 1 to 16");
        let approvals = self.number(text.approvals.as_ref(), 16, range)?;
        let range = TrustProblem::Range("policy.max_age_days", "from 1 to 36500");
        let max_age_days = self.number(text.max_age_days.as_ref(), 36_500, range)?;
        let unless = Policy::default();
        Ok(Policy {
            signatures: text.signatures.unwrap_or(unless.signatures),
            approvals: approvals.map_or(unless.approvals, usize::from),
            unsigned_until: self.date_or_none(text.unsigned_until.as_ref())?,
            max_age_days: max_age_days.map(u32::from),
            scan: text.scan.unwrap_or(unless.scan),
            drift_in_pull_requests: text
                .drift_in_pull_requests
                .unwrap_or(unless.drift_in_pull_requests),
            protected: text.protected,
            removed: text
                .removed
                .iter()
                .map(|url| self.url(url))
                .collect::<Result<_, _>>()?,
            exclude: text
                .exclude
                .into_iter()
                .map(|pattern| self.pattern(pattern))
                .collect::<Result<_, _>>()?,
            audience: text
                .audience
                .map(|text| self.said("policy.audience", text))
                .transpose()?,
        })
    }

    fn keys(&self, texts: Vec<KeyText>) -> Result<Vec<TrustedKey>, TrustFault> {
        let mut keys: Vec<TrustedKey> = Vec::with_capacity(texts.len());
        for text in texts {
            let at = text.public.span().start;
            let named_at = text.name.span().start;
            let key = self.key(text)?;
            let named = |key: &TrustedKey| Untrusted::new(&*key.name);
            if let Some(twin) = keys.iter().find(|other| other.key == key.key) {
                let problem = TrustProblem::DuplicateKey(named(twin), named(&key));
                return Err(self.fault(at, problem));
            }
            let folded = key.name.to_lowercase();
            let differs =
                |other: &&TrustedKey| other.name != key.name && other.name.to_lowercase() == folded;
            if let Some(twin) = keys.iter().find(differs) {
                let problem = TrustProblem::NameTwice(named(twin), named(&key));
                return Err(self.fault(named_at, problem));
            }
            keys.push(key);
        }
        Ok(keys)
    }

    fn key(&self, text: KeyText) -> Result<TrustedKey, TrustFault> {
        let name = Untrusted::new(text.name.get_ref());
        if !is_name(name.as_arrived()) {
            return Err(self.at(&text.name, TrustProblem::Name(name)));
        }
        let key = PublicKey::parse(text.public.get_ref())
            .map_err(|bad| self.at(&text.public, TrustProblem::Key(name, bad)))?;
        Ok(TrustedKey {
            name: text.name.into_inner(),
            role: text.role,
            key,
            scheme: text.scheme,
            state: text.state,
            not_after: self.date_or_none(text.not_after.as_ref())?,
        })
    }

    fn servers(&self, texts: Vec<ServerText>) -> Result<Vec<ServerSecrets>, TrustFault> {
        let mut servers: Vec<ServerSecrets> = Vec::with_capacity(texts.len());
        for text in texts {
            let url = self.url(&text.url)?;
            if servers.iter().any(|other| other.url == url) {
                let problem = TrustProblem::DuplicateServer(url.untrusted());
                return Err(self.at(&text.url, problem));
            }
            let headers = self.headers(&text.headers)?;
            servers.push(ServerSecrets { url, headers });
        }
        Ok(servers)
    }

    fn headers(
        &self,
        texts: &BTreeMap<String, Spanned<String>>,
    ) -> Result<BTreeMap<String, String>, TrustFault> {
        let mut headers = BTreeMap::new();
        for (name, source) in texts {
            let variable = variable(source.get_ref())
                .ok_or_else(|| self.at(source, TrustProblem::Secret(Untrusted::new(name))))?;
            if is_reserved(variable) {
                let problem = TrustProblem::Reserved(Untrusted::new(variable));
                return Err(self.at(source, problem));
            }
            let twin = headers.insert(name.to_ascii_lowercase(), variable.to_owned());
            if twin.is_some() || !is_header_name(name) {
                return Err(self.at(source, TrustProblem::Header(Untrusted::new(name))));
            }
        }
        Ok(headers)
    }

    fn accept(&self, text: AcceptText) -> Result<Accept, TrustFault> {
        Ok(Accept {
            server: self.url(&text.server)?,
            rule: self.acceptable(text.rule)?,
            reason: self.said("accept.reason", text.reason)?,
            until: self.date(&text.until)?,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::trust::explain;

    const ALICE: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
    const ALICE_PEM: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=\n-----END PUBLIC KEY-----\n";
    const ALICE_BYTES: &str = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=";

    /// The whole of design §4.
    fn whole() -> String {
        format!(
            r#"[policy]
signatures = "off"
approvals = 2
unsigned_until = 2027-01-31
max_age_days = 180
scan = "medium"
drift_in_pull_requests = "error"
protected = ["main", "release"]
removed = ["https://gone.example.com/mcp"]
exclude = ["tests/fixtures/**"]
audience = "production"

[[key]]
name = "alice"
role = "approver"
public = "{ALICE} alice@laptop"
not_after = 2027-12-01
state = "retired"
scheme = "seal-hex"

[[server]]
url = "https://mcp.example.com/mcp"
headers = {{ Authorization = "env:LOCKGATE_EXAMPLE" }}

[[accept]]
server = "https://oauth.example.com/mcp"
rule = "auth-required"
reason = "OAuth; checked by hand at approval"
until = 2027-03-01T12:00:00+01:00
"#
        )
    }

    #[test]
    fn reads_every_member() {
        let file = TrustFile::parse(whole().as_bytes()).unwrap();
        let url = |text| crate::lock::ServerUrl::parse(text).unwrap();
        let policy = Policy {
            signatures: Signatures::Off,
            approvals: 2,
            unsigned_until: Some("2027-01-31T23:59:59.999Z".parse().unwrap()),
            max_age_days: Some(180),
            scan: FailsFrom::Medium,
            drift_in_pull_requests: Drift::Error,
            protected: vec!["main".into(), "release".into()],
            removed: vec![url("https://gone.example.com/mcp")],
            exclude: vec!["tests/fixtures/**".into()],
            audience: Some("production".into()),
        };
        let key = TrustedKey {
            name: "alice".into(),
            role: Role::Approver,
            key: PublicKey::parse(ALICE_PEM).unwrap(),
            scheme: Scheme::SealHex,
            state: KeyState::Retired,
            not_after: Some("2027-12-01T23:59:59.999Z".parse().unwrap()),
        };
        let server = ServerSecrets {
            url: url("https://mcp.example.com/mcp"),
            headers: [("authorization".into(), "LOCKGATE_EXAMPLE".into())].into(),
        };
        let accept = Accept {
            server: url("https://oauth.example.com/mcp"),
            rule: "auth-required".into(),
            reason: "OAuth; checked by hand at approval".into(),
            until: "2027-03-01T11:00:00Z".parse().unwrap(),
        };
        assert_eq!(
            file,
            TrustFile {
                policy,
                keys: vec![key],
                servers: vec![server],
                accepts: vec![accept],
                suppresses: Vec::new()
            }
        );
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        assert_eq!(TrustFile::parse(b""), Ok(TrustFile::default()));
        assert_eq!(TrustFile::parse(b"[policy]\n"), Ok(TrustFile::default()));
    }

    #[test]
    fn a_key_has_three_spellings() {
        let pem = format!("\"\"\"\n{ALICE_PEM}\"\"\"");
        for public in [&format!("\"{ALICE}\""), &pem, &format!("\"{ALICE_BYTES}\"")] {
            let text = format!("[[key]]\nname = \"alice\"\nrole = \"approver\"\npublic = {public}");
            let file = TrustFile::parse(text.as_bytes()).unwrap();
            assert_eq!(file.keys[0].key, PublicKey::parse(ALICE).unwrap());
            assert_eq!(file.keys[0].scheme, Scheme::Dsse);
            assert_eq!(file.keys[0].state, KeyState::Active);
        }
    }

    /// Where `from` stands in the whole file, `to` is put; the fault must stand on that
    /// line, say that, and have a way out.
    fn check(from: &str, to: &str, line: usize, say: &str) {
        let whole = whole();
        assert!(whole.contains(from), "{from}");
        let text = whole.replacen(from, to, 1);
        refuse(text.as_bytes(), Some(line), say);
    }

    /// The fault must stand on that line, say that, and have a way out.
    pub(in crate::trust) fn refuse(text: &[u8], line: Option<usize>, say: &str) {
        let fault = TrustFile::parse(text).expect_err(say);
        let (sentence, way_out) = explain(&fault);
        let sentence = sentence.in_terminal().to_string();
        assert!(sentence.contains(say), "{sentence}");
        assert_eq!(fault.line, line, "{sentence}");
        assert!(!way_out.in_terminal().to_string().is_empty());
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        check(
            "approvals = 2",
            "aprovals = 2",
            3,
            "unknown field `aprovals`",
        );
        check("[[accept]]", "[[acept]]", 25, "unknown field `acept`");
        check(
            "\nuntil = 2027",
            "\nuntl = 2027",
            29,
            "unknown field `untl`",
        );
        check(
            "role = \"approver\"",
            "role = \"admin\"",
            15,
            "unknown variant `admin`",
        );
        check("\"seal-hex\"", "\"seal\"", 19, "unknown variant `seal`");
        check("\"retired\"", "\"lost\"", 18, "unknown variant `lost`");
        check("\"off\"", "true", 2, "wanted string");
        for level in ["none", "High", "severe", ""] {
            let say = format!(
                "unknown variant `{level}`, expected one of `low`, `medium`, `high`, `never`"
            );
            check("\"medium\"", &format!("\"{level}\""), 6, &say);
        }
        check("scan = \"medium\"", "scan = 3", 6, "wanted string");
        check("[policy]", "[policy", 1, "cannot be read");
        check(
            "approvals = 2",
            "approvals = 2\napprovals = 1",
            4,
            "duplicate key",
        );
        check("name = \"alice\"\n", "", 13, "missing field `name`");
    }

    #[test]
    fn refuses_numbers_and_dates_out_of_range() {
        check(
            "approvals = 2",
            "approvals = 0",
            3,
            "`policy.approvals` is not from 1 to 16",
        );
        check("approvals = 2", "approvals = 17", 3, "from 1 to 16");
        check("approvals = 2", "approvals = -1", 3, "from 1 to 16");
        check("= 180", "= 0", 5, "`policy.max_age_days` is not from 1");
        check("= 180", "= 36501", 5, "from 1 to 36500");
        check(
            "= 2027-01-31",
            "= \"2027-01-31\"",
            4,
            "`2027-01-31` is neither",
        );
        check("= 2027-01-31", "= 2027-02-30", 4, "cannot be read");
        check(
            "= 2027-12-01",
            "= 9999-12-31",
            17,
            "`9999-12-31` is neither",
        );
        check("= 2027-12-01", "= 2027-12-01T00:00:00", 17, "is neither");
        check("= 2027-12-01", "= 20271201", 17, "`integer` is neither");
        check(
            "2027-03-01T12:00:00+01:00",
            "12:00:00",
            29,
            "`12:00:00` is neither",
        );
    }

    #[test]
    fn refuses_keys_that_cannot_be_trusted() {
        let whole_line = &format!("{ALICE} alice@laptop");
        let identity = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        check(whole_line, identity, 16, "anybody can sign");
        check(
            "ssh-ed25519 AAAAC3",
            "ssh-rsa AAAAC3",
            16,
            "of the kind `ssh-rsa`",
        );
        check(ALICE, "ssh-ed25519 AAAA", 16, "neither an `ssh-ed25519");
        check(whole_line, "", 16, "neither an `ssh-ed25519");
        check(
            whole_line,
            "-----BEGIN OPENSSH PRIVATE KEY----- AAAA",
            16,
            "a private key",
        );
        check(whole_line, "one two", 16, "neither an `ssh-ed25519");
        let again = |name| {
            format!(
                "[[key]]\nname = \"{name}\"\nrole = \"approver\"\npublic = \"{ALICE_BYTES}\"\n\n[[server]]"
            )
        };
        check(
            "[[server]]",
            &again("bob"),
            24,
            "the key of `bob` stands here already, as that of `alice`",
        );
        check("[[server]]", &again("alice"), 24, "stands here already");
        let other =
            again("Alice").replace(ALICE_BYTES, "PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=");
        check(
            "[[server]]",
            &other,
            22,
            "`Alice` and `alice` differ in letter case only",
        );
    }

    #[test]
    fn refuses_names_that_a_sink_would_obey_or_a_person_misread() {
        let long = "a".repeat(65);
        for name in [
            "",
            " ",
            "alice ",
            "al\\tice",
            "a\\u200Blice",
            "e\\u0301ve",
            "::error::",
            "<b>",
            "a`b",
            "[x](y)",
            &long,
        ] {
            check(
                "name = \"alice\"",
                &format!("name = \"{name}\""),
                14,
                "is no name",
            );
        }
        for name in ["Ana María", "bob+work@example.com", "ci_bot-1", "李雷"] {
            let text = whole().replace("\"alice\"", &format!("\"{name}\""));
            assert_eq!(
                TrustFile::parse(text.as_bytes()).unwrap().keys[0].name,
                name
            );
        }
    }

    #[test]
    fn refuses_servers_and_headers_that_could_draw_a_secret() {
        check(
            "https://mcp.example.com/mcp",
            "https://MCP.example.com/mcp",
            22,
            "normal form",
        );
        check("https://oauth.example.com/mcp", "oauth", 26, "not a URL");
        check(
            "https://gone.example.com/mcp",
            "https://u:p@gone.example.com",
            9,
            "password",
        );
        for source in [
            "env:TOKEN",
            "env:LOCKGATE_",
            "LOCKGATE_EXAMPLE",
            "env:LOCKGATE_A B",
            "Bearer abc",
            "",
        ] {
            check(
                "env:LOCKGATE_EXAMPLE",
                source,
                23,
                "the value of `Authorization`",
            );
        }
        check("{ Authorization =", "{ \"b ad\" =", 23, "the header `b ad`");
        check(
            "\" }",
            "\", authorization = \"env:LOCKGATE_B\" }",
            23,
            "stands twice",
        );
        check(
            "[[accept]]",
            "[[server]]\nurl = \"https://mcp.example.com/mcp\"\nheaders = {}\n[[accept]]",
            26,
            "has two entries",
        );
        check(
            "OAuth; checked by hand at approval",
            "",
            28,
            "`accept.reason` says nothing",
        );
        check(
            "\"production\"",
            "\"\"",
            11,
            "`policy.audience` says nothing",
        );
    }

    #[test]
    fn refuses_variables_that_are_lockgates_own() {
        for variable in [
            "LOCKGATE_BIN",
            "LOCKGATE_BINARY",
            "LOCKGATE_DOWNLOAD_BASE",
            "LOCKGATE_KEY",
            "LOCKGATE_KEY_FILE",
            "LOCKGATE_TOKEN",
            "LOCKGATE_Token",
        ] {
            let say = format!("the variable `{variable}` is one that lockgate keeps");
            check("LOCKGATE_EXAMPLE", variable, 23, &say);
        }
        for variable in ["LOCKGATE_KEYCLOAK", "LOCKGATE_TOKEN_OF_EXAMPLE"] {
            let text = whole().replace("LOCKGATE_EXAMPLE", variable);
            let file = TrustFile::parse(text.as_bytes()).unwrap();
            assert_eq!(file.servers[0].headers["authorization"], variable);
        }
    }

    #[test]
    fn refuses_to_accept_what_nobody_can() {
        for rule in [
            "",
            "auth-requried",
            "Auth-Required",
            "unsigned-change",
            "cannot-tell",
            "malformed-listing",
            "not-checked",
            "*",
        ] {
            let to = format!("rule = \"{rule}\"");
            let say = format!("`accept.rule` is `{rule}`, which nobody");
            check("rule = \"auth-required\"", &to, 27, &say);
        }
        let fault = TrustProblem::NotAcceptable(Untrusted::new("x")).somewhere();
        let way_out = explain(&fault).1.in_terminal().to_string();
        for reason in crate::trust::ACCEPTABLE {
            let text = whole().replace("auth-required", reason);
            assert!(TrustFile::parse(text.as_bytes()).is_ok(), "{reason}");
            assert!(way_out.contains(&format!("`{reason}`")), "{way_out}");
        }
    }

    #[test]
    fn refuses_patterns_that_match_otherwise_than_they_seem_to() {
        for (pattern, say) in [
            ("", "no path has an empty part"),
            ("/tests/**", "do not begin with `/`"),
            ("tests/fixtures/", "no path has an empty part"),
            ("tests//fixtures", "no path has an empty part"),
            ("./tests/**", "no path has an empty part"),
            ("tests/../x", "no path has an empty part"),
            ("tests\\\\fixtures", "`/` parts folders"),
            ("**.json", "`**` stands alone"),
            ("tests/**x/y", "`**` stands alone"),
            ("tests/***", "`**` stands alone"),
            ("!tests/**", "only `*`"),
            ("tests/{a,b}", "only `*`"),
            ("tests/[ab].json", "only `*`"),
        ] {
            let shown = pattern.replace("\\\\", "\\");
            check("tests/fixtures/**", pattern, 10, say);
            check("tests/fixtures/**", pattern, 10, &format!("`{shown}`"));
        }
        for pattern in ["**", "*.json", "a/**/b?.json", "**/fixtures/**", "a b/ü"] {
            let text = whole().replace("tests/fixtures/**", pattern);
            let file = TrustFile::parse(text.as_bytes()).unwrap();
            assert_eq!(file.policy.exclude, [pattern]);
        }
    }

    #[test]
    fn refuses_what_is_too_much_or_no_text() {
        let large = format!("#{}", " ".repeat(MAX_BYTES));
        refuse(large.as_bytes(), None, "more than 512 KiB");
        let key = format!("[[key]]\nname = \"a\"\nrole = \"issuer\"\npublic = \"{ALICE}\"\n");
        refuse(key.repeat(257).as_bytes(), None, "more than 256 keys");
        refuse(b"[policy]\naudience = \"\xff\"", Some(2), "not UTF-8");
        let deep = format!("x = {}{}", "[".repeat(100_000), "]".repeat(100_000));
        refuse(deep.as_bytes(), Some(1), "cannot be read");
    }
}
