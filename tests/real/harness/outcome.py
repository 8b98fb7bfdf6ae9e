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


def table(outcomes: Sequence[Outcome]) -> str:
    """Rows and columns in the order in which they first came."""
    rows = list(dict.fromkeys(outcome.row for outcome in outcomes))
    columns = list(dict.fromkeys(outcome.case for outcome in outcomes))
    marks = {(outcome.row, outcome.case): outcome.mark for outcome in outcomes}
    lines = [["", *columns], *([row, *(marks.get((row, column), "·") for column in columns)] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(columns) + 1)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def totals(outcomes: Sequence[Outcome]) -> str:
    failed = sum(1 for outcome in outcomes if outcome.problem)
    return f"{len(outcomes) - failed} passed, {failed} failed"
