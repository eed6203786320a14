"""The progress bar of long runs, on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from hornbook.extraction.batch.tally import Tally


@contextmanager
def bar(size: int, console: Console | None = None) -> "Iterator[Callable[[Tally, int], None]]":
    """A bar over so many bytes: texts, texts a second, claims, dollars, and the time that is left."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console or Console(stderr=True), transient=True) as progress:
        task = progress.add_task("ingesting", total=max(1, size), told="")

        def report(tally: "Tally", done: int) -> None:
            seconds = progress.tasks[0].elapsed or 0.0
            progress.update(task, completed=done, told=told(tally, seconds))

        yield report


def told(tally: "Tally", seconds: float) -> str:
    """What stands beside the bar.

    >>> from hornbook.extraction.batch.tally import Tally
    >>> told(Tally(texts=120, claims=80, failed=1), 10.0)
    '120 texts, 12/s, 80 claims, 1 failed'
    """
    rate = f"{tally.texts / seconds:.0f}/s" if seconds else "-/s"
    parts = [f"{tally.texts} texts", rate, f"{tally.claims} claims"]
    if tally.failed:
        parts.append(f"{tally.failed} failed")
    if tally.usage.calls:
        parts.append("$?" if tally.usage.cost is None else f"${tally.usage.cost:.4f}")
    return ", ".join(parts)
