//! HTTP body → bytes, counted as they arrive.
//!
//! Obeys design §6 for the caps. Reads no further and no longer than is needed.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{self, HeaderValue};
use tokio::time::timeout;

use super::failure::{self, Trouble};
use super::line::Line;
use crate::check::Unlisted;
use crate::wire::{self, Body, Media, Method};

/// Most bytes of a body that is read for a message only.
const SHORT: usize = 64 << 10;

/// How long a body may take to end when we have what we want of it, so that the connection
/// can be kept.
pub(super) const GRACE: Duration = Duration::from_millis(20);

impl Line {
    /// A whole body.
    pub(super) async fn whole(
        &mut self,
        mut response: Response,
        method: Method,
    ) -> Result<Vec<u8>, Trouble> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(&mut response, method).await? {
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// The next bytes of a body, counted.
    pub(super) async fn chunk(
        &mut self,
        response: &mut Response,
        method: Method,
    ) -> Result<Option<impl AsRef<[u8]> + std::ops::Deref<Target = [u8]> + use<>>, Trouble> {
        let what = format!("the end of the answer to `{}`", method.name());
        let chunk = self.patience.wait(&what, response.chunk()).await?;
        let chunk = chunk.map_err(|error| failure::no_connection(&error))?;
        let length = chunk.as_ref().map_or(0, |bytes| bytes.len());
        self.allowance.spend(length, &mut self.patience).await?;
        Ok(chunk)
    }

    /// The start of a body that may say why; nothing is lost if it does not come soon.
    pub(super) async fn short_body(&mut self, mut response: Response, soon: Duration) -> Vec<u8> {
        let mut body = Vec::new();
        let reading = async {
            while let Ok(Some(chunk)) = self.chunk(&mut response, Method::Initialized).await
                && body.len() + chunk.len() <= SHORT
            {
                body.extend_from_slice(&chunk);
            }
        };
        let _what_came_will_do = timeout(soon, reading).await;
        body
    }

    /// Reads a body that holds nothing for us, so that the connection can be kept.
    pub(super) async fn discard(&mut self, response: Response) {
        let kind = response.headers().get(header::CONTENT_TYPE);
        let kind = wire::body_kind(kind.map(HeaderValue::as_bytes), None);
        if kind != Body::Readable(Media::EventStream) {
            self.short_body(response, GRACE).await;
        }
    }

    pub(super) fn too_many_bytes(&self) -> Unlisted {
        failure::too_many_bytes(self.allowance.max())
    }
}
