//! MCP servers on loopback, as many as a test wants, each with tools that can be changed.
#![allow(dead_code, reason = "each test file uses its part")]
#![expect(clippy::unwrap_used, reason = "a test's own servers")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};

/// What one server offers and what it was asked.
#[derive(Default)]
pub(crate) struct Server {
    pub(crate) tools: Value,
    pub(crate) instructions: Option<String>,
    /// A header it wants, or it answers 401.
    pub(crate) wants: Option<(&'static str, &'static str)>,
    /// How long it takes to answer a listing.
    pub(crate) delay: Duration,
    /// How often each method was called.
    pub(crate) asked: BTreeMap<String, usize>,
    /// The values of the header `x-seen` it was sent.
    pub(crate) seen: Vec<String>,
}

/// A running server.
#[derive(Clone)]
pub(crate) struct Running {
    pub(crate) url: String,
    pub(crate) origin: String,
    state: Arc<Mutex<Server>>,
}

impl Running {
    /// Looks at the server, or changes it.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&mut Server) -> T) -> T {
        look(&mut self.state.lock().unwrap())
    }

    /// How often a method was called.
    pub(crate) fn asked(&self, method: &str) -> usize {
        self.with(|server| server.asked.get(method).copied().unwrap_or(0))
    }

    /// A server beside it: another URL, the same tools.
    pub(crate) fn beside(&self, name: &str) -> String {
        format!("{}/{name}/mcp", self.origin)
    }
}

/// Starts a server on a free port; it runs until the test ends.
pub(crate) fn start(server: Server) -> Running {
    let state = Arc::new(Mutex::new(server));
    let shared = state.clone();
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            let routes = Router::new()
                .route("/mcp", post(answer))
                .route("/{name}/mcp", post(answer))
                .with_state(shared);
            axum::serve(listener, routes).await.unwrap();
        });
    });
    let origin = format!("http://{}", told.recv().unwrap());
    Running {
        url: format!("{origin}/mcp"),
        origin,
        state,
    }
}

async fn answer(
    State(state): State<Arc<Mutex<Server>>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let request: Value = serde_json::from_slice(&body).unwrap();
    let method = request["method"].as_str().unwrap_or_default().to_owned();
    let (result, delay) = {
        let mut server = state.lock().unwrap();
        *server.asked.entry(method.clone()).or_default() += 1;
        server.seen.extend(
            headers
                .get("x-seen")
                .map(|value| value.to_str().unwrap().to_owned()),
        );
        let is_let_in = server
            .wants
            .is_none_or(|(name, value)| headers.get(name).is_some_and(|sent| sent == value));
        if !is_let_in {
            return StatusCode::UNAUTHORIZED.into_response();
        }
        (result(&server, &method), server.delay)
    };
    if method == "tools/list" {
        tokio::time::sleep(delay).await;
    }
    let Some(id) = request.get("id") else {
        return StatusCode::ACCEPTED.into_response();
    };
    match result {
        Some(result) => told(
            StatusCode::OK,
            json!({"jsonrpc": "2.0", "id": id, "result": result}),
        ),
        None => {
            let error = json!({"code": -32601, "message": "Method not found"});
            let answer = json!({"jsonrpc": "2.0", "id": id, "error": error});
            told(StatusCode::NOT_FOUND, answer)
        }
    }
}

fn told(status: StatusCode, answer: Value) -> Response {
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        answer.to_string(),
    )
        .into_response()
}

fn result(server: &Server, method: &str) -> Option<Value> {
    let mut result = match method {
        "initialize" => json!({
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
            "serverInfo": {"name": "fleet", "version": "1.0.0"}
        }),
        "tools/list" => json!({"tools": server.tools}),
        _ => return None,
    };
    if let (Some(text), "initialize") = (&server.instructions, method) {
        result["instructions"] = json!(text);
    }
    Some(result)
}
