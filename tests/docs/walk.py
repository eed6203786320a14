"""Walks a page from top to bottom as a reader would: writes its files, runs its commands and programs, compares.

Blocks are taken in order, in one folder and one Python session:

* a block with a file's name after its language is written to that file;
* in a `console` block each `$ hornbook …` is run; lines after it are what it must print, `...` standing for anything;
* a `python` block with `>>>` is an example whose results must come out as printed, one without is a program;
* a block whose language is followed by `not run:` and a reason is left alone.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
from pathlib import Path
from typing import Any

from tests.docs.pages import NOT_RUN, Block, blocks, named

from hornbook.cli import main

FILE = re.compile(r"^[\w.-]+\.\w+$")
LINES = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
CHECK = doctest.OutputChecker()
EXPORT = re.compile(r"^export (\w+)=(.*)$")


def walk(page: Path, session: dict[str, Any] | None = None) -> int:
    """Do all that a page says in the current folder; how many examples, programs and commands there were."""
    session = {"__name__": "__main__"} if session is None else session
    return sum(step(page, block, session) for block in blocks(page) if not block.words.startswith(NOT_RUN))


def step(page: Path, block: Block, session: dict[str, Any]) -> int:
    if FILE.match(block.words):
        Path(block.words).write_text(block.text, encoding="utf-8")
        return 0
    if block.language == "console":
        return commands(page, block)
    if block.language == "python":
        return examples(page, block, session) if ">>>" in block.text else program(page, block, session)
    return 0


def examples(page: Path, block: Block, session: dict[str, Any]) -> int:
    """The examples of a block, in the session of the page."""
    found = doctest.DocTestParser().get_doctest(block.text, session, named(page), str(page), block.line)
    told = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    failed, ran = runner.run(found, out=told.write, clear_globs=False)
    session.update(found.globs)
    assert failed == 0, told.getvalue()
    return ran


def program(page: Path, block: Block, session: dict[str, Any]) -> int:
    exec(compile("\n" * block.line + block.text, named(page), "exec"), session)
    return 1


def commands(page: Path, block: Block) -> int:
    """Every command of a block; the lines after one are what it must print, if there are any."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    for part in parts:
        command, _, wanted = part.partition("\n")
        if set_ := EXPORT.match(command):
            os.environ[set_[1]] = shlex.split(set_[2])[0]
            continue
        words = shlex.split(command, comments=True)
        assert words[0] == "hornbook", f"{named(page)}: {command}: only hornbook is run here"
        told = run(words[1:])
        assert not wanted.strip() or CHECK.check_output(masked(wanted), masked(told), LINES), (
            f"{named(page)}, line {block.line}: {command}\n{told}"
        )
    return len(parts)


def run(words: list[str], ends: tuple[int, ...] = (0,)) -> str:
    """What a command prints; it must end well."""
    with contextlib.redirect_stdout(io.StringIO()) as told, contextlib.redirect_stderr(io.StringIO()) as errors:
        status = main(words)
    assert status in ends, (words, status, errors.getvalue())
    return told.getvalue()


def masked(text: str) -> str:
    """A text without its ids, whole or broken by a table's cell, since they differ each time.

    >>> masked("on 2024-04-15 claim 01a22e9d-ddde-760b-901f-49f566f57d44")
    'on 2024-04-15 claim ~'
    """
    return re.sub(r"\b[0-9a-f-]{12,}\b", "~", text)
