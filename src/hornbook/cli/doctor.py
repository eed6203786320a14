"""`hornbook doctor`."""

from typing import Annotated

import typer

from hornbook.cli.common import PARTLY, AsJson, Config, User, Where, put, table
from hornbook.settings import read

FAILED = 1


def doctor(
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    ask_model: Annotated[
        bool, typer.Option("--ask-model", help="Let the model that is set read one sentence; it may cost money.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a memory: files, locks, the whole chain, views, vectors, models. Nothing is changed.

    Exit status 0 when all is well, 3 when something wants attention, 1 when the store is damaged.
    """
    from hornbook.checkup import Status, examined, versions

    settings = read({"db_path": db_path, "user_id": user}, config=config)
    found = examined(settings, settings.user_for(None), ask_model=ask_model)
    if as_json:
        put(found.as_dict())
    else:
        rows = [(check.name, check.status.value, check.found, check.mend) for check in found.checks]
        table(f"doctor: {found.user}", ("what", "how it is", "found", "what to do"), rows)
        table("versions", ("part", "version"), versions().items())
    if found.status is not Status.OK:
        raise typer.Exit(FAILED if found.status is Status.DAMAGED else PARTLY)
