"""The story of one server: approve it, look again, alter one thing on the way, look again."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from . import process
from .alteration import Alteration, Respelled, all_alterations
from .expectation import NEEDS_CREDENTIALS, UNCHANGED, Expectation, changed
from .gate import Gate
from .outcome import Outcome
from .places import NODE, REFERENCE
from .proxy import Proxy
from .servers import Server

LOCKFILE = "server.mcp-lock.json"
COMPANION = "server.mcp-listing.json"


def story(server: Server, binary: Path, folder: Path) -> Iterator[Outcome]:
    gate = Gate(binary, folder, server.token)
    with server.running() as url, Proxy(url) as proxy:
        locked = lock_problem(gate, proxy)
        yield Outcome(server.name, "lock", locked)
        if locked:
            return
        yield Outcome(server.name, "reference", reference_problem(gate, server, url))
        yield Outcome(server.name, "direct", direct_problem(gate, url))
        for case in ("check", "again"):
            yield Outcome(server.name, case, UNCHANGED.problem(gate.check(LOCKFILE, proxy.origin)))
        yield Outcome(
            server.name, "respelled", altered_problem(gate, proxy, Respelled("respelled"), lambda _: UNCHANGED)
        )
        for alteration in all_alterations():
            problem = altered_problem(gate, proxy, alteration, lambda made: changed(made.tool, made.member))
            yield Outcome(server.name, alteration.name, problem)
        if server.token:
            yield Outcome(server.name, "no-token", no_token_problem(gate, proxy))


def lock_problem(gate: Gate, proxy: Proxy) -> str | None:
    run = gate.lock(proxy.url, LOCKFILE)
    if run.code != 0:
        return str(run)
    written = [gate.folder / name for name in (LOCKFILE, COMPANION)]
    for file in written:
        if not file.is_file():
            return f"{file.name} was not written"
    told = run.stdout + run.stderr + "".join(file.read_text() for file in written)
    return "the token is in what was written or printed" if gate.token and gate.token in told else None


def direct_problem(gate: Gate, url: str) -> str | None:
    """Without the proxy, and by the host name that the server wants, the digests are the same."""
    run = gate.dry_run(url)
    return listing_difference(json.loads(run.stdout), _locked(gate)) if run.code == 0 else str(run)


def reference_problem(gate: Gate, server: Server, url: str) -> str | None:
    """The server itself, listed by other code, has the digests of the lockfile."""
    return listing_difference(_locked(gate), reference(url, server.token))


def reference(url: str, token: str | None) -> dict:
    command = [str(NODE), str(REFERENCE), url, *([token] if token else [])]
    done = subprocess.run(command, env=process.environment(), capture_output=True, timeout=60, encoding="utf-8")
    if done.returncode != 0:
        raise RuntimeError(f"the reference lister failed: {done.stderr.strip()[-800:]}")
    return json.loads(done.stdout)


def listing_difference(locked: dict, listed: dict) -> str | None:
    if locked["count"] != listed["count"] or listed["count"] == 0:
        return f"{locked['count']} tools are locked, {listed['count']} are listed"
    digests = {tool["name"]: tool["sha256"] for tool in locked["tools"]}
    wrong = [tool["name"] for tool in listed["tools"] if digests.get(tool["name"]) != tool["sha256"]]
    if wrong:
        return f"other digests of {', '.join(wrong)}"
    return None if locked["tools_sha256"] == listed["tools_sha256"] else "another tools_sha256"


def _locked(gate: Gate) -> dict:
    return json.loads((gate.folder / LOCKFILE).read_text())


def altered_problem(
    gate: Gate, proxy: Proxy, alteration: Alteration, expected: Callable[[Alteration], Expectation]
) -> str | None:
    with altering(proxy, alteration):
        run = gate.check(LOCKFILE, proxy.origin)
    if not alteration.applied:
        return "nothing was altered: the gate never asked for it"
    return expected(alteration).problem(run)


@contextmanager
def altering(proxy: Proxy, alteration: Alteration) -> Iterator[None]:
    proxy.alteration = alteration
    try:
        yield
    finally:
        proxy.alteration = None


def no_token_problem(gate: Gate, proxy: Proxy) -> str | None:
    stranger = gate.without_token()
    locked = stranger.dry_run(proxy.url)
    if locked.code != 1 or "auth-required" not in locked.stderr:
        return f"no `auth-required` with exit 1: {locked}"
    return NEEDS_CREDENTIALS.problem(stranger.check(LOCKFILE, proxy.origin))
