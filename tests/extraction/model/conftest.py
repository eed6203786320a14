"""A model behind a real server on loopback, asked through litellm itself."""

from collections.abc import Callable
from typing import Any

import pytest

from hornbook.extraction.model.client import Client, Options, price_of
from hornbook.extraction.model.cost import Meter
from hornbook.extraction.model.extractor import LLMExtractor

Made = Callable[..., LLMExtractor]


@pytest.fixture
def extractor() -> Made:
    """Make an extractor for a server; what is left open is impatient."""

    def made(url: str, *, most: float | None = None, concurrency: int = 4, **given: Any) -> LLMExtractor:
        options = Options(
            **{"model": "openai/gpt-4o-mini", "api_key": "local", "backoff": 0.01, "timeout": 5.0, **given},
            base_url=url,
        )
        meter = Meter(lambda read, written: price_of(options.model, read, written), most)
        return LLMExtractor(options.model, Client(options, meter).ask, concurrency)

    return made
