"""The binary under test, called the way a person or a workflow calls it."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import process

PATIENCE = 120
VARIABLE = "LOCKGATE_REAL_TOKEN"
LOOPBACK = ("--allow-private-host", "127.0.0.1", "--allow-private-host", "localhost")


@dataclass(frozen=True)
class Run:
    """One finished call."""

    command: str
    code: int
    stdout: str
    stderr: str

    def __str__(self) -> str:
        told = (self.stderr.strip() or self.stdout.strip())[-1500:]
        return f"`{self.command}` ended with {self.code}: {told}"


@dataclass(frozen=True)
class Gate:
    """`lockgate` at work in one folder outside any repository."""

    binary: Path
    folder: Path
    token: str | None = None

    def lock(self, url: str, output: str) -> Run:
        return self.run("lock", url, "-o", output, *LOOPBACK, *self._header())

    def dry_run(self, url: str) -> Run:
        return self.run("lock", url, "--dry-run", *LOOPBACK, *self._header())

    def check(self, lockfile: str, origin: str) -> Run:
        header = self._header(f"{origin} ")
        return self.run("check", lockfile, *LOOPBACK, "--format", "json", *header)

    def without_token(self) -> "Gate":
        return Gate(self.binary, self.folder)

    def run(self, *args: str) -> Run:
        secret = {VARIABLE: f"Bearer {self.token}"} if self.token else {}
        done = subprocess.run(
            [str(self.binary), *args],
            cwd=self.folder,
            env=process.environment(NO_COLOR="1", **secret),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            encoding="utf-8",
        )
        return Run(f"lockgate {' '.join(args)}", done.returncode, done.stdout, done.stderr)

    def _header(self, origin: str = "") -> tuple[str, ...]:
        return ("--header", f"{origin}Authorization: env:{VARIABLE}") if self.token else ()


def only_answer(run: Run) -> dict:
    """The one answer of a report; a `ValueError` says what is wrong with the report."""
    report = json.loads(run.stdout)
    if report.get("kind") != "lockgate-report" or len(report.get("answers", [])) != 1:
        raise ValueError(f"not a report with one answer: {run.stdout[:400]}")
    return report["answers"][0]
