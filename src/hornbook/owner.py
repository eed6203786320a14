"""Whose memory it is when nobody says: the id in the user's config file, made and kept there when it has none.

As record servers document it: an argument, then the config file, then `mcp_user` where there is no such file.
"""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import platformdirs

from hornbook.graph.ids import new_id
from hornbook.settings import Settings

CONFIG = "config.json"


def with_owner(settings: Settings, path: Path | None = None) -> Settings:
    """Settings that name a user, if the config file can tell one or can keep one."""
    if settings.user_id or settings.agent_id or settings.bound_user_id:
        return settings
    user = kept_user(path or platformdirs.user_config_path("hornbook") / CONFIG)
    return settings if user is None else settings.model_copy(update={"user_id": user})


def kept_user(path: Path) -> str | None:
    """The user id of a config file, generated and written into it when it has none; None without such a file.

    A file that cannot be written to is left alone: then there is no id, and the next start tries again.
    """
    content = _read(path)
    if content is None:
        return None
    if not content.get("user_id"):
        try:
            _write(path, {**content, "user_id": f"user-{new_id()}"})
        except OSError:
            return None
        content = _read(path) or {}  # another process may have been as quick: what stands there counts
    user = content.get("user_id")
    return user if isinstance(user, str) and user.strip() else None


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def _write(path: Path, content: dict[str, Any]) -> None:
    """Put a file in the place of another whole, or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".config-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(content, indent=2) + "\n")
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
