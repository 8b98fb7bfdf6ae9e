"""The servers: what starts each one, and what is particular about it."""

import contextlib
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from . import process
from .places import LOGS, NODE, NPM, OWN_SERVERS, PYTHON

TOKEN = "loopback-only-7c1f0e"


@dataclass(frozen=True)
class Server:
    name: str
    sdk: str
    argv: Callable[[str], list[str]]
    """The command line for a port, which stands in the variable `PORT` too."""
    host: str = "127.0.0.1"
    token: str | None = None

    @contextlib.contextmanager
    def running(self) -> Iterator[str]:
        """The address of its endpoint, while the block lasts."""
        port = process.free_port()
        with process.running(self.name, self.argv(str(port)), port):
            yield f"http://{self.host}:{port}/mcp"


def node(script: str, *args: str) -> list[str]:
    return [str(NODE), str(NPM / script), *args]


FILESYSTEM = node("@modelcontextprotocol/server-filesystem/dist/index.js", str(LOGS))
MEMORY = node("@modelcontextprotocol/server-memory/dist/index.js")
CHROME_DEVTOOLS = node("chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", "--no-usage-statistics")


def supergateway(stdio: list[str], *args: str) -> Callable[[str], list[str]]:
    wrapped = ("--stdio", shlex.join(stdio), "--outputTransport", "streamableHttp", *args)
    return lambda port: node("supergateway/dist/index.js", *wrapped, "--port", port)


def mcp_proxy(stdio: list[str]) -> Callable[[str], list[str]]:
    options = ("--host", "127.0.0.1", "--server", "stream")
    return lambda port: node("mcp-proxy/dist/bin/mcp-proxy.mjs", *options, "--port", port, "--", *stdio)


def own(script: str) -> Callable[[str], list[str]]:
    return lambda port: [str(PYTHON), str(OWN_SERVERS / script), port]


SERVERS = [
    Server(
        "everything",
        "TypeScript 1",
        lambda _: node("@modelcontextprotocol/server-everything/dist/index.js", "streamableHttp"),
    ),
    Server(
        "context7",
        "TypeScript 2",
        lambda port: node("@upstash/context7-mcp/dist/index.js", "--transport", "http", "--port", port),
    ),
    Server(
        "mongodb",
        "TypeScript 2",
        lambda port: node(
            "mongodb-mcp-server/dist/esm/index.js",
            *("--transport", "http", "--httpHost", "127.0.0.1", "--httpPort", port, "--telemetry", "disabled"),
        ),
    ),
    Server(
        "notion",
        "TypeScript 1",
        lambda port: node(
            "@notionhq/notion-mcp-server/bin/cli.mjs", "--transport", "http", "--port", port, "--auth-token", TOKEN
        ),
        token=TOKEN,
    ),
    Server(
        "antv-chart",
        "TypeScript 1",
        lambda port: node("@antv/mcp-server-chart/build/index.js", "--transport", "streamable", "--port", port),
    ),
    Server(
        "playwright",
        "TypeScript 1, bundled",
        lambda port: node("@playwright/mcp/cli.js", "--headless", "--port", port),
        host="localhost",
    ),
    Server("fastmcp4", "FastMCP 4", own("fastmcp4.py")),
    Server("python-sdk", "Python 2", own("python_sdk.py")),
    Server("supergateway-filesystem", "TypeScript 2, stateless", supergateway(FILESYSTEM)),
    Server("supergateway-devtools", "TypeScript 2, stateful", supergateway(CHROME_DEVTOOLS, "--stateful")),
    Server("mcp-proxy-memory", "TypeScript 2", mcp_proxy(MEMORY)),
]
