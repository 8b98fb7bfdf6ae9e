"""What an answer must be. `problem` is the one judge of the harness: the self-test judges it."""

from dataclasses import dataclass

from .gate import Run, only_answer


@dataclass(frozen=True)
class Expectation:
    verdict: str
    code: int
    reason: str | None = None
    modified: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    instructions: bool = False

    def problem(self, run: Run) -> str | None:
        """Where the answer is another than expected; none when all is as it should be."""
        try:
            answer = only_answer(run)
        except ValueError as error:
            return f"no report: {error}: {run}"
        wanted, seen = self._wanted(), _seen(answer, run.code)
        wrong = [f"{key} {seen[key]!r} instead of {wanted[key]!r}" for key in wanted if seen[key] != wanted[key]]
        return "; ".join(wrong) or None

    def _wanted(self) -> dict:
        return {
            "exit": self.code,
            "verdict": self.verdict,
            "decision": "connect" if self.verdict == "unchanged" else "block",
            "reason": self.reason,
            "added": [],
            "removed": [],
            "modified": list(self.modified),
            "modified_detail": [(name, list(self.fields)) for name in self.modified],
            "instructions": self.instructions,
        }


UNCHANGED = Expectation("unchanged", 0)
NEEDS_CREDENTIALS = Expectation("unreachable", 1, reason="auth-required")


def changed(tool: str | None, member: str | None) -> Expectation:
    """`member` of `tool` changed and nothing else; without a tool, the instructions did."""
    if tool is None:
        return Expectation("changed", 1, instructions=True)
    return Expectation("changed", 1, modified=(tool,), fields=(str(member),))


def _seen(answer: dict, code: int) -> dict:
    told = {key: answer.get(key) for key in ("verdict", "decision", "reason", "added", "removed", "modified")}
    return {
        **told,
        "exit": code,
        "modified_detail": [(detail["name"], detail["fields"]) for detail in answer.get("modified_detail", [])],
        "instructions": answer.get("instructions") is not None,
    }
