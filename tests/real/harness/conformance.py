"""The public MCP conformance suite, with `lockgate lock --dry-run` as the client it judges."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import process
from .outcome import Outcome
from .places import NODE, NPM

SUITE = NPM / "@modelcontextprotocol/conformance/dist/index.js"
CLIENT = "lock --dry-run --allow-private-host 127.0.0.1 --allow-private-host localhost"
TIMEOUT = 30


@dataclass(frozen=True)
class Scenario:
    name: str
    failing: frozenset[str] = frozenset()
    """The checks that must fail: they ask for a tool call, which lockgate cannot make."""


SCENARIOS = [
    Scenario("initialize"),
    Scenario("request-metadata"),
    Scenario("http-standard-headers"),
    Scenario("json-schema-ref-no-deref"),
]


def scenarios(binary: Path) -> Iterator[Outcome]:
    for scenario in SCENARIOS:
        yield Outcome(f"conformance {scenario.name}", "conformance", problem(scenario, f"{binary} {CLIENT}"))


def problem(scenario: Scenario, client: str) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        done = _run(scenario, client, folder)
        checks = [check for file in Path(folder).rglob("checks.json") for check in json.loads(file.read_text())]
    if not checks:
        return f"the suite made no checks: {(done.stderr or done.stdout)[-800:]}"
    failing = {check["id"] for check in checks if check["status"] in ("FAILURE", "WARNING")}
    if failing != scenario.failing:
        return _difference(failing, scenario.failing, checks)
    expected_code = 1 if scenario.failing else 0
    return None if done.returncode == expected_code else f"exit {done.returncode}: {done.stdout[-800:]}"


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


def _difference(failing: set[str], expected: frozenset[str], checks: list[dict]) -> str:
    said = {check["id"]: check.get("errorMessage") or check.get("description", "") for check in checks}
    unexpected = [f"{name} failed: {said[name]}" for name in sorted(failing - expected)]
    passed = [f"{name} passed unexpectedly" for name in sorted(expected - failing)]
    return "; ".join(unexpected + passed)
