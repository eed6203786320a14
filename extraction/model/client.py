"""Asking a model: instructor over litellm, with patience for what is transient and a second question for bad answers.

litellm costs seconds and 200 MB to import, so it is loaded with the first question, and never fetches its price list.
"""

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import ModuleType
from typing import Any, Literal

from hornbook.extraction.candidate import NO_USAGE, Usage
from hornbook.extraction.model.answer import Salvaged, salvage
from hornbook.extraction.model.cost import Meter
from hornbook.extraction.model.loop import leave_at_exit
from hornbook.extraction.model.pace import Pace
from hornbook.extraction.model.schema import Answer
from hornbook.graph.errors import ExtractionError

Mode = Literal["tools", "json_schema", "json", "md_json"]
MODES: tuple[Mode, ...] = (
    "tools",
    "json_schema",
    "json",
    "md_json",
)  # from what asks most of a model to what asks least
ASKS = 3  # questions for one text, until an answer can be read
LONGEST_WAIT = 60.0  # seconds
SHOWN = 4_000  # characters of a bad answer that the model is shown again
AGAIN = "That cannot be read: {why}. Answer with the JSON object only, as it was described."

Message = dict[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer, what of it could not be read, and what it took."""

    answer: Answer
    problems: tuple[str, ...] = ()
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True)
class Options:
    """Which model is asked, and how patiently."""

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    mode: Mode = "tools"
    timeout: float = 60.0
    retries: int = 4
    backoff: float = 1.0  # seconds before the first retry; twice as long before each further one
    per_minute: int | None = None


class Unreadable(Exception):
    """The model answered, but not what was asked for."""

    def __init__(self, text: str, why: str, usage: Usage) -> None:
        super().__init__(why)
        self.text, self.why, self.usage = text, why, usage


@lru_cache(1)
def libraries() -> tuple[ModuleType, ModuleType]:
    """Load litellm and instructor, quietly: what they log repeats the text that was sent."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else the import fetches a price list
    import instructor
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    for name in ("instructor", "LiteLLM", "httpx"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return litellm, instructor


def price_of(model: str, read: int, written: int) -> float | None:
    """Dollars for so many tokens in and out, by litellm's list; None for a model that is not on it."""
    litellm, _ = libraries()
    try:
        there, back = litellm.cost_per_token(model=model, prompt_tokens=read, completion_tokens=written)
    except Exception:  # litellm raises whatever its lookup of an unknown model runs into
        return None
    return float(there + back)


class Client:
    """Asks one model. Every method runs in one event loop."""

    def __init__(self, options: Options, meter: Meter) -> None:
        self.options, self.meter = options, meter
        self.mode: Mode = options.mode
        self._pace: Pace | None = None

    async def ask(self, messages: Sequence[Message]) -> Reply:
        """The model's answer. Raises ExtractionError when it cannot be had, BudgetSpent when it may not be."""
        said, best, spent = list(messages), None, NO_USAGE
        for _ in range(ASKS):
            try:
                answer, usage = await self._patiently(said)
                return Reply(answer, (), spent + usage)
            except Unreadable as bad:
                spent += bad.usage
                found = salvage(bad.text)
                if found is not None and found.whole:
                    return Reply(found.answer, (), spent)
                best = _better(best, found)
                again = AGAIN.format(why=bad.why)
                said = [*messages, {"role": "assistant", "content": bad.text[:SHOWN] or "-"}, _user(again)]
        if best is None:
            raise ExtractionError(f"the model answered {ASKS} times, and never with anything that can be read")
        cut = ("the model's answer was cut off; its last claim is left out",) if best.cut else ()
        return Reply(best.answer, (*best.problems, *cut), spent)

    async def _patiently(self, messages: Sequence[Message]) -> tuple[Answer, Usage]:
        """One answer, over what is transient: a limit on the rate, an overloaded server, a lost connection."""
        for attempt in range(self.options.retries + 1):
            mode = self.mode
            try:
                return await self._once(messages)
            except (Unreadable, ExtractionError):
                raise
            except Exception as error:  # litellm's own classes: known once it is loaded
                if self._less_demanding(error, mode):
                    return await self._patiently(messages)
                if attempt == self.options.retries or not transient(error):
                    raise ExtractionError(told(error, self.options), hint=mend(error)) from error
                await self._wait(error, attempt)
        raise AssertionError("the last attempt returns or raises")

    async def _wait(self, error: Exception, attempt: int) -> None:
        asked = _retry_after(error)
        seconds = min(LONGEST_WAIT, self.options.backoff * 2**attempt if asked is None else asked)
        if is_a(error, "RateLimitError"):
            self._paced().hold(seconds)  # every other call waits too; this one takes its turn again
        else:
            await asyncio.sleep(seconds)

    def _paced(self) -> Pace:
        if self._pace is None:
            self._pace = Pace(self.options.per_minute, asyncio.get_running_loop().time)
        return self._pace

    def _less_demanding(self, error: Exception, mode: Mode) -> bool:
        """Whether a provider that refused the way of asking can be asked in a simpler way, from now on."""
        if not is_a(error, "BadRequestError") or is_a(error, *UNFIT):
            return False
        if mode != self.mode:  # another question found out first
            return True
        simpler = MODES[MODES.index(mode) + 1 :]
        self.mode = simpler[0] if simpler else self.options.mode  # refused in every way, so it is not the way
        return bool(simpler)

    async def _once(self, messages: Sequence[Message]) -> tuple[Answer, Usage]:
        text = len(messages[1]["content"])
        booked = self.meter.book(sum(len(one["content"]) for one in messages), text)
        try:
            await self._paced().turn()
            return await self._completed(messages, booked)
        except Unreadable:
            raise
        except BaseException:
            self.meter.release(booked)
            raise

    async def _completed(self, messages: Sequence[Message], booked: float) -> tuple[Answer, Usage]:
        litellm, instructor = libraries()
        client = instructor.from_litellm(litellm.acompletion, mode=instructor.Mode[self.mode.upper()])
        try:
            answer, raw = await client.chat.completions.create_with_completion(
                response_model=Answer, messages=list(messages), max_retries=0, num_retries=0, **self._where()
            )
        except Exception as error:  # instructor wraps what litellm raises, and what it cannot read itself
            completion = getattr(error, "last_completion", None)
            if completion is None:
                raise (error.__cause__ if isinstance(error.__cause__, Exception) else error) from error
            usage = self._settled(completion, booked)
            raise Unreadable(_text(completion), _why(error), usage) from error
        finally:
            leave_at_exit()
        return answer, self._settled(raw, booked)

    def _where(self) -> dict[str, Any]:
        given = {
            "model": self.options.model,
            "api_base": self.options.base_url,
            "api_key": self.options.api_key,
            "timeout": self.options.timeout,
        }
        return {key: value for key, value in given.items() if value is not None}

    def _settled(self, completion: Any, booked: float) -> Usage:
        usage = getattr(completion, "usage", None)
        read, written = (getattr(usage, key, None) or 0 for key in ("prompt_tokens", "completion_tokens"))
        return self.meter.settle(booked, int(read), int(written))


def _user(text: str) -> Message:
    return {"role": "user", "content": text}


def _better(best: Salvaged | None, found: Salvaged | None) -> Salvaged | None:
    if best is None or found is None:
        return best or found
    return max(best, found, key=lambda one: len(one.answer.claims))


def _text(completion: Any) -> str:
    """The words of an answer, or the arguments of the call that it made."""
    choices = getattr(completion, "choices", None) or ()
    if not choices:
        return ""
    message = choices[0].message
    called = [call.function.arguments or "" for call in message.tool_calls or ()]
    return "\n".join((*called, message.content or ""))


def _why(error: Exception) -> str:
    """One line on what is wrong with an answer; of a schema error the field and the fault."""
    cause = error.__cause__
    errors = getattr(cause, "errors", None)
    if callable(errors):
        first = errors()[0]
        return f"{'.'.join(str(part) for part in first['loc']) or 'answer'}: {first['msg']}"
    return "it is not the JSON object that was asked for"


# litellm's errors: by the names of their classes, since the library is loaded late


def is_a(error: BaseException, *names: str) -> bool:
    """Whether an error is of a class of litellm's with one of these names."""
    return any(one.__name__ in names for one in type(error).__mro__)


UNFIT = ("ContextWindowExceededError", "ContentPolicyViolationError")  # refused for what the text is
TRANSIENT = ("RateLimitError", "InternalServerError", "ServiceUnavailableError", "APIConnectionError", "Timeout",
             "BadGatewayError", "APITimeoutError")  # fmt: skip
WORDS: Mapping[str, str] = {
    "AuthenticationError": "the model's provider refuses the key, or none is set",
    "PermissionDeniedError": "the key may not use this model",
    "NotFoundError": "the model's provider knows no such model",
    "ContextWindowExceededError": "the text is too long for the model",
    "ContentPolicyViolationError": "the model's provider does not take such a text",
    "RateLimitError": "the model's provider limits the rate, and kept doing so",
    "Timeout": "the model did not answer in time",
    "APIConnectionError": "the model's provider cannot be reached",
    "BadRequestError": "the model's provider refuses the request",
}


def transient(error: BaseException) -> bool:
    """Whether the same question may be answered a moment later."""
    return is_a(error, *TRANSIENT)


def told(error: BaseException, options: Options) -> str:
    """What happened, in our own words: a library's message may hold the text, or the key."""
    for one in type(error).__mro__:
        if one.__name__ in WORDS:
            return f"{WORDS[one.__name__]} ({options.model})"
    if "connect" in str(error).lower():
        return f"{WORDS['APIConnectionError']} ({options.model})"
    return f"the model's provider failed ({options.model})"


def mend(error: BaseException) -> str:
    """What to do about it."""
    if is_a(error, "AuthenticationError", "PermissionDeniedError"):
        return "set HORNBOOK_EXTRACTION__API_KEY or the provider's own key variable, then resume"
    if is_a(error, "NotFoundError"):
        return "see HORNBOOK_EXTRACTION__MODEL and __PROVIDER, then resume"
    return "the text is stored: resume when the provider answers"


def _retry_after(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None
