"""What is no message of the protocol, and the answer to it: without the inside of the library that refused it."""

import json
from typing import Any

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

UNREAD = ErrorData(
    code=PARSE_ERROR, message="the message is no JSON, is nested too deeply, or holds half of a surrogate pair"
)
NO_MESSAGE = ErrorData(code=INVALID_REQUEST, message="the message is not one request, notification or response")


def refused(body: bytes) -> JSONRPCError | None:
    """The answer to what is no message; None where it is one.

    >>> refused(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}') is None, refused(b"{").error.code
    (True, -32700)
    >>> refused(b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}').error.code
    -32600
    """
    try:
        message = jsonrpc_message_adapter.validate_json(body, by_name=False)
    except ValidationError as error:
        return answer(error)
    # a request whose id is none of the protocol's would be taken for a notification, and never be answered
    if isinstance(message, JSONRPCNotification) and b'"id"' in body and "id" in json.loads(body):
        return JSONRPCError(jsonrpc="2.0", id=None, error=NO_MESSAGE)
    return None


def answer(error: Exception) -> JSONRPCError:
    """The answer to a line that could not be read, with its id where that much could be.

    >>> answer(ValueError("anything")).error.code
    -32600
    """
    wrong = error.errors(include_url=False)[0] if isinstance(error, ValidationError) else None
    if wrong is None or wrong["type"] != "json_invalid":
        return JSONRPCError(jsonrpc="2.0", id=None, error=NO_MESSAGE)
    return JSONRPCError(jsonrpc="2.0", id=_id(wrong["input"]), error=UNREAD)


def _id(line: Any) -> str | int | None:
    """The id in a line that only our reader refuses: Python's takes half of a surrogate pair."""
    try:
        found = json.loads(line)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None
