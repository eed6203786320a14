"""A server of pages or calls that hangs up on whoever asks for nothing."""

import time
from typing import Any

import uvicorn

TICKS = 10  # of uvicorn's in a second


class Impatient(uvicorn.Server):
    """A server that closes connections on which no request has come for so many seconds."""

    def __init__(self, config: uvicorn.Config, patience: float = 30.0) -> None:
        super().__init__(config)
        self._patience = patience
        self._idle: dict[Any, tuple[Any, float]] = {}  # connections without a request, and since when

    async def on_tick(self, counter: int) -> bool:
        """Once a second look for heads that do not come; uvicorn itself waits for them for ever."""
        if counter % TICKS == 0:
            self._hang_up(time.monotonic())
        return await super().on_tick(counter)

    def _hang_up(self, now: float) -> None:
        before, self._idle = self._idle, {}
        http: Any  # there are no websockets here
        for http in self.server_state.connections:
            last = http.cycle  # of the last request, if there was one
            if last is not None and not last.response_complete:
                continue
            seen, since = before.get(http, (last, now))
            self._idle[http] = (last, since if seen is last else now)
            if seen is last and now - since > self._patience:
                http.transport.close()
