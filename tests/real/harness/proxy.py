"""A pass-through proxy on loopback that can alter one thing in what a server answers.

Without an alteration every body goes through byte by byte, as it arrives. With one, only the
answers to `initialize`, `server/discover` and `tools/list` are read and written anew.
"""

import contextlib
import http.client
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from .alteration import Alteration

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-connection"}
END_OF_EVENT = re.compile(rb"\r\n\r\n|\n\n|\r\r")
TIMEOUT = 60


class Proxy(ThreadingHTTPServer):
    """`url` leads to the endpoint `upstream`; `alteration` may be set and unset between requests."""

    daemon_threads = True

    def __init__(self, upstream: str):
        super().__init__(("127.0.0.1", 0), Relay)
        self.upstream = urlsplit(upstream)
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.url = f"{self.origin}{self.upstream.path}"
        self.alteration: Alteration | None = None

    def handle_error(self, request, client_address):
        """A client that hangs up early is no news."""

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Relay(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def relay(self):
        body = self._request_body()
        upstream = http.client.HTTPConnection(self.server.upstream.hostname, self.server.upstream.port, timeout=TIMEOUT)
        with contextlib.closing(upstream):
            self._send_on(upstream, body)
            answer = upstream.getresponse()
            request = _json_or_none(body)
            if self.server.alteration and isinstance(request, dict) and "id" in request:
                self._answer(answer, _altered(answer, request, self.server.alteration), None)
            else:
                self._answer(answer, _as_it_arrives(answer), answer.getheader("Content-Length"))

    do_POST = do_GET = do_DELETE = relay

    def log_message(self, *_):
        pass

    def _request_body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _send_on(self, upstream: http.client.HTTPConnection, body: bytes) -> None:
        upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        upstream.putheader("Host", self.server.upstream.netloc)
        for name, value in self.headers.items():
            if name.lower() not in HOP_BY_HOP | {"host"}:
                upstream.putheader(name, value)
        upstream.endheaders(body or None)

    def _answer(self, answer: http.client.HTTPResponse, parts: Iterator[bytes], length: str | None) -> None:
        """Status and headers as they came; the body chunked where its length is not known."""
        self.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP | {"content-length"}:
                self.send_header(name, value)
        if answer.status in (204, 304):
            return self.end_headers()
        self.send_header(*(("Content-Length", length) if length else ("Transfer-Encoding", "chunked")))
        self.end_headers()
        for part in parts:
            self.wfile.write(part if length else b"%x\r\n%s\r\n" % (len(part), part))
        self.wfile.write(b"" if length else b"0\r\n\r\n")


def _as_it_arrives(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    while part := answer.read1(65536):
        yield part


def _altered(answer: http.client.HTTPResponse, request: dict, alteration: Alteration) -> Iterator[bytes]:
    if not answer.getheader("Content-Type", "").startswith("text/event-stream"):
        yield _altered_message(answer.read(), request, alteration)
        return
    for event in _events(answer):
        lines = event.splitlines()
        data = b"\n".join(line[5:].strip() for line in lines if line.startswith(b"data:"))
        altered = _altered_message(data, request, alteration)
        others = [line for line in lines if line and not line.startswith(b"data:")]
        yield event if altered == data else b"\n".join([*others, b"data: " + altered, b"", b""])


def _events(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    buffer = b""
    for part in _as_it_arrives(answer):
        buffer += part
        while end := END_OF_EVENT.search(buffer):
            yield buffer[: end.end()]
            buffer = buffer[end.end() :]
    if buffer:
        yield buffer


def _altered_message(body: bytes, request: dict, alteration: Alteration) -> bytes:
    message = _json_or_none(body)
    if not isinstance(message, dict) or "result" not in message or message.get("id") != request["id"]:
        return body
    if not alteration.apply(request["method"], message["result"]):
        return body
    return json.dumps(message).encode()


def _json_or_none(body: bytes):
    try:
        return json.loads(body)
    except ValueError:
        return None
