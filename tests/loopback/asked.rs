//! A connection → what is asked on it.

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

/// One HTTP request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// `POST`, `DELETE`, …
    pub(crate) verb: String,
    /// The path, without the slash it starts with.
    pub(crate) path: String,
    /// The headers, names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// The body.
    pub(crate) body: String,
    /// The JSON-RPC method; empty for an answer of the client's.
    pub(crate) rpc: String,
    /// The JSON-RPC id, as JSON.
    pub(crate) id: String,
    /// The cursor of a page.
    pub(crate) cursor: Option<String>,
    /// How often this path was asked for this method, this time included.
    pub(crate) nth: usize,
}

impl Asked {
    /// The behaviour asked for: the last part of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Reads one request; `None` when the client has ended.
pub(crate) async fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break bytes.drain(..end + 4).collect::<Vec<u8>>();
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let mut asked = parse_head(&String::from_utf8(head).unwrap());
    let length = asked
        .header("content-length")
        .map_or(0, |l| l.parse().unwrap());
    while bytes.len() < length {
        stream.read_buf(&mut bytes).await.ok()?;
    }
    asked.body = String::from_utf8(bytes).unwrap();
    parse_body(&mut asked);
    Some(asked)
}

fn parse_head(head: &str) -> Asked {
    let mut lines = head.lines();
    let mut first = lines.next().unwrap().split(' ');
    let headers = lines.filter_map(|line| line.split_once(": "));
    Asked {
        verb: first.next().unwrap().to_owned(),
        path: first.next().unwrap().trim_start_matches('/').to_owned(),
        headers: headers
            .map(|(n, v)| (n.to_lowercase(), v.to_owned()))
            .collect(),
        ..Asked::default()
    }
}

fn parse_body(asked: &mut Asked) {
    let body: serde_json::Value = serde_json::from_str(&asked.body).unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    asked.rpc = text(&body["method"]).unwrap_or_default();
    asked.id = body["id"].to_string();
    asked.cursor = text(&body["params"]["cursor"]);
}
