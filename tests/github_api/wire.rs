//! HTTP/1.1 on loopback, a thread a connection: enough for a client, and for breaking off.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// A request as it came.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: BTreeMap<String, String>,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: String,
}

/// What is done with it.
pub(super) enum Answer {
    Reply(Reply),
    /// The connection is closed without a word.
    Drop,
    /// Nothing is ever said.
    Hang,
}

/// An answer as it goes.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

/// Serves until the test ends; says where.
pub(super) fn serve(
    port: u16,
    answer: impl Fn(Request) -> Answer + Send + Sync + 'static,
) -> String {
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let answer = Arc::clone(&answer);
            // A client that breaks off ends its own thread and nothing else.
            std::thread::spawn(move || drop(converse(&stream.unwrap(), &*answer)));
        }
    });
    origin
}

fn converse(stream: &TcpStream, answer: &dyn Fn(Request) -> Answer) -> std::io::Result<()> {
    let mut from = BufReader::new(stream);
    let mut to = stream;
    while let Some(request) = read(&mut from)? {
        match answer(request) {
            Answer::Drop => return Ok(()),
            Answer::Hang => {
                stream.set_read_timeout(Some(Duration::from_secs(30)))?;
                let _until_the_client_leaves = from.read(&mut [0])?;
                return Ok(());
            }
            Answer::Reply(reply) => to.write_all(written(&reply).as_bytes())?,
        }
    }
    Ok(())
}

fn written(reply: &Reply) -> String {
    let mut text = format!("HTTP/1.1 {} .\r\n", reply.status);
    for (name, value) in &reply.headers {
        text += &format!("{name}: {value}\r\n");
    }
    format!(
        "{text}content-length: {}\r\n\r\n{}",
        reply.body.len(),
        reply.body
    )
}

fn read(from: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.insert(name.to_lowercase(), value.trim().to_owned()),
            None => break,
        };
    }
    let length = headers
        .get("content-length")
        .map_or(0, |value| value.parse().unwrap());
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    let url = url::Url::parse(&format!("http://x{target}")).unwrap();
    Ok(Some(Request {
        method,
        path: url.path().to_owned(),
        query: url.query_pairs().into_owned().collect(),
        headers,
        body: String::from_utf8(body).unwrap(),
    }))
}
