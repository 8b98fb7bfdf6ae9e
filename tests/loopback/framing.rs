//! How the answer to `tools/list` is framed: streams, bodies, ids.

use super::Asked;
use super::listing::{A, many};
use super::step::{
    Step, chunk, error, json, response, result, send, status, stream, stream_head, stream_left_open,
};

const PING: &str = "data: {\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"ping\"}\n\n";
const ROOTS: &str = "data: {\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"roots/list\"}\n\n";
const NOTICE: &str = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n";

/// Answers as the name says, if it says anything about framing.
pub(crate) fn respond(asked: &Asked) -> Option<Vec<Step>> {
    let found = match asked.name().split('-').next()? {
        "sse" => good_events(asked).or_else(|| bad_events(asked)),
        "body" => body(asked),
        "id" => id(asked),
        "endless" => endless(asked),
        _ => return None,
    };
    found.or_else(|| Some(status(500, "no such behaviour")))
}

/// Streams that hold the answer.
fn good_events(asked: &Asked) -> Option<Vec<Step>> {
    let answer = result(asked, A);
    let event = event(asked);
    let (start, end) = answer.split_at(40);
    let (before, after) = answer.split_once(',').unwrap();
    Some(match asked.name() {
        "sse-lf" => stream(&[&event]),
        "sse-crlf" => stream(&[
            "event: message\r",
            "\nid: 1\r\ndata: ",
            start,
            end,
            "\r\n\r",
            "\n",
        ]),
        "sse-cr" => stream(&[&format!("event: message\rdata: {answer}\r\r")]),
        "sse-multi" => stream(&[&format!("data: {before},\ndata:{after}\n\n")]),
        "sse-bytes" => {
            let mut steps = vec![stream_head()];
            steps.extend(event.as_bytes().chunks(1).map(chunk));
            steps.push(send("0\r\n\r\n"));
            steps
        }
        "sse-bom" => stream(&[&format!("\u{feff}{event}")]),
        "sse-no-blank-line" => stream(&[&format!("data: {answer}\n")]),
        "sse-no-line-end" => stream(&[&format!("data: {answer}")]),
        "sse-chunk-extension" => {
            let size = event.len();
            let one = format!("{size:x};a=\"b\"\r\n{event}\r\n0;c\r\n\r\n");
            vec![stream_head(), send(one)]
        }
        "sse-priming" => stream(&["id: 1\nretry: 100\ndata: \n\n", &event]),
        "sse-comments" => stream(&[": hi\n\n", ":\n", &event]),
        "sse-words" => stream(&["data: ping\n\n", "data:\n\n", &event]),
        "sse-left-open" => [stream_left_open(&[&event]), vec![Step::Wait(60_000)]].concat_steps(),
        "sse-asks" => stream(&[PING, ROOTS, NOTICE, &event]),
        "sse-asks-much" => stream(&[&PING.repeat(500), &event]),
        "sse-waits-for-us" => [
            stream_left_open(&[PING]),
            vec![Step::Wait(150), chunk(event.as_bytes()), send("0\r\n\r\n")],
        ]
        .concat_steps(),
        "sse-batch" => stream(&[&format!("data: [{answer}]\n\n")]),
        "sse-large" => stream(&[&format!("data: {}\n\n", result(asked, &many(3_000, 900)))]),
        "sse-wrong-id-first" => stream(&[&with_wrong_id(asked), &event]),
        "sse-flood-then-answer" => stream(&[&NOTICE.repeat(5_000), &event]),
        _ => return None,
    })
}

/// Streams that do not hold it, or not in one way only.
fn bad_events(asked: &Asked) -> Option<Vec<Step>> {
    let event = event(asked);
    let wrong = with_wrong_id(asked);
    Some(match asked.name() {
        "sse-error-event" => stream(&[&format!(
            "event: error\ndata: {}\n\n",
            error(asked, -32000, "")
        )]),
        "sse-two" => stream(&[&event.repeat(2)]),
        "sse-ends" => stream(&[NOTICE]),
        "sse-ends-at-once" => stream(&[]),
        "sse-plain-text" => stream(&["Jwt issuer is not configured"]),
        "sse-half" => stream(&[&format!("{}\n\n", &event[..40])]),
        "sse-wrong-id" => stream(&[&wrong]),
        "sse-wrong-id-left-open" => {
            [stream_left_open(&[&wrong]), vec![Step::Wait(60_000)]].concat_steps()
        }
        "sse-broken" => vec![stream_head(), chunk(&event.as_bytes()[..50]), Step::Close],
        _ => return None,
    })
}

