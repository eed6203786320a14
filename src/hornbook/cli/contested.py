"""`hornbook contested` and `hornbook resolve`."""

import json
from typing import Annotated, Any

import typer

from hornbook.cli.common import AsJson, Config, KnownAt, User, ValidAt, Where, opened, put, table
from hornbook.graph.errors import InvalidArgument


def contested(
    limit: Annotated[int, typer.Option(min=1, max=200, help="Most lines.")] = 20,
    valid_at: ValidAt = None,
    knowledge_at: KnownAt = None,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """List what is in dispute, side by side."""
    with opened(db_path, user, config) as memory:
        page = memory.contested(limit=limit, valid_at=valid_at, knowledge_at=knowledge_at).as_dict()
    if as_json:
        put(page)
        return
    rows = (
        (line["subject"], line["predicate"], side["value"], _said(side), side["claim_ref"])
        for line in page["lines"]
        for side in line["sides"]
    )
    table("contested", ("subject", "predicate", "value", "evidence", "claim"), rows)


def resolve(
    subject: Annotated[str, typer.Argument(help="Whom or what it is about.")],
    predicate: Annotated[str, typer.Argument(help="What is said of it.")],
    outcome: Annotated[str, typer.Argument(help="winner, split, all, none or reopen.")],
    reason: Annotated[str, typer.Option(help="Why; it stays in the ledger.")],
    winner: Annotated[str | None, typer.Option(help="A claim's reference, or a value as JSON or text.")] = None,
    windows: Annotated[str | None, typer.Option(help='JSON: {"claim": {"start": …, "end": …}}.')] = None,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Settle a dispute."""
    split = _json(windows, "windows") if windows is not None else None
    with opened(db_path, user, config) as memory:
        resolution = memory.resolve(
            subject, predicate, outcome, winner=_value(winner), windows=split, reason=reason
        ).as_dict()
    if as_json:
        put(resolution)
        return
    table(f"{subject} {predicate}: {resolution['status']}", ("claim", "disposition"), resolution["outcomes"])


def _said(side: dict[str, Any]) -> str:
    """Give who said a side and in which words."""
    return "\n".join(
        f"{said.get('speaker') or said.get('source') or '?'}: {said.get('quote') or ''}" for said in side["evidence"]
    )


def _json(text: str, field: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise InvalidArgument(f"{field} is not JSON", field=field) from None


def _value(text: str | None) -> Any:
    """Read a value as JSON where it is JSON, else as the text it is."""
    try:
        return json.loads(text) if text is not None else None
    except ValueError:
        return text
