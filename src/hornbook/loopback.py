"""Only this machine: which hosts it is, and a socket that nothing else can reach."""

import socket
import sys

from hornbook.graph.errors import InvalidArgument

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on this machine only; port 0 is any that is free. InvalidArgument where it cannot be."""
    if host not in LOOPBACK:
        raise InvalidArgument("only this machine is served", field="host", valid=LOOPBACK)
    if not 0 <= port <= 65_535:
        raise InvalidArgument(f"there is no port {port}", field="port", hint="0 to 65535")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # the protocol is named, or asyncio does not take it for TCP and leaves replies waiting 40 ms for an ack
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise InvalidArgument(f"port {port} cannot be listened on", field="port", hint="choose another") from None
    return listening
