"""How a function becomes a tool: its schema kept small, its arguments checked our way, its hints stated."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations

from hornbook.mcp_tools.arguments import Arguments


@dataclass(frozen=True, slots=True)
class Offer:
    """A function to be served as a tool, and what a client may expect of calling it."""

    function: Callable[..., Any]
    reads: bool = False  # changes nothing
    destroys: bool = False  # takes something away
    repeatable: bool = False  # a second call with the same arguments changes nothing more


def tool(offer: Offer) -> Tool:
    """Make the tool of an offer."""
    made = Tool.from_function(offer.function, annotations=_hints(offer), structured_output=True)
    made.fn_metadata = Arguments(
        arg_model=made.fn_metadata.arg_model,
        output_schema=slim(made.fn_metadata.output_schema),
        output_model=made.fn_metadata.output_model,
    )
    made.parameters = dict(slim(made.parameters), additionalProperties=False)
    made.description = " ".join(made.description.split())
    return made


def _hints(offer: Offer) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=offer.reads,
        destructive_hint=offer.destroys,
        idempotent_hint=offer.reads or offer.repeatable,
        open_world_hint=False,
    )


def slim(schema: Any) -> Any:
    """A schema without what says nothing: titles, and `null` as a way to leave an argument out.

    >>> slim({"title": "User Id", "anyOf": [{"type": "string"}, {"type": "null"}], "default": None})
    {'type': 'string'}
    """
    if isinstance(schema, list):
        return [slim(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _properties(value) if key == "properties" else slim(value) for key, value in schema.items()}
    if isinstance(kept.get("title"), str):
        del kept["title"]
    arms: list[Any] = [arm for arm in kept.get("anyOf", []) if arm != {"type": "null"}]
    if len(arms) == 1 and "default" in kept and kept["default"] is None:
        kept = {**arms[0], **{key: value for key, value in kept.items() if key not in ("anyOf", "default")}}
    elif "default" in kept and kept["default"] is None:
        kept = {key: value for key, value in kept.items() if key != "default"} | ({"anyOf": arms} if arms else {})
    return kept


def _properties(properties: dict[str, Any]) -> dict[str, Any]:
    """Names of arguments are kept, also one called `title`."""
    return {name: slim(schema) for name, schema in properties.items()}
