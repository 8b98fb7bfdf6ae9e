//! A loopback server that behaves as oddly as its path says.
//!
//! One for the whole process, on a thread of its own; `/any/prefix/NAME` behaves as NAME,
//! and what was asked of each path is recorded. Never leaves 127.0.0.1.

mod asked;
mod framing;
mod handshake;
mod listing;
pub(crate) mod rows;
mod statuses;
mod step;

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, OnceLock};

use tokio::net::TcpStream;
use url::Url;

pub(crate) use asked::Asked;

/// The server of this process.
pub(crate) struct Loopback {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// Starts the server, or finds it running.
pub(crate) fn loopback() -> &'static Loopback {
    static SERVER: OnceLock<Loopback> = OnceLock::new();
    SERVER.get_or_init(start)
}

impl Loopback {
    /// Where a path is.
    pub(crate) fn url(&self, path: &str) -> Url {
        format!("http://{}/{path}", self.address).parse().unwrap()
    }

    /// What was asked of the path so far.
    pub(crate) fn asked(&self, path: &str) -> Vec<Asked> {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|a| a.path == path).cloned().collect()
    }

    /// What was asked of all paths that start so.
    pub(crate) fn asked_under(&self, start: &str) -> Vec<Asked> {
        let asked = self.asked.lock().unwrap();
        asked
            .iter()
            .filter(|a| a.path.starts_with(start))
            .cloned()
            .collect()
    }
}

fn start() -> Loopback {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let server = Loopback {
        address: listener.local_addr().unwrap(),
        asked: Arc::default(),
    };
    let asked = Arc::clone(&server.asked);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(accept(listener, asked));
    });
    server
}

async fn accept(listener: TcpListener, asked: Arc<Mutex<Vec<Asked>>>) {
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(converse(stream, Arc::clone(&asked)));
    }
}

/// Answers one connection until either side ends it.
async fn converse(mut stream: TcpStream, all: Arc<Mutex<Vec<Asked>>>) {
    stream.set_nodelay(true).unwrap();
    if is_tls(&stream).await {
        let _ended = step::send("HTTP/1.1 400 Plain HTTP here\r\n\r\n")
            .take(&mut stream)
            .await;
        return;
    }
    while let Some(mut asked) = asked::read(&mut stream).await {
        {
            let mut all = all.lock().unwrap();
            let same = |before: &&Asked| before.path == asked.path && before.rpc == asked.rpc;
            asked.nth = 1 + all.iter().filter(same).count();
            all.push(asked.clone());
        }
        for step in respond(&asked) {
            if step.take(&mut stream).await.is_err() {
                return;
            }
        }
    }
}

/// Is it a TLS handshake that the client begins with?
async fn is_tls(stream: &TcpStream) -> bool {
    let mut first = [0];
    stream.peek(&mut first).await.is_ok() && first == [0x16]
}

/// What the server does: the whole of it odd, or only one part.
fn respond(asked: &Asked) -> Vec<step::Step> {
    if let Some(steps) = statuses::respond(asked) {
        return steps;
    }
    match asked.rpc.as_str() {
        "initialize" => handshake::initialize(asked),
        "server/discover" => handshake::discover(asked),
        "tools/list" => framing::respond(asked).unwrap_or_else(|| listing::respond(asked)),
        _ => handshake::notice(asked),
    }
}

/// A port that nobody may connect to.
pub(crate) struct Canary(TcpListener);

impl Canary {
    /// Opens the port.
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Canary(listener)
    }

    /// The port.
    pub(crate) fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// Did anybody connect?
    pub(crate) fn was_hit(&self) -> bool {
        self.0.accept().is_ok()
    }
}
