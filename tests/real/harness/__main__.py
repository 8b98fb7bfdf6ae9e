"""Runs lockgate against real servers and the conformance suite, and tells how it went."""

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from .cases import story
from .conformance import scenarios
from .outcome import Outcome, tables, totals
from .selftest import ROW as SELF_TEST
from .selftest import self_test
from .servers import SERVERS, Server

CONFORMANCE = "conformance"
Suite = Callable[[Path, Path], Iterator[Outcome]]
"""Yields the outcomes for a binary, at work in an empty folder."""


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = arguments()
    if options.list:
        print("\n".join(suites()))
        return 0
    outcomes = [outcome for name in options.only for outcome in run(name, suites()[name], options.binary)]
    print(f"\n{tables(outcomes)}\n")
    for outcome in outcomes:
        if outcome.problem:
            print(f"FAIL {outcome.row}, {outcome.case}: {outcome.problem}")
    print(totals(outcomes))
    return 1 if not outcomes or any(outcome.problem for outcome in outcomes) else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests/real/run", description=__doc__)
    parser.add_argument("--only", metavar="NAME", action="append", choices=list(suites()), help="may be repeated")
    parser.add_argument("--self-test", dest="only", action="append_const", const=SELF_TEST, help=f"--only {SELF_TEST}")
    parser.add_argument("--list", action="store_true", help="the names, one a line")
    parser.add_argument("--binary", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.only = options.only or list(suites())
    return options


def suites() -> dict[str, Suite]:
    return {
        **{server.name: story_of(server) for server in SERVERS},
        CONFORMANCE: lambda binary, _: scenarios(binary),
        SELF_TEST: self_test,
    }


def story_of(server: Server) -> Suite:
    return lambda binary, folder: story(server, binary, folder)


def run(name: str, suite: Suite, binary: Path) -> list[Outcome]:
    """The outcomes of one suite; what breaks on the way is one of them."""
    began, outcomes = time.monotonic(), []
    print(f"{name:<26}", end="", flush=True)
    with tempfile.TemporaryDirectory(prefix="lockgate-real-") as folder:
        try:
            outcomes.extend(suite(binary, Path(folder)))
        except Exception as error:
            outcomes.append(Outcome(name, "run", f"{type(error).__name__}: {error}"))
    print(f"{totals(outcomes)}  ({time.monotonic() - began:.1f} s)", flush=True)
    return outcomes


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted: everything that was started has been ended")
