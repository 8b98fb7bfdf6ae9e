//! What was typed → what it means here: the environment comes in by this door only.

use std::time::Duration;

use anyhow::{Result, anyhow};
use reqwest::header::HeaderValue;

use crate::cli::{self, Reach};
use crate::header::{HeaderSpec, Source};
use lockgate::check::FailOn;
use lockgate::world::mcp::Settings;

/// The limits and permissions that servers are asked under.
pub(crate) fn reach(reach: &Reach) -> Settings {
    Settings {
        deadline: Duration::from_secs(reach.timeout),
        allow_private_hosts: reach.allow_private_hosts.clone(),
        ..Settings::default()
    }
}

/// The headers that were typed.
pub(crate) fn headers(typed: &[String]) -> Result<Vec<HeaderSpec>> {
    let read = |text: &String| {
        HeaderSpec::parse(text).map_err(|bad| anyhow!("`--header` {bad}\nhint: {}", bad.hint()))
    };
    typed.iter().map(read).collect()
}

/// The value of a header, from the environment where it is a secret.
pub(crate) fn header_value(spec: &HeaderSpec) -> Result<HeaderValue> {
    let name = match &spec.value {
        Source::Plain(value) => return Ok(value.clone()),
        Source::Env(name) => name,
    };
    let value = variable(name).ok_or_else(|| {
        anyhow!(
            "the header `{}` takes its value from the environment variable `{name}`, which is not set or empty",
            spec.name
        )
    })?;
    let mut value = HeaderValue::from_str(value.trim())
        .map_err(|_| anyhow!("the environment variable `{name}` holds what no header can"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Does an environment variable hold anything?
pub(crate) fn is_set(name: &str) -> bool {
    variable(name).is_some()
}

/// A variable of the environment; `None` if it is not set or empty.
#[expect(
    clippy::disallowed_methods,
    reason = "the door by which the environment comes in"
)]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Where the ssh-agent of this person listens.
pub(crate) fn agent_socket() -> Option<std::path::PathBuf> {
    variable("SSH_AUTH_SOCK").map(Into::into)
}

impl From<cli::FailOn> for FailOn {
    fn from(typed: cli::FailOn) -> Self {
        match typed {
            cli::FailOn::Error => FailOn::Error,
            cli::FailOn::Warning => FailOn::Warning,
            cli::FailOn::Never => FailOn::Never,
        }
    }
}
