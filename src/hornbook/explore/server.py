"""Serving the pages of a memory to one browser on this machine, until it is told to stop."""

import logging
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from hornbook.explore.app import guarded
from hornbook.explore.guard import Session
from hornbook.explore.workers import Workers
from hornbook.loopback import listen
from hornbook.memory import Memory
from hornbook.serving import Impatient

HOST = "127.0.0.1"
MOST = 64  # requests at once; more are told to come again
LAST_PAGES = 3  # seconds that open requests have when it is told to stop


def serve(memory: Memory, *, port: int = 0, write: bool = False, browser: bool = True) -> None:
    """Serve until Ctrl-C or SIGTERM. The link is printed; a browser is opened with it unless it is not wanted."""
    listening = listen(HOST, port)
    port = listening.getsockname()[1]

    def address(token: str) -> str:
        return f"http://{HOST}:{port}/?token={token}"

    def told(token: str) -> None:
        print(f"Opened. For another browser: {address(token)}", flush=True)

    session = Session(told)
    logging.basicConfig(handlers=[logging.StreamHandler(sys.stderr)], level=logging.WARNING)
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # what goes wrong in a page is told by the page
    print(f"The memory of {memory.user}{'' if write else ', read-only'}: {address(session.token)}", flush=True)
    print("Ctrl-C ends it.", flush=True)
    workers = Workers()
    config = config_of(guarded(memory, session, port, workers, write=write))
    serving = Opening(config, address(session.token) if browser else None)
    with _orderly():
        serving.run(sockets=[listening])
        workers.stop()  # before the memory is closed under them


def config_of(app: ASGIApp) -> uvicorn.Config:
    """How the pages are served: nothing is logged of what was looked at."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST,
        timeout_graceful_shutdown=LAST_PAGES,
    )


@contextmanager
def _orderly() -> Iterator[None]:
    """Signals that uvicorn raises anew once it has ended: here an orderly end is a success."""
    before = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for one, was in before.items():
            signal.signal(one, was)


class Opening(Impatient):
    """A server that opens a browser once it listens."""

    def __init__(
        self, config: uvicorn.Config, url: str | None, opened: Callable[[str], bool] = webbrowser.open
    ) -> None:
        super().__init__(config)
        self._url, self._opened = url, opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin as uvicorn does, then open the browser beside it."""
        import anyio.to_thread

        await super().startup(sockets)
        if self._url is not None and self.started:
            await anyio.to_thread.run_sync(self._opened, self._url)
