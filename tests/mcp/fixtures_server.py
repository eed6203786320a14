"""Our server over HTTP with what the protocol's conformance suite calls, beside all that we offer ourselves.

The suite sends no key: each request is given one before it comes to the gate, and all from there on is what users get.
`.ci/conformance` starts it as `python -m tests.mcp.fixtures_server PORT`; its memories are gone when it ends.
"""

import base64
import json
import sys
from typing import Any

import uvicorn
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.mcpserver.tools import Tool
from mcp_types import InputRequiredResult
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.mcp.fixtures import KEYWORDS, PIXEL, TOOLS, ask, embedded, filled, form, picture

from hornbook.mcp_tools.gate import Gate
from hornbook.mcp_tools.http import _app
from hornbook.mcp_tools.keys import keys_of
from hornbook.mcp_tools.server import Server, build
from hornbook.settings import Settings

KEY = "conformance-key-0123456789"


def offer_tools(server: Server) -> None:
    """Put the suite's tools beside ours, so that ours is the code that lists and calls them."""
    made = {function.__name__: Tool.from_function(function, structured_output=False) for function in TOOLS}
    made["json_schema_2020_12_tool"].parameters = KEYWORDS
    server._offered.update(made)


def offer_resources(server: Server) -> None:
    """Put the suite's resources on a server."""

    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        """A text that stays as it is."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        """A picture."""
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        """A resource of many addresses."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.resource("test://watched-resource", mime_type="text/plain")
    def watched() -> str:
        """A text that may change."""
        return "Watched resource content"


def offer_prompts(server: Server) -> None:
    """Put the suite's prompts on a server."""

    @server.prompt()
    def test_simple_prompt() -> str:
        """A prompt without arguments."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """A prompt with two arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
        """A prompt with a resource in it."""
        held = embedded(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [UserMessage(held), UserMessage("Please process the embedded resource above.")]

    @server.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """A prompt with a picture in it."""
        return [UserMessage(picture()), UserMessage("Please analyze the image above.")]

    @server.prompt()
    def test_input_required_result_prompt(ctx: Context[Any, Any]) -> str | InputRequiredResult:
        """A prompt that asks something first."""
        answer = filled(ctx, "user_context") or {}
        if "context" not in answer:
            return ask(user_context=form("What context should the prompt use?", context="string"))
        return f"Use this context: {answer['context']}"


def keyed(app: ASGIApp) -> ASGIApp:
    """Give each request the key that the suite does not send."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {KEY}".encode())]}
        await app(scope, receive, send)

    return served


def main(port: int) -> None:
    """Serve until it is told to stop."""
    server = build(Settings(db_path=":memory:", toolsets=("all",)))
    offer_tools(server)
    offer_resources(server)
    offer_prompts(server)
    app = keyed(Gate(_app(server), keys_of(f"suite:{KEY}")))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", lifespan="on", timeout_graceful_shutdown=2)


if __name__ == "__main__":
    main(int(sys.argv[1]))
