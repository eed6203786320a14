"""What a user can set, in one class.

Order: flag, environment, `.env`, config file, default. A nested setting is spelled with two underscores
(`HORNBOOK_EXTRACTION__PROVIDER`). An unknown `HORNBOOK_*` key is an error that names the nearest known one; the few
unprefixed keys of other memory servers (`LLM_*`, `EMBEDDING_*`, `DATABASE_PROVIDER`) are read as they are documented.
"""

import difflib
import json
import logging
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from hornbook.graph.errors import Forbidden, InvalidArgument
from hornbook.graph.retrieval.scoring import Weights

PREFIX = "HORNBOOK_"
FALLBACK_USER = "mcp_user"  # as the record tools document it
IN_MEMORY = ":memory:"
PACK = ".hornbook"

log = logging.getLogger(__name__)


class Model(BaseModel):
    """Which model answers, and where. Nothing set: the offline one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: str | None = None
    model: str | None = None
    base_url: str | None = None
    api_key: SecretStr | None = None


class Extraction(Model):
    """How texts become claims. What follows the model counts only where one is set."""

    mode: Literal["tools", "json_schema", "json", "md_json"] = "tools"  # from what asks most of a model to least
    concurrency: Annotated[int, Field(ge=1, le=256)] = 4  # texts that are read at once
    timeout: Annotated[float, Field(gt=0)] = 60.0  # seconds for one answer
    retries: Annotated[int, Field(ge=0, le=20)] = 4  # of what is transient: limits, overload, lost connections
    requests_per_minute: Annotated[int, Field(ge=1)] | None = None
    max_cost: Annotated[float, Field(ge=0)] | None = None  # dollars, for as long as the memory is open
    price_in: Annotated[float, Field(ge=0)] | None = None  # dollars for a million tokens, where litellm has no price
    price_out: Annotated[float, Field(ge=0)] | None = None


class Embedding(Model):
    """How texts become vectors."""

    dims: Annotated[int, Field(ge=1)] | None = None


class Scoring(BaseModel):
    """How the signals of a search are put together."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fusion: Literal["rrf", "weighted"] = "rrf"
    weights: Weights = Weights()


class Settings(BaseSettings):
    """Everything that can be set. Made by `read`, which says where each value may come from.

    >>> Settings(user_id="ana").user_for(None)
    'ana'
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True, env_ignore_empty=True
    )

    db_path: str | None = None
    pack_path: str | None = None
    db_dir: str | None = None
    cache_dir: str | None = None  # where graph views are kept; they can be deleted at any time
    user_id: str | None = None
    agent_id: str | None = None
    bound_user_id: str | None = None
    toolsets: Annotated[tuple[str, ...], NoDecode] = ()
    mcp_user_keys: SecretStr | None = None
    max_open_tenants: Annotated[int, Field(ge=1)] = 32
    ask_about_contests: bool = True  # ask the person at the client, where the client can, when a claim is contested
    ask_seconds: Annotated[float, Field(gt=0)] = 60.0  # how long an answer is waited for in the middle of a call
    database_provider: str | None = None  # read, and only `sqlite` is served
    extraction: Extraction = Extraction()
    embedding: Embedding = Embedding()
    scoring: Scoring = Scoring()

    @field_validator("toolsets", mode="before")
    @classmethod
    def _split(cls, given: object) -> object:
        return tuple(part.strip() for part in given.split(",") if part.strip()) if isinstance(given, str) else given

    @field_validator("mcp_user_keys", mode="before")
    @classmethod
    def _as_text(cls, given: object) -> object:
        return json.dumps(given) if isinstance(given, Mapping) else given

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what `read` passes in: nothing is picked up from the machine behind its back."""
        return (init_settings,)

    @property
    def store(self) -> str:
        """Where the memories are: a directory, one file ending in `.hornbook`, or `:memory:`."""
        return self.pack_path or self.db_path or self.db_dir or str(platformdirs.user_data_path("hornbook", False))

    def user_for(self, asked: str | None, bound: str | None = None) -> str:
        """Whose memory a call is about; a server, or a key, bound to one owner forbids every other.

        >>> Settings(agent_id="planner").user_for(None), Settings().user_for(None), Settings().user_for("ben")
        ('planner', 'mcp_user', 'ben')
        """
        if asked is not None and not asked.strip():
            raise InvalidArgument("user_id is blank", field="user_id", hint="leave it out for the default user")
        bound = self.bound_user_id or bound
        if bound is not None and asked is not None and asked.strip() != bound:
            raise Forbidden("this is another user's memory", field="user_id", hint="leave user_id out")
        return bound or asked or self.user_id or self.agent_id or FALLBACK_USER