fn event(asked: &Asked) -> String {
    format!("data: {}\n\n", result(asked, A))
}

/// The same for another request.
fn with_wrong_id(asked: &Asked) -> String {
    let id = format!("\"id\":{}", asked.id);
    event(asked).replacen(&id, "\"id\":999", 1)
}

fn body(asked: &Asked) -> Option<Vec<Step>> {
    let answer = result(asked, A);
    let typed = |kind: &str| response(200, &format!("content-type: {kind}\r\n"), &answer);
    let sized = |size: usize| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length";
        send(format!("{head}: {size}\r\n\r\n{answer}"))
    };
    Some(match asked.name() {
        "body-bom" => json(&format!("\u{feff}{answer}")),
        "body-charset" => typed("Application/JSON; charset=\"utf-8\""),
        "body-latin1" => typed("application/json; charset=latin1"),
        "body-plain-type" => typed("text/plain"),
        "body-no-type" => response(200, "", &answer),
        "body-other-type" => typed("application/octet-stream"),
        "body-gzip" => response(
            200,
            "content-type: application/json\r\ncontent-encoding: gzip\r\n",
            "\u{1f}x",
        ),
        "body-words" => response(200, "content-type: text/plain\r\n", "try again"),
        "body-page-untyped" => response(200, "", "<!doctype html><html>"),
        "body-empty" => json(""),
        "body-accepted" => response(202, "", ""),
        "body-none" => vec![send("HTTP/1.1 204 None\r\n\r\n")],
        "body-not-json" => json("try again"),
        "body-trailing" => json(&format!("{answer} x")),
        "body-utf8" => vec![broken_utf8(&answer)],
        "body-short-length" => vec![sized(answer.len() - 9), Step::Close],
        "body-long-length" => vec![sized(answer.len() + 50), Step::Close],
        "body-bad-chunk" => vec![stream_head(), send("zz\r\ndata: x\r\n")],
        "body-to-the-end" => vec![
            send(format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{answer}"
            )),
            Step::Close,
        ],
        "body-batch" => json(&format!("[{answer}]")),
        "body-batch-two" => json(&format!("[{answer},{answer}]")),
        _ => return None,
    })
}

/// The answer with the first byte of every `é` made an `e`.
fn broken_utf8(answer: &str) -> Step {
    let length = answer.len();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
    let whole = [head.as_bytes(), answer.as_bytes()].concat();
    let broken = whole
        .iter()
        .map(|byte| if *byte == 0xc3 { b'e' } else { *byte });
    send(broken.collect::<Vec<_>>())
}

fn id(asked: &Asked) -> Option<Vec<Step>> {
    let id = match asked.name() {
        "id-string" => format!("\"{}\"", asked.id),
        "id-float" => format!("{}.0", asked.id),
        "id-wrong" => "999".into(),
        "id-null" => "null".into(),
        "id-null-error" => {
            return Some(json(
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}"#,
            ));
        }
        _ => return None,
    };
    Some(json(&format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{A}}}"#
    )))
}

fn endless(asked: &Asked) -> Option<Vec<Step>> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"x\":\"";
    Some(match asked.name() {
        "endless-body" => vec![send(head), Step::Forever(vec![b'x'; 64 << 10], 0)],
        "endless-line" => {
            let line = [b"10000\r\n".as_slice(), &[b'x'; 0x10000], b"\r\n"].concat();
            vec![stream_head(), Step::Forever(line, 0)]
        }
        "endless-flood" => {
            let flood = NOTICE.repeat(1_000);
            let one = format!("{:x}\r\n{flood}\r\n", flood.len());
            vec![stream_head(), Step::Forever(one.into_bytes(), 0)]
        }
        "endless-comments" => vec![
            stream_head(),
            Step::Forever(b"3\r\n:\n\n\r\n".to_vec(), 100),
        ],
        "endless-drip" => vec![send(head), Step::Forever(b"x".to_vec(), 1_000)],
        _ => return None,
    })
}

trait ConcatSteps {
    fn concat_steps(self) -> Vec<Step>;
}

impl<const N: usize> ConcatSteps for [Vec<Step>; N] {
    fn concat_steps(self) -> Vec<Step> {
        self.into_iter().flatten().collect()
    }
}
