"""`hornbook export`, `import`, `backup`, `restore`, `pack` and `rebuild`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from hornbook.cli.common import PARTLY, AsJson, Config, User, Where, opened, put, table
from hornbook.graph.errors import Conflict, InvalidArgument, StoreError
from hornbook.settings import read

PIPE = "-"
System = Literal["reference-server", "powermem", "mempill"]


def export(
    path: Annotated[str, typer.Argument(help="The file to write; '-' for the terminal's output.")] = PIPE,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Write the whole memory as lines of JSON, history included."""
    with opened(db_path, user, config) as memory:
        if path == PIPE:
            for line in memory.export():
                print(line)
            return
        lines = _write(Path(path), memory.export())
    show({"path": path, "lines": lines}, "exported", as_json=as_json)


def import_(
    path: Annotated[str, typer.Argument(help="A file of `export`, or of another system; '-' for standard input.")],
    system: Annotated[System | None, typer.Option("--from", help="The other system that the file is of.")] = None,
    owner: Annotated[
        str | None, typer.Option("--owner", help="Whose export it is, where it is another user's.")
    ] = None,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Bring back what `export` wrote, with its ids, times and history, into an empty memory. Safe to repeat.

    With --from, bring in what another memory server holds; exit status 3 when something could not be carried.
    """
    with opened(db_path, user, config) as memory:
        if system is not None:
            report = memory.bring(path, system)
            _report(report.as_dict(), as_json=as_json)
            if report.left:
                raise typer.Exit(PARTLY)
            return
        show(memory.load(_lines(path), owner=owner).as_dict(), "imported", as_json=as_json)


def backup(
    path: Annotated[Path, typer.Argument(help="The file to write; it must not be there yet.")],
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Copy the memory to one file as it stands now, while others use it."""
    with opened(db_path, user, config) as memory:
        memory.backup(path)
        events = memory.stats()["events"]
    show({"path": str(path), "events": events}, "backed up", as_json=as_json)


def restore(
    path: Annotated[Path, typer.Argument(help="A file of `backup` or `pack`.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the memory that is there.")] = False,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Put a copy in the memory's place, after checking all of it."""
    from hornbook.keeping import restore

    settings = read({"db_path": db_path, "user_id": user}, config=config)
    events = restore(path, settings.store, settings.user_for(None), overwrite=overwrite)
    show({"path": str(path), "events": events}, "restored", as_json=as_json)


def pack(
    path: Annotated[Path, typer.Argument(help="A file ending in .hornbook.")],
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Write the memory as one file that can be carried and opened; `restore` brings it back into a directory."""
    with opened(db_path, user, config) as memory:
        memory.pack(path)
        events = memory.stats()["events"]
    show({"path": str(path), "events": events}, "packed", as_json=as_json)


def rebuild(db_path: Where = None, user: User = None, config: Config = None, as_json: AsJson = False) -> None:
    """Throw the graph view away and build it anew from the journal."""
    with opened(db_path, user, config) as memory:
        show({"events": memory.rebuild()}, "rebuilt", as_json=as_json)


def show(body: dict[str, Any], title: str, *, as_json: bool) -> None:
    """A reply as JSON, or as a table of what and how much."""
    if as_json:
        put(body)
    else:
        table(title, ("what", "how it is"), body.items())


def _report(body: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        put(body)
        return
    left = body.pop("not_carried")
    table("brought in", ("what", "how many"), body.items())
    if left:
        table("not carried", ("what", "why", "how many"), ((one["what"], one["why"], one["many"]) for one in left))


def _write(path: Path, lines: Iterator[str]) -> int:
    """Write lines to a new file, which appears whole or not at all; how many."""
    if path.exists():
        raise Conflict("a file of that name is already there", hint="name another, or remove it")
    part, count = path.with_name(f"{path.name}.part"), 0
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            for line in lines:
                file.write(f"{line}\n")
                count += 1
        part.replace(path)
    except OSError as error:
        raise StoreError(
            "the file cannot be written", hint="check that you may write, and that there is room"
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return count


def _lines(path: str) -> Iterator[str]:
    try:
        if path == PIPE:
            yield from sys.stdin
            return
        with Path(path).open(encoding="utf-8") as file:
            yield from file
    except OSError as error:
        raise InvalidArgument("the file cannot be read", field="path", hint="check its name") from error
    except UnicodeDecodeError as error:
        raise InvalidArgument("the file is not UTF-8", field="path", hint="name a file of `export`") from error
