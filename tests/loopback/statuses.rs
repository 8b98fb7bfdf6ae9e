//! Servers that are odd whatever they are asked: statuses, redirects, silence.

use super::Asked;
use super::step::{Step, hang, response, send, status};

/// Answers as the name says, if it says anything about the whole server.
pub(crate) fn respond(asked: &Asked) -> Option<Vec<Step>> {
    if asked.verb != "POST" {
        return Some(status(200, ""));
    }
    let (kind, rest) = asked.name().split_once('-')?;
    match kind {
        "status" => by_status(asked, rest),
        "moved" => moved(asked, rest),
        "silent" => silent(rest),
        _ => None,
    }
}

fn by_status(asked: &Asked, name: &str) -> Option<Vec<Step>> {
    let first = asked.rpc == "initialize" && asked.nth == 1;
    let busy = |wait: &str| response(429, &format!("retry-after: {wait}\r\n"), "slow down");
    let challenge = "www-authenticate: Bearer resource_metadata=\"http://127.0.0.1:1/\", scope=\"tools:read\"\r\n";
    Some(match name {
        "401-challenge" => response(401, challenge, ""),
        "403-challenge" => response(403, challenge, ""),
        "429-once" if first => busy("1"),
        "429-once-unclear" if first => busy("soon"),
        "429-seconds" => busy("3600"),
        "429-date" => busy("Fri, 31 Dec 2100 23:59:59 GMT"),
        "429-past" => busy("Sun, 06 Nov 1994 08:49:37 GMT"),
        "429-unclear" => busy("soon"),
        "429-once" | "429-once-unclear" | "503-once" if !first => return None,
        "503-once" if first => status(503, "warming up"),
        "404-drips" => vec![
            send("HTTP/1.1 404 No\r\n\r\n"),
            Step::Forever(b"x".to_vec(), 100),
        ],
        "503-later" => response(503, "retry-after: 3600\r\n", ""),
        "page" => response(
            200,
            "content-type: text/html; charset=utf-8\r\n",
            "<html>log in</html>",
        ),
        _ => status(name.parse().ok()?, "no"),
    })
}

/// `moved-307-to/NAME` leads to NAME on this server, `moved-307-PORT` to another.
fn moved(asked: &Asked, rest: &str) -> Option<Vec<Step>> {
    let (code, to) = rest.split_once('-')?;
    let here = asked.path.trim_end_matches(asked.name());
    let host = asked.header("host")?;
    let target = match to {
        "here" => format!("/{here}plain"),
        "whole" => format!("http://{host}/{here}plain"),
        "nowhere" => return Some(status(code.parse().ok()?, "")),
        "round" => format!("/{here}moved-{code}-round"),
        "user" => format!("http://user:pass@{host}/{here}plain"),
        "file" => "file:///etc/passwd".into(),
        port => format!("http://127.0.0.1:{port}/"),
    };
    Some(response(
        code.parse().ok()?,
        &format!("location: {target}\r\n"),
        "",
    ))
}

fn silent(name: &str) -> Option<Vec<Step>> {
    Some(match name {
        "for-ever" => hang(),
        "and-closes" => vec![Step::Close],
        "headers" => {
            let line = b"x-filler: 0123456789012345678901234567890123456789\r\n".to_vec();
            vec![
                send("HTTP/1.1 200 OK\r\n"),
                Step::Forever(line.repeat(200), 0),
            ]
        }
        "headers-slow" => {
            vec![
                send("HTTP/1.1 200 OK\r\n"),
                Step::Forever(b"x-a: b\r\n".to_vec(), 200),
            ]
        }
        "header-long" => {
            vec![
                send("HTTP/1.1 200 OK\r\nx-a: "),
                Step::Forever(vec![b'x'; 64 << 10], 0),
            ]
        }
        "not-http" => vec![send("SSH-2.0-OpenSSH_9.9\r\n"), Step::Close],
        "switches" => vec![send(
            "HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
        )],
        _ => return None,
    })
}
