"""What came of one case, and the table of all."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """A case of a row of the table; `problem` says in one line why it failed."""

    row: str
    case: str
    problem: str | None

    @property
    def mark(self) -> str:
        return "FAIL" if self.problem else "ok"


def tables(outcomes: Sequence[Outcome]) -> str:
    """One table for each kind of row; rows and columns in the order in which they came."""
    by_row: dict[str, dict[str, Outcome]] = {}
    for outcome in outcomes:
        by_row.setdefault(outcome.row, {})[outcome.case] = outcome
    kinds: list[dict[str, dict[str, Outcome]]] = []
    for row, cases in by_row.items():
        if not kinds or not _akin(kinds[-1], cases):
            kinds.append({})
        kinds[-1][row] = cases
    return "\n\n".join(_table(kind) for kind in kinds)


def totals(outcomes: Sequence[Outcome]) -> str:
    failed = sum(1 for outcome in outcomes if outcome.problem)
    return f"{len(outcomes) - failed} passed, {failed} failed"


def _akin(kind: dict[str, dict[str, Outcome]], cases: dict[str, Outcome]) -> bool:
    return any(case in others for others in kind.values() for case in cases)


def _table(rows: dict[str, dict[str, Outcome]]) -> str:
    columns = list(dict.fromkeys(case for cases in rows.values() for case in cases))
    lines = [["", *columns]]
    for row, cases in rows.items():
        lines.append([row, *(cases[column].mark if column in cases else "" for column in columns)])
    if len(lines) == 2:
        lines = [list(pair) for pair in zip(*lines, strict=True)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
