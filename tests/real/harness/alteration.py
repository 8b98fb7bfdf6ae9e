"""The one thing that is altered on the way, and what the gate must then say."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

Tool = dict
Change = Callable[[Tool], bool]
"""Alters a tool in one place; false where the tool has no such place."""


@dataclass
class Alteration:
    """One kind of change. `tool` is the name of the tool that was altered, once one was."""

    name: str
    member: str | None = None
    """The member that the change is in; none for what belongs to no tool."""
    changes: tuple[Change, ...] = ()
    """The first that finds a tool to alter is made, in the first tool it finds."""
    tool: str | None = None
    applied: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def apply(self, method: str, result: dict) -> bool:
        """Alters the result of `method` in place; false where it was left alone."""
        with self._lock:
            return method == "tools/list" and self._alter_one(result["tools"])

    def _alter_one(self, tools: list[Tool]) -> bool:
        """The tool chosen first stays the one, also on other pages and in later listings."""
        candidates = [tool for tool in tools if self.tool in (None, tool["name"])]
        for change in self.changes:
            for tool in candidates:
                if change(tool):
                    self.tool, self.applied = tool["name"], True
                    return True
        return False


class Instructions(Alteration):
    """One word more in the instructions of the server."""

    def apply(self, method: str, result: dict) -> bool:
        if method not in ("initialize", "server/discover"):
            return False
        result["instructions"] = f"{result.get('instructions', '')} Altered.".strip()
        self.applied = True
        return True


class Respelled(Alteration):
    """The same list in another spelling: tools and keys in reverse, every letter that may be escaped."""

    def apply(self, method: str, result: dict) -> bool:
        if method != "tools/list":
            return False
        result["tools"] = [_keys_reversed(tool) for tool in reversed(result["tools"])]
        self.applied = True
        return True


def all_alterations() -> list[Alteration]:
    return [
        Alteration("word", "description", (one_word, added("description", "Altered."))),
        Alteration(
            "annotation", "annotations", (one_hint, one_more_hint, added("annotations", {"readOnlyHint": True}))
        ),
        Alteration("enum", "inputSchema", (nested_enum, nested_keyword, one_more_property)),
        Alteration("title", "title", (one_title, added("title", "Altered"))),
        Instructions("instructions"),
    ]


def one_word(tool: Tool) -> bool:
    words = tool.get("description", "").split(" ")
    middle = len(words) // 2
    if len(words) < 3 or not words[middle]:
        return False
    words[middle] = "altered"
    tool["description"] = " ".join(words)
    return True


def one_hint(tool: Tool) -> bool:
    hints = tool.get("annotations") or {}
    flags = [name for name, value in hints.items() if isinstance(value, bool)]
    if flags:
        hints[flags[-1]] = not hints[flags[-1]]
    return bool(flags)


def one_more_hint(tool: Tool) -> bool:
    hints = tool.get("annotations")
    if hints is None:
        return False
    hints["openWorldHint"] = True
    return True


def one_title(tool: Tool) -> bool:
    if "title" not in tool:
        return False
    tool["title"] += " altered"
    return True


def nested_enum(tool: Tool) -> bool:
    for schema in _subschemas(tool["inputSchema"].get("properties", {})):
        if isinstance(schema.get("enum"), list):
            schema["enum"][-1] = "altered"
            return True
    return False


def nested_keyword(tool: Tool) -> bool:
    for schema in _subschemas(tool["inputSchema"].get("properties", {})):
        if "type" in schema:
            schema["x-altered"] = True
            return True
    return False


def one_more_property(tool: Tool) -> bool:
    tool["inputSchema"].setdefault("properties", {})["altered"] = {"type": "string"}
    return True


def added(member: str, value) -> Change:
    def add(tool: Tool) -> bool:
        if member in tool:
            return False
        tool[member] = value
        return True

    return add


def _subschemas(node):
    """Every object below `node`, innermost first, so that what is altered is nested."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        yield from _subschemas(child)
    if isinstance(node, dict):
        yield node


def _keys_reversed(node):
    if isinstance(node, dict):
        return {key: _keys_reversed(node[key]) for key in reversed(node)}
    return [_keys_reversed(child) for child in node] if isinstance(node, list) else node
