"""The Python SDK's low-level server, which hands out its tools in pages of two."""

import sys

import mcp_types as types
import uvicorn
from mcp.server import Server

PAGE = 2


def tool(number: int) -> types.Tool:
    return types.Tool(
        name=f"step_{number}",
        title=f"Step {number}",
        description=f"Do step {number} of the plan.",
        input_schema={
            "type": "object",
            "properties": {
                "how": {"type": "object", "properties": {"speed": {"enum": ["slow", "fast", None, number]}}},
                "weight": {"type": "number", "minimum": 1.0, "maximum": 2**63, "default": number / 3},
            },
            "$defs": {"2": {"const": True}, "10": {"const": False}},
        },
        annotations=types.ToolAnnotations(read_only_hint=number % 2 == 0),
    )


TOOLS = [tool(number) for number in range(7)]


async def list_tools(_context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    start = int(params.cursor) if params and params.cursor else 0
    end = start + PAGE
    return types.ListToolsResult(tools=TOOLS[start:end], next_cursor=str(end) if end < len(TOOLS) else None)


async def call_tool(_context, _params) -> types.CallToolResult:
    raise RuntimeError("a checker must never call a tool")


server = Server(
    "pages", version="1.0.0", instructions="Take the steps in order.", on_list_tools=list_tools, on_call_tool=call_tool
)

if __name__ == "__main__":
    uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
