"""`hornbook stats`."""

from hornbook.cli.common import AsJson, Config, User, Where, opened, put, table


def stats(db_path: Where = None, user: User = None, config: Config = None, as_json: AsJson = False) -> None:
    """Say how much is stored."""
    with opened(db_path, user, config) as memory:
        found = memory.stats()
    if as_json:
        put(found)
    else:
        table("memory", ("what", "how much"), found.items())
