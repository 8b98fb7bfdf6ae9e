//! API URL, repository and token, as they come from outside → [`Access`], checked.
//!
//! What octocrab would panic on (a token with a line feed) or send astray is refused here,
//! and a token is never printed.

use url::{Host, Url};

/// Where the issues are, and the right to write them.
#[derive(Clone)]
pub struct Access {
    api_url: Url,
    repository: String,
    token: String,
}

/// Why access cannot be had; each is a fault of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadAccess {
    /// The API URL is no plain https URL.
    #[error("the GitHub API URL is not one: https, a host, perhaps a path, and nothing else")]
    ApiUrl,
    /// The repository is not `owner/name`.
    #[error("the repository is not `owner/name`")]
    Repository,
    /// There is no token.
    #[error("there is no token to write issues with")]
    NoToken,
    /// The token holds what no header can.
    #[error("the token holds a character that no token has, a line feed perhaps")]
    Token,
}

impl Access {
    /// Takes the three as they stand in the environment (`GITHUB_API_URL`,
    /// `GITHUB_REPOSITORY`, the input `token`).
    ///
    /// # Errors
    /// [`BadAccess`] names the one that will not do.
    pub fn new(api_url: &str, repository: &str, token: &str) -> Result<Self, BadAccess> {
        if token.is_empty() {
            return Err(BadAccess::NoToken);
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadAccess::Token);
        }
        let is_name = |name: &str| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            !name.is_empty() && name.chars().all(is_plain) && name != "." && name != ".."
        };
        match repository.split_once('/') {
            Some((owner, name)) if is_name(owner) && is_name(name) => {}
            _ => return Err(BadAccess::Repository),
        }
        Ok(Access {
            api_url: api(api_url).ok_or(BadAccess::ApiUrl)?,
            repository: repository.to_owned(),
            token: token.to_owned(),
        })
    }

    pub(super) fn api_url(&self) -> &Url {
        &self.api_url
    }

    /// What `/graphql` is below, at the same host: beside an enterprise's `/api/v3`, else
    /// where the rest is.
    pub(super) fn graphql_url(&self) -> Url {
        let mut url = self.api_url.clone();
        let path = url.path().trim_end_matches('/');
        let above = path.strip_suffix("/v3").unwrap_or(path).to_owned();
        url.set_path(&above);
        url
    }

    /// Is the token one of an app's installation, as each workflow has?
    pub(super) fn is_of_an_app(&self) -> bool {
        self.token.starts_with("ghs_")
    }

    pub(super) fn repository(&self) -> &str {
        &self.repository
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }
}

/// Never shows the token.
impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Access({}, {})", self.api_url, self.repository)
    }
}

/// A token leaves this machine encrypted, or not at all.
fn api(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let is_here = match url.host()? {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
        Host::Domain(name) => name == "localhost",
    };
    let is_safe = url.scheme() == "https" || (url.scheme() == "http" && is_here);
    let is_bare = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    (is_safe && is_bare).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(api_url: &str, repository: &str, token: &str, expect: Option<BadAccess>) {
        let access = Access::new(api_url, repository, token);
        assert_eq!(
            access.as_ref().err(),
            expect.as_ref(),
            "{api_url} {repository} {token}"
        );
        assert!(!format!("{access:?}").contains("ghs_secret"));
    }

    #[test]
    fn graphql_is_asked_at_the_same_host() {
        for (api_url, expect) in [
            ("https://api.github.com", "https://api.github.com/"),
            ("https://api.acme.ghe.com/", "https://api.acme.ghe.com/"),
            ("https://a.example/api/v3", "https://a.example/api"),
            ("https://a.example/api/v3/", "https://a.example/api"),
        ] {
            let access = Access::new(api_url, "acme/widgets", "ghs_secret").unwrap();
            assert_eq!(access.graphql_url().as_str(), expect);
        }
    }

    #[test]
    fn what_will_not_do_is_named() {
        let (api, repository, token) = ("https://api.github.com", "acme/widgets", "ghs_secret");
        check(api, repository, token, None);
        check(
            "https://github.acme.example/api/v3",
            repository,
            token,
            None,
        );
        check("http://127.0.0.1:4010", repository, token, None);
        check("http://[::1]:4010/api/v3/", repository, token, None);
        for bad in [
            "",
            "api.github.com",
            "http://api.github.com",
            "ftp://x/",
            "https://u:p@x/",
            "https://x/?a",
            "https://x/#a",
            "http://127.0.0.1.example/",
        ] {
            check(bad, repository, token, Some(BadAccess::ApiUrl));
        }
        for bad in [
            "", "acme", "acme/", "/w", "a/b/c", "a/..", "../b", "a/b?x", "a b/c", "a/b\n",
        ] {
            check(api, bad, token, Some(BadAccess::Repository));
        }
        check(api, repository, "", Some(BadAccess::NoToken));
        for bad in [
            "ghs_secret\n",
            "ghs_secret\r\nX: y",
            "ghs secret",
            "ghs_sécret",
        ] {
            check(api, repository, bad, Some(BadAccess::Token));
        }
    }
}
