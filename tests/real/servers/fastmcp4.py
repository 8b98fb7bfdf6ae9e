"""FastMCP 4 with what makes digests go wrong: 1.0, 2**63, exponents, unicode, no docstring."""

import sys
from typing import Annotated, Literal

from fastmcp import FastMCP
from pydantic import Field

server = FastMCP("awkward", instructions="Café ☕: list first, then pick.")


@server.tool
def add(a: int, b: float = 1.0, scale: float = 1e-7, far: float = 1e21) -> float:
    'Add  two “numbers” 😀\n\t- line two \\ "quoted" \u2028 \u007f é e\u0301'
    return (a + b) * scale + far


@server.tool(
    title="Pick “one”",
    annotations={"readOnlyHint": True, "x-vendor": {"k": [1, 2.5]}},
    tags={"zeta", "alpha"},
    meta={"v": 1},
)
def pick(
    choice: Annotated[Literal["b", "a", "é"], Field(description="which")],
    n: Annotated[int, Field(ge=-(2**53), le=2**63)] = 5,
    share: Annotated[float, Field(gt=0.1, lt=1.0, multiple_of=0.05)] = 0.30000000000000004,
) -> dict:
    "Pick by the name of a choice."
    return {"choice": choice, "n": n, "share": share}


@server.tool
def without_docstring(x: set[str] | None = None, größe: int = -0):
    return [x, größe]


if __name__ == "__main__":
    server.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
