"""The public MCP conformance suite, with `lockgate lock --dry-run` as the client it judges."""

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import process
from .gate import LOOPBACK
from .outcome import Outcome
from .places import NODE, NPM

SUITE = NPM / "@modelcontextprotocol/conformance/dist/index.js"
CLIENT = " ".join(("lock", "--dry-run", *LOOPBACK))
LOCKFILE_KIND = re.compile(r'"kind":\s*"crawlcheck-mcp-lock"')
TIMEOUT = 30


@dataclass(frozen=True)
class Scenario:
    name: str
    passing: frozenset[str]
    """Checks that must be made and pass: the suite skips what a client never does."""
    failing: frozenset[str] = frozenset()
    """The checks that must fail: they ask for a tool call, which lockgate cannot make."""


SCENARIOS = [
    Scenario("initialize", frozenset({"MCPClientInitialization"})),
    Scenario(
        "request-metadata",
        frozenset(
            {
                "ClientSendsVersionHeader",
                "ClientPopulatesMeta",
                "ClientSendsClientInfo",
                "ClientVersionHeaderMatchesMeta",
                "ClientRetrySupportedVersion",
            }
        ),
    ),
    Scenario("http-standard-headers", frozenset({"ClientMcpMethodHeader_tools_list"})),
    Scenario("json-schema-ref-no-deref", frozenset({"NoNetworkRefDereference"})),
    Scenario("http-invalid-tool-headers", frozenset(), frozenset({"ClientKeepsValidTool"})),
    Scenario(
        "json-schema-2020-12-preservation",
        frozenset({"JsonSchema2020_12ClientToolFound", "WireSchemaValid"}),
        frozenset({"JsonSchema2020_12ClientEchoCompleted"}),
    ),
    Scenario("tools_call", frozenset({"WireSchemaValid"}), frozenset({"ToolAddNumbers"})),
]


def scenarios(binary: Path) -> Iterator[Outcome]:
    for scenario in SCENARIOS:
        yield Outcome("conformance", scenario.name, problem(scenario, f"{binary} {CLIENT}"))


def problem(scenario: Scenario, client: str) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        done = _run(scenario, client, folder)
        checks = [check for file in Path(folder).rglob("checks.json") for check in json.loads(file.read_text())]
        printed = "".join(file.read_text() for file in Path(folder).rglob("std*.txt"))
    wrong = _wrong_checks(scenario, checks)
    if not LOCKFILE_KIND.search(printed):
        wrong.append(f"no lockfile was printed: {printed[-800:]}")
    if done.returncode != (1 if scenario.failing else 0):
        wrong.append(f"the suite ended with {done.returncode}")
    return "; ".join(wrong) or None


def _wrong_checks(scenario: Scenario, checks: list[dict]) -> list[str]:
    status = {check["name"]: check["status"] for check in checks}
    said = {check["name"]: check.get("errorMessage") or check.get("description", "") for check in checks}
    failed = {name for name in status if status[name] in ("FAILURE", "WARNING")}
    idle = {name for name in scenario.passing if status.get(name) != "SUCCESS"}
    return [
        *(f"{name} failed: {said[name]}" for name in sorted(failed - scenario.failing)),
        *(f"{name} did not fail" for name in sorted(scenario.failing - failed)),
        *(f"{name} did not pass: {status.get(name, 'never made')}" for name in sorted(idle - failed)),
    ]


def _run(scenario: Scenario, client: str, folder: str) -> subprocess.CompletedProcess:
    command = [str(NODE), str(SUITE), "client", "--command", client, "--scenario", scenario.name]
    return subprocess.run(
        [*command, "--timeout", str(TIMEOUT * 1000), "--output-dir", folder],
        cwd=folder,
        env=process.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=2 * TIMEOUT,
        encoding="utf-8",
    )
