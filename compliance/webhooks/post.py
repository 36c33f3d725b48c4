"""Send one request to an address of somebody else's, without trusting whoever answers."""

from __future__ import annotations

import http.client
import socket
import ssl
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer
from typing import TYPE_CHECKING

from compliance.webhooks.addresses import UnreachableError, open_addresses, read_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SECONDS_TO_CONNECT = 3.0
SECONDS = 10.0
"""For all of the request and its answer, however slowly it trickles."""
KEPT = 1024
TRIED = 3


@dataclass(frozen=True)
class Answer:
    """What the other side said: its status, and how its body begins."""

    status: int
    begins: str


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send it to an address that was looked at, over TLS, following no redirect.

    Raises:
        RefusedError: the address is none that a webhook may have.
        UnreachableError: the name leads nowhere that we go, or nobody listens there.
        OSError, http.client.HTTPException: whatever else went wrong.
    """
    address = read_address(url)
    context = ssl.create_default_context()
    with (
        _connected(open_addresses(address), address.port) as plain,
        context.wrap_socket(
            plain, server_hostname=address.host, do_handshake_on_connect=False
        ) as line,
        _cut_after(SECONDS, line),
    ):
        line.do_handshake()
        # With its socket given it makes no connection of its own, and resolves nothing.
        connection = http.client.HTTPSConnection(address.host, address.port, context=context)
        connection.sock = line
        connection.request("POST", address.target, body, dict(headers))
        answered = connection.getresponse()
        begins = answered.read(KEPT).decode(errors="replace")
        seen = "".join(sign for sign in begins if sign.isprintable() or sign in "\n\t")
        return Answer(answered.status, seen)


def _connected(addresses: list[str], port: int) -> socket.socket:
    for each in addresses[:TRIED]:
        try:
            return socket.create_connection((each, port), SECONDS_TO_CONNECT)
        except OSError:
            continue
    msg = "Nobody took the connection."
    raise UnreachableError(msg)


@contextmanager
def _cut_after(seconds: float, line: ssl.SSLSocket) -> Iterator[None]:
    """End the connection under whoever still waits on it: limits of single reads add up."""
    line.settimeout(seconds)
    cut = Timer(seconds, _cut, [line])
    cut.start()
    try:
        yield
    finally:
        cut.cancel()


def _cut(line: ssl.SSLSocket) -> None:
    try:
        socket.socket.shutdown(line, socket.SHUT_RDWR)
    except OSError:
        return  # it ended by itself