def read(
    flags: Mapping[str, Any] | None = None,
    *,
    config: Path | None = None,
    env_file: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Put together the settings from flags, environment, `.env` and config file, in this order.

    >>> read({"user_id": "ana"}, environ={"HORNBOOK_USER_ID": "ben", "LLM_MODEL": "qwen-plus"}).extraction.model
    'qwen-plus'
    """
    merged: dict[str, Any] = {}
    for _, layer in layers(flags, config=config, env_file=env_file, environ=environ):
        merged = _over(merged, layer)
    try:
        return Settings(**merged)
    except ValidationError as error:
        raise _refusal(error) from None


def layers(
    flags: Mapping[str, Any] | None = None,
    *,
    config: Path | None = None,
    env_file: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> list[tuple[str, dict[str, Any]]]:
    """What is set where, by the name of the place; what comes later is laid over what comes before."""
    environment = dict(os.environ if environ is None else environ)
    return [
        ("config file", _of_file(config)),
        *((".env", layer) for layer in _of_environment(_of_dotenv(env_file))),
        *(("environment", layer) for layer in _of_environment(environment)),
        ("flag", _with_path(dict(flags or {}))),
    ]


def _with_path(flags: dict[str, Any]) -> dict[str, Any]:
    """`--db-path` names a directory or a pack, and no ambient pack may take its place; a blank user is no user."""
    user = flags.get("user_id")
    if isinstance(user, str) and not user.strip():
        raise InvalidArgument("the user is blank", field="user", hint="leave it out for the default user")
    given = {key: value for key, value in flags.items() if value not in (None, "", (), [])}
    if "db_path" in given:
        packed = str(given["db_path"]).endswith(PACK)
        given |= {"pack_path": given["db_path"] if packed else None}
    return given


def _of_environment(environ: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the unprefixed keys of other servers, then our own over them; refuse unknown `HORNBOOK_*` keys."""
    known = _keys()
    for key in environ:
        if key.upper().startswith(PREFIX) and key.upper() not in known:
            near = difflib.get_close_matches(key.upper(), known, n=1, cutoff=0.0)
            raise InvalidArgument(f"{key} is not a setting", field=key, hint=f"did you mean {near[0]}?")
    yield _foreign(environ)
    # pydantic-settings reads the process's environment: hand it ours, so that one reader serves `.env` too
    source = EnvSettingsSource(Settings)
    source.env_vars = {key.lower(): value for key, value in environ.items() if value != ""}
    yield source()


FOREIGN = {
    "LLM_PROVIDER": ("extraction", "provider"),
    "LLM_MODEL": ("extraction", "model"),
    "LLM_API_KEY": ("extraction", "api_key"),
    "LLM_BASE_URL": ("extraction", "base_url"),
    "EMBEDDING_PROVIDER": ("embedding", "provider"),
    "EMBEDDING_MODEL": ("embedding", "model"),
    "EMBEDDING_API_KEY": ("embedding", "api_key"),
    "EMBEDDING_BASE_URL": ("embedding", "base_url"),
    "EMBEDDING_DIMS": ("embedding", "dims"),
    "DATABASE_PROVIDER": ("database_provider",),
}


def _foreign(environ: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, path in FOREIGN.items():
        if value := environ.get(key):
            room = found.setdefault(path[0], {}) if len(path) > 1 else found
            room[path[-1]] = value
    return found


def _keys() -> tuple[str, ...]:
    """Every environment key that is a setting, `HORNBOOK_EXTRACTION` (as JSON) included."""
    nested = [
        f"{name}__{inner}"
        for name, field in Settings.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
        for inner in field.annotation.model_fields
    ]
    weights = [f"scoring__weights__{weight.name}" for weight in fields(Weights)]
    return tuple(f"{PREFIX}{name}".upper() for name in [*Settings.model_fields, *nested, *weights])


def _of_dotenv(env_file: Path | None) -> dict[str, str]:
    if env_file is not None and not env_file.is_file():
        raise InvalidArgument("the file given with --env is not there", field="env")
    path = env_file or Path(".env")
    if not path.is_file():
        return {}
    from dotenv import dotenv_values  # only where there is a file

    return {key: value for key, value in dotenv_values(path).items() if value is not None}


CONFIG_ROOMS = {"llm": "extraction", "embedder": "embedding"}  # the record server's words


def _of_file(config: Path | None) -> dict[str, Any]:
    """Read a JSON or TOML file; without `--config` the one in the user's config folder, if there is one."""
    if config is not None and not config.is_file():
        raise InvalidArgument("the file given with --config is not there", field="config")
    path = config or platformdirs.user_config_path("hornbook") / "config.json"
    try:
        if not path.is_file():
            return {}
        text = path.read_text(encoding="utf-8")
        content = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError:
        if config is not None:
            raise InvalidArgument("the file given with --config cannot be read", field="config") from None
        log.warning("the config file in the user's config folder cannot be read and is left out")
        return {}
    except ValueError:
        raise InvalidArgument("the config file is neither JSON nor TOML", field="config") from None
    if not isinstance(content, dict):
        raise InvalidArgument("the config file must hold an object", field="config")
    return _known(content)


def _known(content: dict[str, Any]) -> dict[str, Any]:
    """Keep what of a config file is a setting; a file written for a record server has more, which is named and left."""
    found: dict[str, Any] = {}
    for key, value in content.items():
        room = CONFIG_ROOMS.get(key, key)
        if room in Settings.model_fields:
            found = _over(found, {room: _room(value) if key in CONFIG_ROOMS else value})
        else:
            log.warning("config file: %s is not a setting and is left out", key)
    return found


def _room(value: Any) -> dict[str, Any]:
    """Flatten `{"provider", "config": {...}}`, as far as the keys are known."""
    flat = {"provider": value.get("provider"), **value.get("config", {})} if isinstance(value, dict) else {}
    renamed = {"embedding_dims": "dims", "openai_base_url": "base_url"}
    named = {renamed.get(key, key): item for key, item in flat.items()}
    return {key: item for key, item in named.items() if key in Embedding.model_fields and item is not None}


def _over(under: dict[str, Any], upper: dict[str, Any]) -> dict[str, Any]:
    """`upper` laid over `under`, room by room."""
    both = dict(under)
    for key, value in upper.items():
        nested = isinstance(value, dict) and isinstance(both.get(key), dict)
        both[key] = _over(both[key], cast("dict[str, Any]", value)) if nested else value
    return both


def _refusal(error: ValidationError) -> InvalidArgument:
    first = error.errors()[0]
    field = "__".join(str(part) for part in first["loc"]) or "settings"
    return InvalidArgument(f"{PREFIX}{field.upper()}: {first['msg'].lower()}", field=field)
