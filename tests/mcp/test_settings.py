"""Settings: where a value comes from, which one wins, and what is refused."""

from pathlib import Path

import pytest

from hornbook.graph.errors import Forbidden, InvalidArgument
from hornbook.settings import Settings, read


@pytest.fixture(autouse=True)
def _away_from_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_a_flag_beats_the_environment_beats_dotenv_beats_the_config_file(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"user_id": "of file", "agent_id": "of file", "db_dir": "of file", "bound_user_id": "of file"}')
    (tmp_path / ".env").write_text("HORNBOOK_USER_ID=dotenv\nHORNBOOK_AGENT_ID=dotenv\nHORNBOOK_DB_DIR=dotenv\n")
    environ = {"HORNBOOK_USER_ID": "environment", "HORNBOOK_AGENT_ID": "environment"}

    settings = read({"user_id": "flag"}, config=config, environ=environ)

    assert (settings.user_id, settings.agent_id) == ("flag", "environment")
    assert (settings.db_dir, settings.bound_user_id) == ("dotenv", "of file")


def test_a_nested_setting_is_spelled_with_two_underscores() -> None:
    settings = read(environ={"HORNBOOK_EXTRACTION__PROVIDER": "openai", "HORNBOOK_EXTRACTION__MODEL": "gpt-4o-mini"})

    assert (settings.extraction.provider, settings.extraction.model) == ("openai", "gpt-4o-mini")


def test_an_unknown_key_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(InvalidArgument) as refused:
        read(environ={"HORNBOOK_USERID": "ana"})

    assert refused.value.hint == "did you mean HORNBOOK_USER_ID?"


def test_keys_of_other_programs_are_left_alone() -> None:
    assert read(environ={"PRME_DB_PATH": "x", "LLM_TEMPERATURE": "1"}).extraction.model is None


def test_the_record_servers_own_keys_are_read_and_ours_win() -> None:
    environ = {
        "LLM_PROVIDER": "qwen",
        "LLM_API_KEY": "secret",
        "EMBEDDING_MODEL": "text-embedding-v4",
        "HORNBOOK_EXTRACTION__PROVIDER": "openai",
    }

    settings = read(environ=environ)

    assert (settings.extraction.provider, settings.embedding.model) == ("openai", "text-embedding-v4")
    assert "secret" not in repr(settings)


def test_a_config_file_of_the_record_server_is_understood(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(
        '{"llm": {"provider": "qwen", "config": {"model": "qwen-plus", "temperature": 0.2}}, "reranker": {}}'
    )

    assert read(config=config, environ={}).extraction.model == "qwen-plus"


def test_toml_is_read_too(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('user_id = "ana"\n[scoring]\nfusion = "weighted"\n')

    assert read(config=config, environ={}).scoring.fusion == "weighted"


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_a_config_file_that_cannot_be_read_is_refused(tmp_path: Path, text: str) -> None:
    config = tmp_path / "config.json"
    config.write_text(text)
    with pytest.raises(InvalidArgument, match="config file"):
        read(config=config, environ={})


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="--config is not there"):
        read(environ={}, config=tmp_path / "none")
    with pytest.raises(InvalidArgument, match="--env is not there"):
        read(environ={}, env_file=tmp_path / "none")


def test_a_value_outside_its_words_names_the_key() -> None:
    with pytest.raises(InvalidArgument, match="HORNBOOK_SCORING__FUSION"):
        read(environ={"HORNBOOK_SCORING__FUSION": "magic"})


def test_a_directory_given_by_flag_is_not_replaced_by_an_ambient_pack() -> None:
    environ = {"HORNBOOK_PACK_PATH": "ambient.hornbook"}

    assert read({"db_path": "here"}, environ=environ).store == "here"
    assert read({"db_path": "other.hornbook"}, environ=environ).store == "other.hornbook"
    assert read(environ=environ).store == "ambient.hornbook"


def test_the_claim_servers_directory_and_identity_are_read() -> None:
    settings = read(environ={"HORNBOOK_DB_DIR": "data", "HORNBOOK_AGENT_ID": "planner"})

    assert (settings.store, settings.user_for(None)) == ("data", "planner")


def test_toolsets_are_a_comma_list() -> None:
    assert read(environ={"HORNBOOK_TOOLSETS": "memory, claims"}).toolsets == ("memory", "claims")


def test_a_bound_server_forbids_every_other_user() -> None:
    settings = Settings(bound_user_id="ana", user_id="ben")

    assert (settings.user_for(None), settings.user_for("ana")) == ("ana", "ana")
    with pytest.raises(Forbidden):
        settings.user_for("ben")


def test_a_blank_user_is_refused() -> None:
    with pytest.raises(InvalidArgument):
        Settings().user_for(" ")
