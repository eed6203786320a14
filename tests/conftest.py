"""What holds for every test: modules found by their full name, `tests.graph.histories`, and no network but loopback."""

import ipaddress
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.append(ROOT)  # last, so that nothing installed is hidden


class Outside(AssertionError):
    """A test tried to reach something that is not on this machine."""


def is_loopback(host: object) -> bool:
    """Whether a host is this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("example.org"), is_loopback(None)
    (True, False, True)
    """
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False


@pytest.fixture(scope="session", autouse=True)
def _loopback_only() -> Iterator[None]:
    """Refuse every connection and every look-up of a name that leaves the machine."""
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not is_loopback(address[0]):
            raise Outside(f"a test may not connect to {address[0]}")
        connect(self, address)

    def guarded_ex(self: socket.socket, address: Any) -> int:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not is_loopback(address[0]):
            raise Outside(f"a test may not connect to {address[0]}")
        return connect_ex(self, address)

    def looked_up(host: Any, *given: Any, **more: Any) -> Any:
        if not is_loopback(host):
            raise Outside(f"a test may not look up {host}")
        return look_up(host, *given, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        patch.setattr(socket.socket, "connect_ex", guarded_ex)
        patch.setattr(socket, "getaddrinfo", looked_up)
        yield
