"""The arguments that tools share, and how a call's arguments are checked."""

import difflib
import json
import typing
from typing import Annotated, Any, Literal

from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from pydantic import AfterValidator, Field, ValidationError

from hornbook.graph.errors import InvalidArgument
from hornbook.mcp_tools.wire import malformed


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


NodeType = Literal["entity", "fact", "decision", "preference", "task", "instruction", "summary", "note"]
Scope = Literal["personal", "project", "organisation"]
Role = Literal["user", "participant", "assistant", "tool", "system"]

Said = Annotated[str, AfterValidator(_said)]
UserId = Annotated[str | None, Field(description="Whose memory; the server's default user if left out")]
Date = Annotated[str | None, Field(description="YYYY, YYYY-MM, YYYY-MM-DD or RFC 3339")]
ValidAt = Annotated[str | None, Field(description="When it is true in the world; default now")]
KnownAt = Annotated[str | None, Field(description="Answer as known at this instant; default now")]
Unit = Annotated[float, Field(ge=0, le=1)]
Provenance = Annotated[
    str | dict[str, Any],
    Field(description="External:UserAsserted, External:ExternalFirstHand, RecallReEntry, ModelDerived; or a wire dict"),
]


class Arguments(FuncMetadata):
    """Checks a call's arguments against a tool's signature, and refuses in hornbook's words.

    Three things differ from the SDK: a text that happens to be JSON stays a text where any value may stand; an
    argument that the tool does not have is refused; what is wrong is told in the one shape of error.
    """

    def validate_arguments(self, arguments_to_validate: dict[str, Any]) -> dict[str, Any]:
        """Check the arguments of one call."""
        known = self.arg_model.model_fields
        for name in arguments_to_validate:
            if name not in known:
                raise _unknown(name, list(known))
        try:
            return super().validate_arguments(arguments_to_validate)
        except ValidationError as error:
            raise malformed(error) from None

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        """Read lists and objects that a client sent as text, but only where no text may stand."""
        fields = self.arg_model.model_fields
        return {name: _read(value, fields[name].annotation) for name, value in data.items()}


def _unknown(name: str, known: list[str]) -> InvalidArgument:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "leave it out"
    return InvalidArgument(f"there is no argument {name}", field=name, hint=hint, valid=known)


def _read(value: Any, annotation: Any) -> Any:
    if not isinstance(value, str) or value[:1] not in ("[", "{") or not _structured(annotation):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _structured(annotation: Any) -> bool:
    """Whether an argument takes lists or objects; as one written `{...}`, a provenance is always an object."""
    arms = typing.get_args(annotation) if typing.get_origin(annotation) not in (list, dict) else (annotation,)
    return any(typing.get_origin(arm) in (list, dict) for arm in arms)
