"""`hornbook rules`, `hornbook ask` and `hornbook why`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hornbook.cli.common import AsJson, Config, KnownAt, User, ValidAt, Where, opened, put, table
from hornbook.graph.errors import InvalidArgument


def rules(
    file: Annotated[Path | None, typer.Argument(help="A file of rules; - for standard input.")] = None,
    pack: Annotated[str | None, typer.Option(help="Add a pack that is shipped, by its name.")] = None,
    remove: Annotated[str | None, typer.Option(help="Take the rule with this id out of force.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the rules in force.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would follow.")] = False,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Add rules from a file or a pack, list them, or take one out of force."""
    if sum((file is not None, pack is not None, remove is not None)) > 1:
        raise InvalidArgument("give one of a file, --pack and --remove", field="file")
    text = None if file is None else _read(file)
    with opened(db_path, user, config) as memory:
        if remove is not None:
            gone = memory.remove_rule(remove)
            put(gone.as_dict()) if as_json else print(f"removed {gone.text}")
        elif listed or (text is None and pack is None):
            _listed([rule.as_dict() for rule in memory.list_rules()], as_json)
        else:
            _added(memory.rules(text, pack=pack, dry_run=dry_run).as_dict(), as_json)


def ask(
    query: Annotated[str, typer.Argument(help='p(x, "Ana"), q(x, n), n > 3')],
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most rows.")] = 100,
    valid_at: ValidAt = None,
    knowledge_at: KnownAt = None,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Ask for every binding of the variables, over what is believed and what follows from it."""
    with opened(db_path, user, config) as memory:
        found = memory.ask(query, limit, valid_at=valid_at, knowledge_at=knowledge_at)
    if as_json:
        put(found.as_dict())
    elif not found.columns:
        print("yes" if found else "no")
    else:
        table(query, found.columns, found.rows)
        if found.truncated:
            print(f"there are more; --limit shows up to {1000}", file=sys.stderr)


def why(
    fact: Annotated[str, typer.Argument(help='p("Ana", "Bo"), or the id of a claim.')],
    depth: Annotated[int, typer.Option(min=1, max=200, help="How deep the proof is shown.")] = 40,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="The proof as a Mermaid graph.")] = False,
    valid_at: ValidAt = None,
    knowledge_at: KnownAt = None,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Show the proof of a fact, down to claims and the words they were taken from; or why it does not hold."""
    with opened(db_path, user, config) as memory:
        found = memory.why(fact, depth=depth, valid_at=valid_at, knowledge_at=knowledge_at)
    if as_json:
        put(found.as_dict())
    else:
        print(found.mermaid() if mermaid else found.text())


def _read(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InvalidArgument(f"{file} cannot be read as a text", field="file") from None


def _listed(found: list[dict[str, str]], as_json: bool) -> None:
    if as_json:
        put({"rules": found})
        return
    for one in found:  # no table: an id that is folded cannot be used
        print(f"{one['rule_id']}  {one['text']}{'  ' + one['pack'] if 'pack' in one else ''}")
    if not found:
        print("no rules")


def _added(body: dict[str, list[dict[str, str]]], as_json: bool) -> None:
    if as_json:
        put(body)
        return
    for warning in body["warnings"]:
        print(f"line {warning['line']}: {warning['message']}", file=sys.stderr)
    _listed(body["rules"], as_json)
    print(f"{body['derived']} derived, {body['withdrawn']} withdrawn")
