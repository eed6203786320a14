"""The event loop in which models are asked, in a thread of its own; with the process it ends in good order."""

import asyncio
import atexit
import inspect
import logging
import threading
from functools import lru_cache
from typing import Any

log = logging.getLogger(__name__)
PATIENCE = 2.0  # seconds that the end of the process waits for connections to be closed


@lru_cache(1)
def event_loop() -> asyncio.AbstractEventLoop:
    """The loop in which all models of this process are asked."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="hornbook-models", daemon=True).start()
    return loop


@lru_cache(1)
def leave_at_exit() -> None:
    """Let the end of the process close what litellm keeps open for the next question.

    Called after a question: litellm does so itself, but in another loop, where nothing can be closed. Its own comes
    with the first question, and what is registered last is done first.
    """
    atexit.register(_leave)


def _leave() -> None:
    import litellm

    kept = list(litellm.in_memory_llm_clients_cache.cache_dict.values())
    try:
        asyncio.run_coroutine_threadsafe(_closed(kept), event_loop()).result(PATIENCE)
    except TimeoutError:
        log.debug("connections to a model were left open: closing them took too long")


async def _closed(clients: list[Any]) -> None:
    for client in clients:
        try:
            done = client.close() if hasattr(client, "close") else None
            if inspect.isawaitable(done):
                await done
        except Exception:  # one that cannot be closed must not keep the others open
            log.debug("a connection to a model could not be closed", exc_info=True)
    await asyncio.sleep(0)  # a connection is gone one turn of the loop after it is closed
