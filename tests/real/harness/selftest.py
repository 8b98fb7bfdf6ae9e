"""The harness, judged: whatever must be red is shown to it, and red it must see."""

from collections.abc import Iterator
from pathlib import Path

from . import conformance
from .alteration import Alteration, one_word
from .cases import LOCKFILE, altered_problem, altering, listing_difference, lock_problem, reference
from .expectation import UNCHANGED, changed
from .gate import Gate
from .outcome import Outcome
from .proxy import Proxy
from .servers import SERVERS

ROW = "self-test"


def self_test(binary: Path, folder: Path) -> Iterator[Outcome]:
    server = next(server for server in SERVERS if server.name == "python-sdk")
    gate = Gate(binary, folder)
    with server.running() as url, Proxy(url) as proxy:
        locked = lock_problem(gate, proxy)
        if locked:
            yield Outcome(ROW, "lock", locked)
            return
        for case, problem in _reds(gate, proxy):
            yield Outcome(ROW, case, None if problem else "the harness saw nothing wrong")


def _reds(gate: Gate, proxy: Proxy) -> Iterator[tuple[str, str | None]]:
    """What the harness says where something is wrong on purpose."""
    yield "red-drift", altered_problem(gate, proxy, word(), lambda _: UNCHANGED)
    yield "red-calm", changed("step_0", "description").problem(gate.check(LOCKFILE, proxy.origin))
    yield "red-member", altered_problem(gate, proxy, word(), lambda made: changed(made.tool, "title"))
    yield "red-tool", altered_problem(gate, proxy, word(), lambda made: changed("step_6", made.member))
    yield "red-idle", altered_problem(gate, proxy, Alteration("nothing"), lambda _: UNCHANGED)
    yield "red-digest", _digests_of_an_altered_list(proxy)
    yield "red-client", conformance.problem(conformance.SCENARIOS[0], "true")


def _digests_of_an_altered_list(proxy: Proxy) -> str | None:
    untouched = reference(proxy.url, None)
    with altering(proxy, word()):
        return listing_difference(untouched, reference(proxy.url, None))


def word() -> Alteration:
    return Alteration("word", "description", (one_word,))
