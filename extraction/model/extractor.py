"""The extractor that asks a model: several texts at once, answers in the order of the texts."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import islice

from hornbook.extraction.candidate import Extraction, Passage
from hornbook.extraction.model.client import Message, Reply
from hornbook.extraction.model.convert import extraction_of
from hornbook.extraction.model.loop import event_loop
from hornbook.extraction.model.prompt import messages, prompt
from hornbook.graph.errors import ExtractionError, HornbookError

Ask = Callable[[Sequence[Message]], Awaitable[Reply]]


class LLMExtractor:
    """Reads passages by asking a model. A passage that fails carries its error, and the others go on.

    >>> from hornbook.extraction.model.schema import Answer, ReadClaim
    >>> async def ask(messages):
    ...     read = ReadClaim(subject="I", predicate="lives_in", value="Oslo", quote="i live  in Oslo")
    ...     return Reply(Answer(claims=[read]))
    >>> LLMExtractor("test", ask).extract(Passage("I live in Oslo.", "Ana")).candidates[0].quote
    'I live in Oslo'
    """

    def __init__(self, model: str, ask: Ask, concurrency: int = 4) -> None:
        self.model, self.concurrency = model, concurrency
        self._ask = ask

    def __repr__(self) -> str:
        """The model and the prompt."""
        return f"LLMExtractor({self.name!r})"

    @property
    def name(self) -> str:
        """The model and the version of the prompt, as it stands in every claim read with them."""
        return f"litellm {self.model} / prompt {prompt().version}"

    def extract(self, passage: Passage) -> Extraction:
        """What one passage says. Raises ExtractionError when the model cannot tell."""
        (found,) = self.extract_many((passage,))
        if found.error is not None:
            raise found.error
        return found

    def extract_many(self, passages: Iterable[Passage]) -> Iterator[Extraction]:
        """What each says, in order; at most `concurrency` are asked at a time."""
        waiting = iter(passages)
        asked: deque[Future[Extraction]] = deque(map(self._start, islice(waiting, self.concurrency)))
        try:
            while asked:
                found = asked[0].result()
                asked.popleft()
                asked.extend(map(self._start, islice(waiting, 1)))
                yield found
        finally:  # whoever stops reading, by an interrupt too, stops asking
            for one in asked:
                one.cancel()

    def _start(self, passage: Passage) -> "Future[Extraction]":
        return asyncio.run_coroutine_threadsafe(self._read(passage), event_loop())

    async def _read(self, passage: Passage) -> Extraction:
        try:
            reply = await self._ask(messages(passage))
            return extraction_of(reply, passage, self.name)
        except HornbookError as error:
            return Extraction(extractor=self.name, error=error)
        except Exception as error:  # whatever a library raises: this text failed, the others go on
            told = ExtractionError("extraction failed", hint="the text is stored and can be retried")
            told.__cause__ = error
            return Extraction(extractor=self.name, error=told)
