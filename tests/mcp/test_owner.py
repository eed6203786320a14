"""Whose memory it is when nobody says, and which tools a record server's client gets."""

import json
from pathlib import Path

import pytest

from hornbook import mcp
from hornbook.owner import kept_user, with_owner
from hornbook.settings import Settings


def test_without_a_config_file_it_is_the_documented_user(tmp_path: Path) -> None:
    settings = with_owner(Settings(), tmp_path / "config.json")

    assert ("mcp_user", []) == (settings.user_for(None), list(tmp_path.iterdir()))


def test_a_config_file_without_a_user_gets_one_and_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"llm": {"provider": "mock"}}))
    first = kept_user(path)

    assert first is not None and first == kept_user(path) == with_owner(Settings(), path).user_for(None)
    assert {"llm": {"provider": "mock"}, "user_id": first} == json.loads(path.read_text())
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.parametrize("given", [{"user_id": "ana"}, {"agent_id": "ana"}, {"bound_user_id": "ana"}])
def test_who_is_named_is_not_looked_up(given: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text("{}")

    assert "ana" == with_owner(Settings.model_validate(given), path).user_for(None)
    assert "{}" == path.read_text()


@pytest.mark.parametrize("broken", ["", "[]", '{"user_id": 7}', '{"user_id": " "}'])
def test_a_config_file_that_names_nobody_is_no_error(broken: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(broken)

    assert kept_user(path) is None


@pytest.mark.parametrize(
    ("flags", "served"),
    [
        (["--env", "{env}"], ("memory", "claims", "records")),
        (["--config", "{config}"], ("memory", "claims", "records")),
        (["--config", "{config}", "--toolset", "claims"], ("claims",)),
        ([], ()),
    ],
)
def test_a_file_of_settings_brings_the_record_tools(
    flags: list[str], served: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HORNBOOK_TOOLSETS", raising=False)
    env, config = tmp_path / "some.env", tmp_path / "some.json"
    env.write_text("DATABASE_PROVIDER=sqlite\n")
    config.write_text('{"user_id": "ana"}')
    given = [flag.format(env=env, config=config) for flag in flags]
    toolsets = mcp._settings(mcp._parser().parse_args(given)).toolsets

    assert set(served) <= set(toolsets) and bool(served) == bool(toolsets)
