"""From settings to an extractor: which model, at what price, within which budget."""

import os
from typing import TYPE_CHECKING

from hornbook.extraction.model.client import Client, Options, price_of
from hornbook.extraction.model.cost import Meter, Price
from hornbook.extraction.model.extractor import LLMExtractor
from hornbook.graph.errors import InvalidArgument

if TYPE_CHECKING:
    from hornbook.settings import Extraction

MILLION = 1_000_000
KEYLESS = "none"  # local servers ask for no key, and clients insist on sending one


def model_extractor(extraction: "Extraction") -> LLMExtractor:
    """The extractor that asks the model of the settings."""
    options, meter = asking(extraction)
    return LLMExtractor(options.model, Client(options, meter).ask, extraction.concurrency)


def asking(extraction: "Extraction") -> tuple[Options, Meter]:
    """How the model of the settings is asked, and what counts its cost."""
    model = model_name(extraction.provider, extraction.model or "", extraction.base_url)
    key = extraction.api_key.get_secret_value() if extraction.api_key else None
    if key is None and extraction.base_url and not os.environ.get("OPENAI_API_KEY"):
        key = KEYLESS
    options = Options(
        model,
        extraction.base_url,
        key,
        extraction.mode,
        extraction.timeout,
        extraction.retries,
        per_minute=extraction.requests_per_minute,
    )
    return options, Meter(_price(extraction, model), extraction.max_cost)


def model_name(provider: str | None, model: str, base_url: str | None) -> str:
    """The model as litellm names it: its provider in front; a server of one's own speaks OpenAI's protocol.

    >>> model_name("anthropic", "claude-x", None), model_name(None, "qwen", "http://127.0.0.1:8080/v1")
    ('anthropic/claude-x', 'openai/qwen')
    """
    known = provider or ("openai" if base_url and "/" not in model else None)
    return model if known is None or model.startswith(f"{known}/") else f"{known}/{model}"


def _price(extraction: "Extraction", model: str) -> Price:
    """What tokens cost: as set, else as litellm knows. A budget without a price could not be kept."""
    there, back = extraction.price_in, extraction.price_out
    if there is not None or back is not None:
        return lambda read, written: ((there or 0.0) * read + (back or 0.0) * written) / MILLION
    if extraction.max_cost is not None and price_of(model, 1, 1) is None:
        raise InvalidArgument(
            f"nobody knows the price of {model}, so a budget cannot be kept",
            field="HORNBOOK_EXTRACTION__MAX_COST",
            hint="set HORNBOOK_EXTRACTION__PRICE_IN and __PRICE_OUT, in dollars for a million tokens",
        )
    return lambda read, written: price_of(model, read, written)
