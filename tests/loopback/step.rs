//! What the server does on a connection, step by step.

use std::io::{Error, ErrorKind};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::Asked;

/// One step.
pub(crate) enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Does nothing for some milliseconds.
    Wait(u64),
    /// Sends bytes again and again, so many milliseconds apart.
    Forever(Vec<u8>, u64),
    /// Ends the connection.
    Close,
}

impl Step {
    /// Takes the step; an error ends the connection.
    pub(crate) async fn take(self, stream: &mut TcpStream) -> std::io::Result<()> {
        match self {
            Step::Send(bytes) => stream.write_all(&bytes).await,
            Step::Wait(time) => {
                tokio::time::sleep(Duration::from_millis(time)).await;
                Ok(())
            }
            Step::Forever(bytes, time) => loop {
                stream.write_all(&bytes).await?;
                tokio::time::sleep(Duration::from_millis(time)).await;
            },
            Step::Close => {
                stream.shutdown().await?;
                Err(Error::from(ErrorKind::ConnectionAborted))
            }
        }
    }
}

/// Sends these bytes.
pub(crate) fn send(bytes: impl Into<Vec<u8>>) -> Step {
    Step::Send(bytes.into())
}

/// Never does anything again.
pub(crate) fn hang() -> Vec<Step> {
    vec![Step::Wait(60_000), Step::Close]
}

/// A response with its length said.
pub(crate) fn response(status: u16, headers: &str, body: &str) -> Vec<Step> {
    let length = body.len();
    vec![send(format!(
        "HTTP/1.1 {status} Odd\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    ))]
}

/// A response of a status and a body in words.
pub(crate) fn status(status: u16, body: &str) -> Vec<Step> {
    response(status, "content-type: text/plain\r\n", body)
}

/// A JSON response.
pub(crate) fn json(body: &str) -> Vec<Step> {
    response(200, "content-type: application/json\r\n", body)
}

/// The start of a stream of events.
pub(crate) fn stream_head() -> Step {
    send("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
}

/// One chunk of a stream.
pub(crate) fn chunk(bytes: &[u8]) -> Step {
    let size = format!("{:x}\r\n", bytes.len());
    send([size.as_bytes(), bytes, b"\r\n"].concat())
}

/// A stream of events in these chunks, ended.
pub(crate) fn stream(chunks: &[&str]) -> Vec<Step> {
    let mut steps = stream_left_open(chunks);
    steps.push(send("0\r\n\r\n"));
    steps
}

/// The same, not ended.
pub(crate) fn stream_left_open(chunks: &[&str]) -> Vec<Step> {
    let mut steps = vec![stream_head()];
    for bytes in chunks {
        steps.extend([chunk(bytes.as_bytes()), Step::Wait(3)]);
    }
    steps
}

/// The answer with this result.
pub(crate) fn result(asked: &Asked, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, asked.id)
}

/// The answer with this error.
pub(crate) fn error(asked: &Asked, code: i64, rest: &str) -> String {
    let id = &asked.id;
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"no"{rest}}}}}"#)
}
