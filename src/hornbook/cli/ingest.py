"""`hornbook ingest`."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hornbook.cli.common import PARTLY, AsJson, Config, User, Where, put, table
from hornbook.settings import read

if TYPE_CHECKING:
    from hornbook.extraction.batch.tally import Tally
    from hornbook.extraction.ingest import Ingested
    from hornbook.ingesting import Given
    from hornbook.memory import Memory

Format = Literal["text", "markdown", "jsonl", "messages", "chatgpt", "claude"]
Report = Callable[["Tally", int], None]  # told of the counts and the bytes read so far
STOPPED = "stopped; run it again to go on"


def ingest(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files and folders to read.")] = None,
    format: Annotated[Format | None, typer.Option(help="By the file's name and shape if left out.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="First read what is stored and was not extracted.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would come of it; store nothing.")] = False,
    max_cost: Annotated[float | None, typer.Option(min=0, help="Dollars that a model may cost.")] = None,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Read files and folders into the memory. Safe to stop and to repeat: what is there is not stored again."""
    if not paths and not resume:
        raise typer.BadParameter("name files or folders, or --resume", param_hint="paths")
    for path in paths or ():
        if not path.exists():
            raise typer.BadParameter(f"{path} is not there", param_hint="paths")
    with _opened(db_path, user, config, max_cost) as memory, _stopping() as stopped:
        tally = _run(memory, paths or [], format, stopped, resume=resume, dry_run=dry_run)
    _show(tally, stopped=stopped.is_set(), as_json=as_json)


@contextmanager
def _opened(where: str | None, user: str | None, config: Path | None, max_cost: float | None) -> "Iterator[Memory]":
    limits = {} if max_cost is None else {"extraction": {"max_cost": max_cost}}
    settings = read({"db_path": where, "user_id": user, **limits}, config=config)
    from hornbook.memory import Memory

    with Memory.open(settings.store, user=settings.user_for(None), settings=settings) as memory:
        yield memory


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Ctrl-C takes in no further text and lets those at work be finished; a second one stops at once."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # signals are for the main thread
        yield stopped
        return

    def stop(*_: object) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()
        print("hornbook: finishing the texts at work; Ctrl-C again stops at once", file=sys.stderr)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def _run(
    memory: "Memory",
    paths: Sequence[Path],
    format: Format | None,
    stopped: threading.Event,
    *,
    resume: bool,
    dry_run: bool,
) -> "Tally":
    from hornbook.extraction.batch.files import files_in, read_files
    from hornbook.extraction.batch.tally import Tally
    from hornbook.ingesting import given

    files = files_in(paths)
    tally, bytes_read = Tally(), [0]

    def texts() -> "Iterator[Given]":
        for one in read_files(files, format):
            if stopped.is_set():
                return
            bytes_read[0] = one.at
            yield given(one)

    with _bar(sum(path.stat().st_size for path, _ in files)) as report:

        def count(outcome: "Ingested") -> None:
            tally.add(outcome)
            report(tally, bytes_read[0])

        try:
            if resume and not dry_run:
                for outcome in takewhile(lambda _: not stopped.is_set(), memory.retrying()):
                    count(outcome)
            for outcome in memory.ingesting(texts(), dry_run=dry_run):
                count(outcome)
        except KeyboardInterrupt:  # the transaction that was open is rolled back: what is counted is stored
            stopped.set()
    return tally


def _bar(size: int) -> AbstractContextManager[Report]:
    """A bar with rate, cost and time left on a terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        return nullcontext(lambda tally, done: None)
    from hornbook.cli.bar import bar

    return bar(size)


def _show(tally: "Tally", *, stopped: bool, as_json: bool) -> None:
    counts = tally.as_dict()
    failures = counts.pop("failures", [])
    if as_json:
        put({**counts, **({"failures": failures} if failures else {}), **({"stopped": True} if stopped else {})})
    else:
        table("ingested", ("what", "how many"), counts.items())
    for one in failures:
        place = f"{one['source']}, {one['position']}: " if "source" in one else ""
        print(f"hornbook: {place}{one['message']}", file=sys.stderr)
    if tally.failed > len(failures):
        print(f"hornbook: and {tally.failed - len(failures)} more", file=sys.stderr)
    if stopped:
        print(f"hornbook: {STOPPED}", file=sys.stderr)
    if tally.failed or stopped:
        raise typer.Exit(PARTLY)
