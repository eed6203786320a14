"""Threads that make pages: what they give, what they raise, and that they end when they are told to."""

import asyncio
from itertools import count
from threading import Event

import pytest

from hornbook.explore.workers import Workers
from hornbook.graph.errors import NotFound


def test_a_page_is_made_beside_one_that_takes_long_which_ends_when_it_is_told_to() -> None:
    workers, begun = Workers(), Event()

    def endless() -> int:
        begun.set()
        return sum(0 for _ in count())

    async def both() -> int:
        asked = asyncio.create_task(workers.run(endless))
        await asyncio.to_thread(begun.wait, 30)
        quick = await workers.run(lambda: 7)
        asked.cancel()
        return quick

    assert 7 == asyncio.run(both())
    assert workers.stop() and not workers.threads


def test_an_error_reaches_who_asked() -> None:
    def missing() -> int:
        raise NotFound("there is no such page")

    with pytest.raises(NotFound):
        asyncio.run(Workers().run(missing))
