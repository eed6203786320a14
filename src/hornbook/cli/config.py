"""`hornbook config`."""

from pathlib import Path
from typing import Annotated

import typer

from hornbook.cli.common import AsJson, Config, User, Where, put, table
from hornbook.origins import origins
from hornbook.settings import layers, read


def config(
    show: Annotated[bool, typer.Option("--show", help="List every setting; also what happens without it.")] = True,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    env: Annotated[Path | None, typer.Option("--env", help="File of environment settings.")] = None,
    as_json: AsJson = False,
) -> None:
    """List every setting, its value with secrets masked, and where the value comes from."""
    flags = {"db_path": db_path, "user_id": user}
    settings = read(flags, config=config, env_file=env)
    found = origins(settings, layers(flags, config=config, env_file=env))
    if as_json:
        put({"settings": [one.as_dict() for one in found], "store": settings.store})
    else:
        rows = ((one.setting, _written(one.value), one.source) for one in found)
        table(f"settings (memories in {settings.store})", ("setting", "value", "from"), rows)


def _written(value: object) -> object:
    return ",".join(map(str, value)) if isinstance(value, list) else value
