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
        output_schema=or_error(slim(made.fn_metadata.output_schema, nulls=True)),
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


def or_error(schema: Any) -> Any:
    """Let a reply be an error in the place of what it is otherwise: some clients hold both against the schema.

    >>> or_error({"type": "object", "required": ["deleted"]})
    {'type': 'object', 'anyOf': [{'required': ['deleted']}, {'required': ['error']}]}
    """
    if not isinstance(schema, dict) or not schema.get("required"):
        return schema
    told = {key: value for key, value in schema.items() if key != "required"}
    return {**told, "anyOf": [{"required": schema["required"]}, {"required": ["error"]}]}


def slim(schema: Any, *, nulls: bool = False) -> Any:
    """Leave out of a schema what says nothing: titles, and `null` as a way to leave an argument out.

    In a reply (`nulls`) null is a value like any other, and stays.

    >>> slim({"title": "User Id", "anyOf": [{"type": "string"}, {"type": "null"}], "default": None})
    {'type': 'string'}
    """
    if isinstance(schema, list):
        return [slim(item, nulls=nulls) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: {name: slim(inner, nulls=nulls) for name, inner in value.items()}  # an argument may be called title
        if key in ("properties", "$defs")
        else slim(value, nulls=nulls)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)
    }
    return kept if nulls or kept.get("default", ...) is not None else _optional(kept)


def _optional(schema: dict[str, Any]) -> dict[str, Any]:
    """Say of an argument that may be left out only what it is when it is given."""
    kept = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    arms: list[Any] = [arm for arm in schema.get("anyOf", []) if arm != {"type": "null"}]
    return {**arms[0], **kept} if len(arms) == 1 else {**kept, **({"anyOf": arms} if arms else {})}
