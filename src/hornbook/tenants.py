"""Tenants: one user, one directory, one open memory at a time; leased to requests and closed when long unused."""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Generic, Protocol, TypeVar
from unicodedata import category

from hornbook.graph.errors import InvalidArgument, StoreError, StoreMoved

LONGEST_USER = 256
LONGEST_FOLDER, KEPT = 96, 64  # characters of a folder's name; of a longer one's beginning
ESCAPE = "="  # of a byte that a folder's name does not show as it is: two digits follow
PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")
FOLDER = re.compile(r"(?:[a-z0-9_-]|=[0-9a-f]{2})+")
DEVICES = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")  # no file can have such a name on Windows


class Closable(Protocol):
    """What a lease gives out: something that can be closed."""

    def close(self) -> None:
        """Give back what it holds."""


Memory = TypeVar("Memory", bound=Closable)


def checked_user(user: object) -> str:
    """A user id as it is used everywhere: trimmed, not blank, of a sane length."""
    if not isinstance(user, str):
        raise InvalidArgument("user_id is no text", field="user_id", hint="name the owner of the memory")
    if not user.strip():
        raise InvalidArgument("user_id is blank", field="user_id", hint="name the owner of the memory")
    if len(user) > LONGEST_USER or any(category(char) in ("Cc", "Cs") for char in user):
        raise InvalidArgument(
            f"user_id is longer than {LONGEST_USER} characters, or has control characters or half of a surrogate pair",
            field="user_id",
        )
    return user.strip()


def folder_of(user: str) -> str:
    """The folder of a user: seen in every listing, legal on every file system, and never two users in one.

    Small letters, digits, `_` and `-` stand for themselves, every other byte as `=` and two digits; `user_of` reads it
    back. A name that would be too long ends in a digest: only the journal in it says whose it is.

    >>> folder_of("ana"), folder_of("Ana"), folder_of("å"), folder_of("con"), folder_of("../etc")
    ('ana', '=41na', '=c3=a5', '=63on', '=2e=2e=2fetc')
    """
    data = user.encode("utf-8", "surrogatepass")
    shown = [chr(byte) if byte in PLAIN else _escaped(byte) for byte in data]
    if shown[:1] == ["-"] or DEVICES.fullmatch(user):  # a name that begins with `-` is taken for an option
        shown[0] = _escaped(data[0])
    name = "".join(shown)
    if len(name) <= LONGEST_FOLDER:
        return name
    # a dot stands in no other name, so no user id can be chosen to land in another's folder
    return f"{name[:KEPT].rstrip(ESCAPE)}.{sha256(data).hexdigest()[:24]}"


def _escaped(byte: int) -> str:
    return f"{ESCAPE}{byte:02x}"


def user_of(folder: str) -> str | None:
    """Whose folder it is; None for one that no user has, and for one whose name is a digest.

    >>> user_of("=c3=a5"), user_of("ana"), user_of("Ana"), user_of(folder_of("x" * 200))
    ('å', 'ana', None, None)
    """
    if not FOLDER.fullmatch(folder):
        return None
    data = re.sub(rb"=(..)", lambda found: bytes.fromhex(found[1].decode()), folder.encode())
    user = data.decode("utf-8", "replace")
    return user if folder_of(user) == folder else None


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
