//! A token → as whom it writes, by GitHub's own word.
//!
//! A person's token is asked about at `/user`. That of an app's installation, as each
//! workflow has, is refused there; GraphQL's `viewer` knows it.

use serde::Deserialize;

use super::GitHub;
use super::call::{About, Request};
use super::failure::{Failure, Kind};
use super::reply::UserText;
use crate::untrusted::Untrusted;

/// How the name of everything that an app writes as ends; no person's name can.
const BOT: &str = "[bot]";

#[derive(Deserialize)]
struct ViewerText {
    data: Option<DataText>,
}

#[derive(Deserialize)]
struct DataText {
    viewer: UserText,
}

impl GitHub {
    /// As whom the token writes; `None` where GitHub does not say.
    ///
    /// # Errors
    /// [`Failure`] if nobody answers or the token is not accepted, and for a person's also if
    /// the answer is another one. For an app's that is none: most are the workflow's own,
    /// whose name is known.
    pub async fn login(&mut self) -> Result<Option<Untrusted>, Failure> {
        match self.access.is_of_an_app() {
            true => self.login_of_app().await,
            false => self.login_of_person().await,
        }
    }

    async fn login_of_app(&mut self) -> Result<Option<Untrusted>, Failure> {
        let reply = match self.ask(Request::query("query{viewer{login}}")).await {
            Ok(reply) => reply,
            Err(failure) if is_of_all_requests(&failure.kind) => return Err(failure),
            Err(_) => return Ok(None),
        };
        let viewer = reply.read::<ViewerText>().ok().and_then(|said| said.data);
        Ok(viewer.map(|data| {
            let login = data.viewer.login;
            let name = login.strip_suffix(BOT).unwrap_or(&login);
            Untrusted::new(format!("{name}{BOT}"))
        }))
    }

    async fn login_of_person(&mut self) -> Result<Option<Untrusted>, Failure> {
        let request = Request::get("/user".to_owned(), About::Token);
        match self.ask(request).await {
            Ok(reply) => Ok(Some(Untrusted::new(reply.read::<UserText>()?.login))),
            Err(failure) if failure.kind == Kind::NoPermission => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}

/// Would every other request end like this one?
fn is_of_all_requests(kind: &Kind) -> bool {
    matches!(kind, Kind::BadToken | Kind::NoConnection(_) | Kind::Timeout)
}
