"""Tenants: one user, one directory, one open memory at a time; leased to requests and closed when long unused."""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Generic, Protocol, TypeVar

from hornbook.graph.errors import InvalidArgument, StoreError, StoreMoved

PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,47}")
LONGEST_USER = 256


class Closable(Protocol):
    """What a lease gives out: something that can be closed."""

    def close(self) -> None:
        """Give back what it holds."""


Memory = TypeVar("Memory", bound=Closable)


def checked_user(user: object) -> str:
    """A user id as it is used everywhere: trimmed, not blank, of a sane length."""
    if not isinstance(user, str) or not user.strip():
        raise InvalidArgument("user_id is blank", field="user_id", hint="name the owner of the memory")
    if len(user) > LONGEST_USER or any(ord(char) < 32 for char in user):
        raise InvalidArgument(
            f"user_id is longer than {LONGEST_USER} characters or has control characters", field="user_id"
        )
    return user.strip()


def folder_of(user: str) -> str:
    """The folder of a user: readable where it can be, never two users in one, on any file system.

    >>> folder_of("ana"), folder_of("../etc") != folder_of("etc"), folder_of("Ana") == folder_of("ana")
    ('ana', True, False)
    """
    if PLAIN.fullmatch(user):
        return user
    readable = re.sub(r"[^a-z0-9]+", "-", user.casefold()).strip("-")[:24]
    # a dot cannot stand in a plain name, so no user id can be chosen to land in another's folder
    return f"{readable}.{sha256(user.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


@dataclass(slots=True)
class Tenant(Generic[Memory]):
    """An open memory and how many requests are using it. `memory` is None while it is being opened or closed."""

    memory: Memory | None = None
    leases: int = 0
    closing: bool = False
    opened: bool = False
    stale: bool = False  # its file is another one by now


class Tenants(Generic[Memory]):
    """Leases open memories to requests: at most `most` are open, unless more are in use at once.

    Only an unleased memory is closed, the one unused for longest first; one that is being closed is opened again
    only after its close has ended.
    """

    def __init__(self, open_memory: Callable[[str], Memory], most: int = 32) -> None:
        self._open_memory = open_memory
        self._most = most
        self._tenants: OrderedDict[str, Tenant[Memory]] = OrderedDict()
        self._changed = threading.Condition()
        self._ended = False

    def __repr__(self) -> str:
        """How many memories are open."""
        return f"Tenants({len(self._tenants)} open, at most {self._most})"

    @contextmanager
    def lease(self, user: str) -> Iterator[Memory]:
        """The memory of a user, open for as long as the block runs. Raises what opening it raises.

        One whose file was replaced meanwhile is closed after its last lease, so that the next lease opens the new one.
        """
        memory = self._take(checked_user(user))
        try:
            yield memory
        except StoreMoved:
            with self._changed:
                self._tenants[user.strip()].stale = True
            raise
        finally:
            self._give_back(user.strip())

    def _take(self, user: str) -> Memory:
        with self._changed:
            while (tenant := self._tenants.get(user)) is not None and (tenant.closing or not tenant.opened):
                self._changed.wait()
            if self._ended:
                raise StoreError("the server is stopping", hint="start it again")
            if tenant is not None and tenant.memory is not None:
                tenant.leases += 1
                self._tenants.move_to_end(user)
                return tenant.memory
            tenant = self._tenants[user] = Tenant(leases=1)
        return self._opened(user, tenant)

    def _opened(self, user: str, tenant: Tenant[Memory]) -> Memory:
        try:
            memory = self._open_memory(user)  # outside the mutex: other users go on
        except BaseException:
            with self._changed:
                del self._tenants[user]
                self._changed.notify_all()
            raise
        with self._changed:
            tenant.memory, tenant.opened = memory, True
            self._changed.notify_all()
        self._evict()
        return memory

    def _give_back(self, user: str) -> None:
        with self._changed:
            self._tenants[user].leases -= 1
            self._changed.notify_all()
        self._evict()

    def _evict(self) -> None:
        while (found := self._unused()) is not None:
            user, memory = found
            try:
                memory.close()
            finally:
                with self._changed:
                    del self._tenants[user]
                    self._changed.notify_all()

    def _unused(self) -> tuple[str, Memory] | None:
        """The memory to close next, marked as closing; None when there are few enough and all are good."""
        with self._changed:
            many = len(self._tenants) > self._most
            for user, tenant in self._tenants.items():
                idle = not tenant.leases and not tenant.closing and (many or tenant.stale)
                if idle and tenant.memory is not None:
                    tenant.closing = True
                    return user, tenant.memory
        return None

    def close(self) -> None:
        """Close all of them once their leases have ended; later leases are refused."""
        with self._changed:
            self._ended = True
            while any(tenant.leases or tenant.closing for tenant in self._tenants.values()):
                self._changed.wait()
            open_now = [tenant.memory for tenant in self._tenants.values() if tenant.memory is not None]
            self._tenants.clear()
        for memory in open_now:
            memory.close()
