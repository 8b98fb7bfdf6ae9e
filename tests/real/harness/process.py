"""Starts servers on free loopback ports, waits until they accept, ends them with their children."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence

from .places import LOGS, LOOPBACK, NODE

READY_WITHIN = 60.0
GONE_WITHIN = 5.0


def environment(**more: str) -> dict[str, str]:
    """What children see: nothing of a CI run around us; Node servers are kept on loopback and quiet."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR", "TZ") if name in os.environ}
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
    quiet = {"CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1"}
    return {**kept, **quiet, "PATH": path, "NODE_OPTIONS": f"--require={LOOPBACK}", **more}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextlib.contextmanager
def running(name: str, argv: Sequence[str], port: int) -> Iterator[None]:
    """The server `argv`, from the moment it accepts connections to the end of the block."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{name}.log"
    with log.open("wb") as out:
        child = subprocess.Popen(
            argv,
            env=environment(PORT=str(port)),
            cwd=LOGS,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    try:
        _wait_until_ready(child, port, log)
        yield
    finally:
        _end(child)


def _wait_until_ready(child: subprocess.Popen, port: int, log) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while time.monotonic() < deadline:
        if child.poll() is not None:
            raise RuntimeError(f"ended with {child.returncode} before it accepted a connection{_tail(log)}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise RuntimeError(f"accepted no connection within {READY_WITHIN:.0f} s{_tail(log)}")


def _end(child: subprocess.Popen) -> None:
    """Ends the whole session the child leads: bridges have servers of their own."""
    _signal_group(child, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(GONE_WITHIN)
    _signal_group(child, signal.SIGKILL)
    child.stdin.close()
    child.wait()


def _signal_group(child: subprocess.Popen, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)


def _tail(log) -> str:
    lines = log.read_text(errors="replace").splitlines()[-8:]
    return "".join(f"\n      | {line}" for line in lines)
