"""What every call needs: the settings, the open tenants, and who is calling."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context

from hornbook.graph.errors import Forbidden
from hornbook.graph.events import Actor
from hornbook.mcp_tools.caller import owner
from hornbook.settings import Settings
from hornbook.tenants import Tenants

if TYPE_CHECKING:
    from hornbook.memory import Memory


class Services:
    """Held for the life of a server. Nothing is opened, and nothing heavy imported, before the first call needs it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.keyed = False  # over HTTP, where a call without the owner of a key is refused
        self.tenants: Tenants[Memory] = Tenants(self._opened, settings.max_open_tenants)

    def _opened(self, user: str) -> "Memory":
        from hornbook.memory import Memory

        return Memory.open(self.settings.store, user=user, settings=self.settings)

    def user_for(self, user_id: str | None) -> str:
        """Whose memory a call is about; over HTTP it is the key's owner's, and no other's."""
        caller = owner()
        if self.keyed and caller is None:
            raise Forbidden("the call came without a key")
        return self.settings.user_for(user_id, bound=caller)

    @contextmanager
    def memory(self, user_id: str | None) -> "Iterator[Memory]":
        """Lease the memory of a user, the default one if none is named."""
        with self.tenants.lease(self.user_for(user_id)) as memory:
            yield memory

    def close(self) -> None:
        """Close what was opened."""
        self.tenants.close()


Ctx = Context[Services, Any]


def services(ctx: Ctx) -> Services:
    """The services of the server that a call came to."""
    return ctx.request_context.lifespan_context


def actor(ctx: Ctx, tool: str) -> Actor:
    """Who wrote: the client by the name it gave, the tool, and this process."""
    client = ctx.request_context.session.client_params
    return Actor(client.client_info.name if client else "", tool, f"hornbook-mcp {os.getpid()}")
