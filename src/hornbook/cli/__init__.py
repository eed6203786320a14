"""`hornbook` on the command line: a module a command, exit status 0 done, 1 failed, 2 usage, 3 partly done."""

import sys
from collections.abc import Sequence

import typer

from hornbook.cli.changes import changes
from hornbook.cli.config import config
from hornbook.cli.contested import contested, resolve
from hornbook.cli.demo import demo
from hornbook.cli.doctor import doctor
from hornbook.cli.explore import explore
from hornbook.cli.extract import extract
from hornbook.cli.forgetting import erase, forget, undo
from hornbook.cli.history import history
from hornbook.cli.ingest import ingest
from hornbook.cli.moving import backup, export, import_, pack, rebuild, restore
from hornbook.cli.organize import organize
from hornbook.cli.rules import ask, rules, why
from hornbook.cli.search import search
from hornbook.cli.serve import serve
from hornbook.cli.stats import stats
from hornbook.graph.errors import HornbookError, InvalidArgument, RuleError
from hornbook.mcp import said

FAILED, USAGE = 1, 2

app = typer.Typer(
    help="A memory that answers with reasons.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (demo, ingest, extract, search, explore, history, contested, resolve, organize, stats, config, doctor):
    app.command()(command)
for reasoning in (rules, ask, why):
    app.command()(reasoning)
for keeping in (export, backup, restore, pack, rebuild, changes, undo, forget, erase):
    app.command()(keeping)
app.command("import")(import_)
app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)(serve)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; an error is one line on stderr, never a traceback."""
    try:
        app(args=list(sys.argv[1:] if arguments is None else arguments), prog_name="hornbook")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except HornbookError as error:
        print(f"hornbook: {_told(error)}", file=sys.stderr)
        return USAGE if isinstance(error, InvalidArgument | RuleError) else FAILED
    return 0


def _told(error: HornbookError) -> str:
    """An error as one line; one in a rule with the place, a caret under it."""
    from hornbook.reasoning.errors import Located

    return error.report() if isinstance(error, Located) else said(error)
