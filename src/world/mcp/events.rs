//! A stream of events → the answer in it.
//!
//! Obeys MCP, Streamable HTTP: the server may say and ask other things first, and may leave
//! the stream open. A stream that ends without the answer is a failure at once.

use reqwest::Response;
use tokio::time::timeout;

use super::answer::{Asked, could_be_message, malformed};
use super::body::GRACE;
use super::failure::{self, Trouble};
use super::line::Line;
use crate::json::{Notice, Value};
use crate::lock::Malformed;
use crate::wire::{Answer, Events, Method};

impl Line {
    /// Finds the answer in a stream of events.
    pub(super) async fn in_events<T>(
        &mut self,
        mut response: Response,
        asked: Asked,
        take: &mut impl FnMut(&Value<'_>, &[Notice]) -> T,
    ) -> Result<T, Trouble> {
        let mut events = Events::new(self.allowance.max());
        let mut found = None;
        while found.is_none() {
            let Some(chunk) = self.chunk(&mut response, asked.0).await? else {
                let last = events.finish();
                found = self.in_batch(last, asked, take)?;
                return found.ok_or_else(stream_ended);
            };
            let batch = events.push(&chunk).map_err(|_| self.too_many_bytes())?;
            found = self.in_batch(batch, asked, take)?;
        }
        let rest = self.rest_of(response, events, asked);
        if let Ok(rest) = timeout(GRACE, rest).await {
            rest?;
        }
        found.ok_or_else(stream_ended)
    }

    /// Reads a stream to its end, in which no second answer may be. What else comes after
    /// the answer has no part in it.
    async fn rest_of(
        &mut self,
        mut response: Response,
        mut events: Events,
        asked: Asked,
    ) -> Result<(), Trouble> {
        while let Ok(Some(chunk)) = self.chunk(&mut response, asked.0).await {
            let batch = events.push(&chunk).unwrap_or_default();
            if let Ok(Some(())) = self.in_batch(batch, asked, &mut |_, _| ()) {
                return Err(two_answers(asked.0));
            }
        }
        Ok(())
    }

    /// Finds the answer among events that arrived together.
    fn in_batch<T>(
        &mut self,
        events: impl IntoIterator<Item = Vec<u8>>,
        asked: Asked,
        take: &mut impl FnMut(&Value<'_>, &[Notice]) -> T,
    ) -> Result<Option<T>, Trouble> {
        let mut found = None;
        for event in events {
            if !could_be_message(&event) {
                continue;
            }
            let taken = self.sift(&event, asked, |mail, notices| match mail.answer {
                Some(Answer::Result(result)) => Ok(Some(take(result, notices))),
                Some(Answer::Error(error)) => Err(failure::rpc_error(&error).into()),
                None => Ok(None),
            })?;
            match taken {
                Ok(Some(_)) if found.is_some() => return Err(two_answers(asked.0)),
                Ok(Some(taken)) => found = Some(taken),
                Ok(None) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(found)
    }
}

fn stream_ended() -> Trouble {
    failure::not_answered("the event stream ended without the answer").into()
}

fn two_answers(method: Method) -> Trouble {
    malformed(method, Malformed::Protocol("two answers to one request"))
}
